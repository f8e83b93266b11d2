import { boolean, type Sql, sql } from "../../../database/sql.ts";
import { buildSearch } from "../../../database/text-search.ts";
import { DOCUMENT_TEXTS } from "../../search/search-queries.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";
import { selectWorkspacePage, type WorkspacePageRequest } from "../../tenancy/workspace-page-queries.ts";
import { buildStatistics, type StoredStatistics, withRecord } from "../statistics/document-statistics-queries.ts";
import type { DocumentStatistics } from "../statistics/schema.ts";

interface Filters {
  search?: string | undefined;
  disabled?: boolean | undefined;
}

interface DocumentsOfWorkspace {
  documents: ({ organizationId: string } & DocumentStatistics)[];
  totalCount: number;
  next: string[] | undefined;
}

/** Reads a page of matching documents of all enabled organizations with their statistics, and counts all matches. */
export async function selectWorkspaceDocumentStatistics(
  scope: CrossTenantScope,
  workspaceId: string,
  filters: Filters,
  page: WorkspacePageRequest,
): Promise<DocumentsOfWorkspace> {
  const owned = {
    ...{ table: "documents", alias: "document", id: "document_id" },
    conditions: buildConditions(filters),
    isSearch: filters.search !== undefined,
    organizationConditions: [sql`not organizations.disabled`],
    statistics: buildStatistics(sql`document.organization_key`),
  };
  const found = await selectWorkspacePage<StoredStatistics>(scope, workspaceId, owned, page);
  const documents = found.rows.map(({ organizationId, organizationKey: _, ...stored }) => ({
    organizationId,
    ...withRecord(stored),
  }));
  return { documents, totalCount: found.totalCount, next: found.next };
}

function buildConditions({ search, disabled }: Filters): Sql[] {
  const conditions: Sql[] = [];
  if (search !== undefined) conditions.push(buildSearch(DOCUMENT_TEXTS, search));
  if (disabled !== undefined) conditions.push(sql`document.disabled = ${boolean(disabled)}`);
  return conditions;
}
