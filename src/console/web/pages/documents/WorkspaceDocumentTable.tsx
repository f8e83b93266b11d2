import { Table } from "@mantine/core";
import { useState } from "react";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_DOCUMENT } from "../../components/example-requests.ts";
import { NoMatch } from "../../components/NoMatch.tsx";
import { pluralize } from "../../components/numbers.ts";
import { OrganizationCell } from "../../components/OrganizationCell.tsx";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { useStateFilter } from "../../components/StateFilter.tsx";
import { useUrlParameters } from "../../url.ts";
import { DocumentFigureCells, DocumentNameCell } from "./DocumentCells.tsx";
import { type DocumentDialog, DocumentDialogs, DocumentMenuCell } from "./DocumentTable.tsx";

const PATH = "/v2/workspace/documents/figures/get";
const ORDERS = ["organization", "id"] as const;

/** The documents of all enabled organizations. Each opens the page of the document. */
export function WorkspaceDocumentTable() {
  const { get } = useUrlParameters();
  const search = get("search");
  const disabled = useStateFilter();
  const sort = useSort(ORDERS, "organization");
  const apiQuery = useApiQuery(PATH, { search, disabled, ...sort, pageSize: usePageSize(), pageToken: get("page") });
  const getName = useOrganizationNames(
    apiQuery.query.data?.data.documents.map(({ organizationId }) => organizationId) ?? [],
  );
  const total = apiQuery.query.data?.data.totalCount;
  const [opened, setOpened] = useState<{ organizationId: string; dialog: DocumentDialog }>();
  return (
    <>
      <Panel
        title={total ? `${pluralize(total, "document")} in all organizations` : "Documents"}
        apiQuery={apiQuery}
        isEmpty={({ totalCount }) => totalCount === 0}
        empty={
          search || disabled !== undefined ? (
            <NoMatch filters={["search", "state"]}>No document matches these filters.</NoMatch>
          ) : (
            <EmptyState example={EXAMPLE_DOCUMENT}>
              No documents yet. A document is created on its first write, or when your backend adds it:
            </EmptyState>
          )
        }
      >
        {({ documents, totalCount }, { pageToken }) => (
          <>
            <Table className="stacked numbers" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <SortableHeader label="Document" name="id" sort={sort} />
                  <SortableHeader label="Organization" name="organization" sort={sort} className="words" />
                  <Table.Th scope="col">Users</Table.Th>
                  <Table.Th scope="col">Threads</Table.Th>
                  <Table.Th scope="col">Size</Table.Th>
                  <Table.Th scope="col" className="words">
                    Last activity
                  </Table.Th>
                  <Table.Th scope="col" className="words">
                    Created
                  </Table.Th>
                  <Table.Th scope="col" className="words">
                    State
                  </Table.Th>
                  <Table.Td />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {documents.map((document) => (
                  <Table.Tr key={JSON.stringify([document.organizationId, document.id])}>
                    <DocumentNameCell organizationId={document.organizationId} document={document} />
                    <OrganizationCell
                      page="documents"
                      organizationId={document.organizationId}
                      name={getName(document.organizationId)}
                    />
                    <DocumentFigureCells document={document} />
                    <DocumentMenuCell
                      organizationId={document.organizationId}
                      document={document}
                      onOpen={(dialog) => setOpened({ organizationId: document.organizationId, dialog })}
                    />
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager
              hasSizes
              label="documents"
              nextToken={pageToken}
              counts={{ shown: documents.length, total: totalCount }}
            />
          </>
        )}
      </Panel>
      {opened && <DocumentDialogs {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
