import { boolean, type Sql, sql } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { isStartingWith } from "../../../database/text-start.ts";
import { DOCUMENT_FIELDS } from "../../search/search-queries.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { selectWorkspacePage, type WorkspacePageRequest } from "../../tenancy/workspace-page-queries.ts";
import { figuresOf, type StoredFigures, withRecord } from "../figures/document-figure-queries.ts";
import type { DocumentFigures } from "../figures/schema.ts";

interface Filters {
  search?: string | undefined;
  disabled?: boolean | undefined;
}

interface DocumentsOfWorkspace {
  documents: ({ organizationId: string } & DocumentFigures)[];
  totalCount: number;
  next: string[] | undefined;
}

/** Reads one page of the matching documents of all enabled organizations with their figures, and counts all matches. */
export async function selectWorkspaceDocumentFigures(
  database: Queryable,
  workspaceId: string,
  filters: Filters,
  page: WorkspacePageRequest,
): Promise<DocumentsOfWorkspace> {
  const owned = {
    ...{ table: "documents", alias: "document", id: "document_id" },
    conditions: conditionsOf(filters),
    isSearch: filters.search !== undefined,
    organizationConditions: [sql`not organizations.disabled`],
    figures: figuresOf(sql`document.organization_key`),
  };
  const found = await selectWorkspacePage<StoredFigures>(acrossOrganizations(database), workspaceId, owned, page);
  const documents = found.rows.map(({ organizationId, organizationKey: _, ...stored }) => ({
    organizationId,
    ...withRecord(stored),
  }));
  return { documents, totalCount: found.totalCount, next: found.next };
}

function conditionsOf({ search, disabled }: Filters): Sql[] {
  const conditions: Sql[] = [];
  if (search !== undefined) conditions.push(isStartingWith(DOCUMENT_FIELDS, search));
  if (disabled !== undefined) conditions.push(sql`document.disabled = ${boolean(disabled)}`);
  return conditions;
}
