import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { nameOrId } from "../../components/display-text.ts";
import { LastActivityCell } from "../../components/LastActivityCell.tsx";
import { formatBytes, formatCount } from "../../components/numbers.ts";
import { StateCell } from "../../components/StateCell.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

type Document = ResponseData<"/v2/organizations/documents/figures/get">["documents"][number];

/** The cell with the name of a document, which opens its page. */
export function DocumentNameCell({ organizationId, document }: { organizationId: string; document: Document }) {
  const { id, documentName } = document;
  const name = nameOrId(documentName, id);
  return (
    <Table.Th scope="row">
      <Anchor
        component={Link}
        href={`/documents?${new URLSearchParams({ organization: organizationId, document: id })}`}
        size="sm"
        lineClamp={2}
        data-opens
      >
        <UntrustedText>{name}</UntrustedText>
      </Anchor>
      {name !== id && (
        <Text size="xs" c="dimmed">
          <UntrustedText>{id}</UntrustedText>
        </Text>
      )}
    </Table.Th>
  );
}

/** The cells with the statistics, the times and the state of a document. */
export function DocumentFigureCells({ document }: { document: Document }) {
  const { disabled, users, annotations, contentBytes, lastActivity, createdAt } = document;
  return (
    <>
      <Table.Td data-label="Users">{formatCount(users)}</Table.Td>
      <Table.Td data-label="Threads">{formatCount(annotations)}</Table.Td>
      <Table.Td data-label="Size">{formatBytes(contentBytes)}</Table.Td>
      <LastActivityCell at={lastActivity} />
      <Table.Td data-label="Created" className="words">
        <Time at={createdAt} />
      </Table.Td>
      <StateCell isDisabled={disabled} />
    </>
  );
}
