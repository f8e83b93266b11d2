import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AnyApiRequest, ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { StateCell } from "../../components/StateCell.tsx";
import { useStateFilter } from "../../components/StateFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

const PATH = "/v2/workspace/documents/figures/get";
const PAGE_SIZE = 50;
const ORDERS = ["organization", "id"] as const;
const EXAMPLE: AnyApiRequest = {
  path: "/v2/organizations/documents/add",
  data: { organizationId: "acme", documents: [{ documentId: "contract-7", documentName: "Contract 7" }] },
};

type Document = ResponseData<typeof PATH>["documents"][number];

/** The documents of all enabled organizations. Each opens the page of the document. */
export function WorkspaceDocumentTable() {
  const { get } = useUrlParameters();
  const search = get("search");
  const disabled = useStateFilter();
  const sort = useSort(ORDERS, "organization");
  const apiQuery = useApiQuery(PATH, { search, disabled, ...sort, pageSize: PAGE_SIZE, pageToken: get("page") });
  const total = apiQuery.query.data?.data.totalCount;
  return (
    <Panel
      title={total ? `${pluralize(total, "document")} in all organizations` : "Documents"}
      apiQuery={apiQuery}
      isEmpty={({ totalCount }) => totalCount === 0}
      empty={
        search || disabled !== undefined ? (
          <EmptyState>No document matches these filters. IDs are case-sensitive.</EmptyState>
        ) : (
          <EmptyState example={EXAMPLE}>
            No documents yet. A document is created on its first write, or when your backend adds it:
          </EmptyState>
        )
      }
    >
      {({ documents }, { pageToken }) => (
        <>
          <Table className="stacked numbers" verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <SortableHeader label="Document" name="id" sort={sort} />
                <SortableHeader label="Organization" name="organization" sort={sort} className="words" />
                <Table.Th scope="col">Users</Table.Th>
                <Table.Th scope="col">Comments</Table.Th>
                <Table.Th scope="col">Last activity</Table.Th>
                <Table.Th scope="col">Created</Table.Th>
                <Table.Th scope="col" className="words">
                  State
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {documents.map((document) => (
                <Row key={JSON.stringify([document.organizationId, document.id])} document={document} />
              ))}
            </Table.Tbody>
          </Table>
          <Pager label="documents" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}

function Row({ document }: { document: Document }) {
  const { organizationId, id, documentName, disabled, users, annotations, lastActivity, createdAt } = document;
  const organization = new URLSearchParams({ organization: organizationId });
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor
          component={Link}
          href={`/documents?${organization}&${new URLSearchParams({ document: id })}`}
          size="sm"
          data-opens
        >
          <UntrustedText>{documentName || id}</UntrustedText>
        </Anchor>
        {documentName && (
          <Text size="xs" c="dimmed">
            <UntrustedText>{id}</UntrustedText>
          </Text>
        )}
      </Table.Th>
      <Table.Td data-label="Organization" className="words">
        <Anchor component={Link} href={`/documents?${organization}`} size="sm" tabIndex={-1}>
          <UntrustedText>{organizationId}</UntrustedText>
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Users">{formatCount(users)}</Table.Td>
      <Table.Td data-label="Comments">{formatCount(annotations)}</Table.Td>
      <Table.Td data-label="Last activity">
        <Time at={lastActivity} />
      </Table.Td>
      <Table.Td data-label="Created">
        <Time at={createdAt} />
      </Table.Td>
      <StateCell isDisabled={disabled} />
    </Table.Tr>
  );
}
