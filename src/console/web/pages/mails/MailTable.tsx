import { Badge, Table, Text } from "@mantine/core";
import type { MailDelivery } from "../../api/records.ts";
import { type DocumentPlace, usePlaceNames } from "../../components/document-names.ts";
import { exactTime } from "../../components/exact-time.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { useUrlParameters } from "../../url.ts";
import { getKindLabel, getStateLabel, isFailure } from "./states.ts";

/** Widths of the columns by title. */
const WIDTHS = { Recipient: "22%", State: "35%", Time: "17%", Organization: "13%", Document: "13%" };

/** The mails, each with its state and what the mail server said. */
export function MailTable({ mails }: { mails: MailDelivery[] }) {
  const getName = useOrganizationNames(mails.flatMap(({ organizationId }) => organizationId ?? []));
  const toDocumentName = usePlaceNames(mails.flatMap(getPlace));
  return (
    <Table className="stacked" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {Object.entries(WIDTHS).map(([title, width]) => (
            <Table.Th key={title} scope="col" w={width}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {mails.map((mail) => (
          <Row
            key={mail.mailId}
            mail={mail}
            organizationName={mail.organizationId && getName(mail.organizationId)}
            documentName={getPlace(mail).map(toDocumentName)[0]}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function getPlace({ organizationId, documentId }: MailDelivery): DocumentPlace[] {
  return organizationId === null || documentId === null ? [] : [{ organizationId, documentId }];
}

interface RowProps {
  mail: MailDelivery;
  organizationName: string | null;
  documentName: string | undefined;
}

function Row({ mail, organizationName, documentName }: RowProps) {
  const { link } = useUrlParameters();
  const { kind, organizationId, documentId, userId, address, state, reason, attempts, updatedAt } = mail;
  const document = new URLSearchParams({ organization: organizationId ?? "", document: documentId ?? "" });
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {organizationId !== null && userId !== null ? (
          <UserLink organizationId={organizationId} user={{ userId }} />
        ) : (
          getKindLabel(kind)
        )}
        <Text size="xs" c="dimmed">
          <UntrustedText>{address}</UntrustedText>
        </Text>
      </Table.Th>
      <Table.Td className="unlabelled">
        <div>
          <Badge variant="default" tt="none" data-failed={isFailure(state)} className="outcome">
            {getStateLabel(state)}
          </Badge>
          {reason !== null && (
            <Text size="xs" mt={2}>
              <UntrustedText>{reason}</UntrustedText>
            </Text>
          )}
          {attempts > 1 && (
            <Text size="xs" c="dimmed">
              {attempts} attempts
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td data-label="Time">
        <time dateTime={new Date(updatedAt).toISOString()}>{exactTime(updatedAt)}</time>
      </Table.Td>
      <Table.Td data-label="Organization">
        {organizationName !== null && (
          <FilterLink href={link({ organization: organizationId ?? undefined })}>
            <UntrustedText>{organizationName}</UntrustedText>
          </FilterLink>
        )}
      </Table.Td>
      <Table.Td data-label="Document">
        {documentName !== undefined && (
          <FilterLink href={`/documents?${document}`}>
            <UntrustedText>{documentName}</UntrustedText>
          </FilterLink>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
