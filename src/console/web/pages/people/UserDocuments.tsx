import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { nameOrId } from "../../components/display-text.ts";
import { pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

/** Number of documents shown. */
const SHOWN = 20;

interface UserDocumentsProps {
  userId: string;
  organizationId: string;
}

/** The documents that a user has a role on, or in which the user is involved. */
export function UserDocuments({ userId, organizationId }: UserDocumentsProps) {
  const apiQuery = useApiQuery("/v2/users/documents/get", {
    organizationId,
    userIds: [userId],
    includeInvolvedDocuments: true,
    pageSize: SHOWN,
  });
  return (
    <Panel
      title="Documents"
      apiQuery={apiQuery}
      isEmpty={([user]) => user === undefined}
      empty={<Text size="sm">No role of their own on a document, and nothing written in one.</Text>}
    >
      {([user], { pageToken }) => (
        <>
          <ul className="rows">
            {user?.documents.map(({ documentId, documentName, accessRole, isInvolved }) => (
              <li key={documentId}>
                <div>
                  <Anchor
                    component={Link}
                    size="sm"
                    lineClamp={2}
                    data-opens
                    href={`/documents?${new URLSearchParams({ organization: organizationId, document: documentId })}`}
                  >
                    <UntrustedText>{nameOrId(documentName, documentId)}</UntrustedText>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    {nameOrId(documentName, documentId) !== documentId && <UntrustedText>{documentId}</UntrustedText>}
                    {accessRole && <span>{accessRole}</span>}
                    {isInvolved && <span>involved</span>}
                  </Text>
                </div>
              </li>
            ))}
          </ul>
          <Text size="xs" c="dimmed" mt="xs">
            {pageToken !== undefined && `The first ${pluralize(SHOWN, "document")}. `}
            Folders, the organization or public access may open others.
          </Text>
        </>
      )}
    </Panel>
  );
}
