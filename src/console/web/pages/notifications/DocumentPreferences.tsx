import { Table, Text } from "@mantine/core";
import { useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { useDocumentNames } from "../../components/document-names.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { itemError } from "../../components/item-error.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { CHANNELS, PREFERENCE_LABELS } from "./Preferences.tsx";

const PATH = "/v2/notifications/config/documents/get";
const PAGE_SIZE = 10;
/** URL parameter of the page token, distinct from that of the inbox on the same page. */
const PAGE = "preferences";

/** The documents for which a user has other preferences than for the organization. */
export function DocumentPreferences({ organizationId, userId }: { organizationId: string; userId: string }) {
  const { get, link } = useUrlParameters();
  const apiQuery = useApiQuery(PATH, { organizationId, userId, pageSize: PAGE_SIZE, pageToken: get(PAGE) });
  const documentIds = apiQuery.query.data?.data.map(({ documentId }) => documentId);
  const toName = useDocumentNames(organizationId, documentIds);
  return (
    <Panel
      title="Preferences for documents"
      apiQuery={apiQuery}
      isEmpty={(found) => found.length === 0}
      empty={<Text size="sm">None. The preferences for the organization apply to all documents.</Text>}
    >
      {(found, { pageToken }) => (
        <>
          <Table className="stacked" withRowBorders={false} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Document</Table.Th>
                {CHANNELS.map(([channel, label]) => (
                  <Table.Th key={channel} scope="col">
                    {label}
                  </Table.Th>
                ))}
                <Table.Th scope="col">
                  <span className="visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.map(({ documentId, config }) => (
                <Table.Tr key={documentId}>
                  <Table.Th scope="row" fw="normal">
                    <FilterLink href={link({ document: documentId })}>
                      <UntrustedText>{toName(documentId)}</UntrustedText>
                    </FilterLink>
                  </Table.Th>
                  {CHANNELS.map(([channel, label]) => {
                    const preference = config[channel];
                    return (
                      <Table.Td key={channel} data-label={label}>
                        {preference ? PREFERENCE_LABELS[preference] : "Not set"}
                      </Table.Td>
                    );
                  })}
                  <Table.Td>
                    <RemoveButton organizationId={organizationId} userId={userId} documentId={documentId} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Pager label="preferences" name={PAGE} nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}

interface RemoveButtonProps {
  organizationId: string;
  userId: string;
  documentId: string;
}

function RemoveButton({ organizationId, userId, documentId }: RemoveButtonProps) {
  const config = { inbox: null, email: null, slack: null };
  return (
    <ConfirmButton
      label="Remove…"
      target={`the preferences for ${documentId}`}
      title={`Remove the preferences for ${documentId}?`}
      action="Remove"
      request={{
        path: "/v2/notifications/config/set",
        data: { organizationId, userIds: [userId], documentIds: [documentId], config },
      }}
      errorIn={(data) => itemError(data[userId])}
    >
      <Text size="sm">
        From now on, the user's preferences for the organization apply to the document. Inboxes keep what they contain.
      </Text>
    </ConfirmButton>
  );
}
