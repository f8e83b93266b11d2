import { Button, Menu, Table } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { nameOrId } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_DOCUMENT } from "../../components/example-requests.ts";
import { Filters } from "../../components/Filters.tsx";
import { NoMatch } from "../../components/NoMatch.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { RowMenu } from "../../components/RowMenu.tsx";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { StateFilter, useStateFilter } from "../../components/StateFilter.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { useUrlParameters } from "../../url.ts";
import { DocumentFigureCells, DocumentNameCell } from "./DocumentCells.tsx";
import { DisableDocument, NewDocument, RenameDocument } from "./DocumentForms.tsx";
import { DOCUMENT_PAGES } from "./DocumentTitle.tsx";
import { ROOT } from "./folders/folder.ts";
import { MoveDialog } from "./folders/MoveDocument.tsx";

const PATH = "/v2/organizations/documents/figures/get";
const ORDERS = ["name", "users", "annotations", "lastActivity", "createdAt"] as const;

type Document = ResponseData<typeof PATH>["documents"][number];
export type DocumentDialog = { kind: "new" } | { kind: "rename" | "move" | "disable"; document: Document };

interface DocumentTableProps {
  organizationId: string;
  /** Shows only the documents directly in this folder; `root` is outside of any folder. */
  folderId?: string | undefined;
}

/** The documents of an organization or folder, which can be created, renamed, moved and disabled in place. */
export function DocumentTable({ organizationId, folderId }: DocumentTableProps) {
  const { get } = useUrlParameters();
  const sort = useSort(ORDERS, "name");
  const search = get("search");
  const disabled = useStateFilter();
  const request = {
    organizationId,
    folderId,
    search,
    disabled,
    ...sort,
    pageSize: usePageSize(),
    pageToken: get("page"),
  };
  const apiQuery = useApiQuery(PATH, request);
  const [dialog, setDialog] = useState<DocumentDialog>();
  const total = apiQuery.query.data?.data.totalCount;
  return (
    <>
      <Filters label="Filters of documents">
        <TextFilter isSearch label="Search" placeholder="Name or ID" name="search" />
        <StateFilter />
      </Filters>
      <Panel
        title={getTitle(folderId, total)}
        apiQuery={apiQuery}
        actions={
          <Button size="compact-xs" onClick={() => setDialog({ kind: "new" })}>
            Create document
          </Button>
        }
        isEmpty={({ totalCount }) => totalCount === 0}
        empty={
          search || disabled !== undefined ? (
            <NoMatch filters={["search", "state"]}>No document matches these filters.</NoMatch>
          ) : (
            <NoDocuments organizationId={organizationId} folderId={folderId} />
          )
        }
      >
        {({ documents, totalCount }, { pageToken }) => (
          <>
            <Table className="stacked numbers" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <SortableHeader label="Name" name="name" sort={sort} />
                  <SortableHeader label="Users" name="users" sort={sort} first="desc" />
                  <SortableHeader label="Threads" name="annotations" sort={sort} first="desc" />
                  <Table.Th scope="col">Size</Table.Th>
                  <SortableHeader
                    label="Last activity"
                    name="lastActivity"
                    sort={sort}
                    first="desc"
                    className="words"
                  />
                  <SortableHeader label="Created" name="createdAt" sort={sort} first="desc" className="words" />
                  <Table.Th scope="col" className="words">
                    State
                  </Table.Th>
                  <Table.Td />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {documents.map((document) => (
                  <Table.Tr key={document.id}>
                    <DocumentNameCell organizationId={organizationId} document={document} />
                    <DocumentFigureCells document={document} />
                    <DocumentMenuCell organizationId={organizationId} document={document} onOpen={setDialog} />
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
      {dialog && (
        <DocumentDialogs dialog={dialog} {...{ organizationId, folderId }} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

function getTitle(folderId: string | undefined, total: number | undefined): string {
  const documents = total ? pluralize(total, "document") : "Documents";
  if (folderId === undefined) return documents;
  return `${documents} ${folderId === ROOT ? "outside of any folder" : "in this folder"}`;
}

function NoDocuments({ organizationId, folderId }: DocumentTableProps) {
  const data = { ...EXAMPLE_DOCUMENT.data, organizationId, ...(folderId && { folderId }) };
  const example = { ...EXAMPLE_DOCUMENT, data };
  return (
    <EmptyState example={example}>
      {folderId === undefined
        ? "No documents yet. A document is created on its first write, or when your backend adds it:"
        : "No documents here. Move one here, or let your backend add it:"}
    </EmptyState>
  );
}

interface DocumentMenuCellProps {
  organizationId: string;
  document: Document;
  onOpen: (dialog: DocumentDialog) => void;
}

/** The cell with the actions on a document, and links to other pages about it. */
export function DocumentMenuCell({ organizationId, document, onOpen }: DocumentMenuCellProps) {
  const { id, documentName, disabled } = document;
  const place = new URLSearchParams({ organization: organizationId, document: id });
  return (
    <Table.Td className="row-menu">
      <RowMenu name={nameOrId(documentName, id)}>
        {DOCUMENT_PAGES.map(({ page, label }) => (
          <Menu.Item key={page} component={Link} href={`/${page}?${place}`}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onOpen({ kind: "rename", document })}>Rename…</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: "move", document })}>Move…</Menu.Item>
        <Menu.Item onClick={() => onOpen({ kind: "disable", document })}>{disabled ? "Enable…" : "Disable…"}</Menu.Item>
      </RowMenu>
    </Table.Td>
  );
}

interface DocumentDialogsProps extends DocumentTableProps {
  dialog: DocumentDialog;
  onClose: () => void;
}

/** The dialog that an action has opened. */
export function DocumentDialogs({ dialog, organizationId, folderId, onClose }: DocumentDialogsProps) {
  if (dialog.kind === "new") return <NewDocument {...{ organizationId, folderId, onClose }} />;
  const common = { organizationId, document: dialog.document, onClose };
  if (dialog.kind === "rename") return <RenameDocument {...common} />;
  return dialog.kind === "move" ? <MoveDialog {...common} /> : <DisableDocument {...common} />;
}
