import { sql } from "../../../database/sql.ts";
import { buildSearch } from "../../../database/text-search.ts";
import { USER_TEXTS } from "../../search/search-queries.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";
import { selectWorkspacePage, type WorkspacePageRequest } from "../../tenancy/workspace-page-queries.ts";
import type { UserStatistics } from "../statistics/schema.ts";
import { buildStatistics, type Statistics, withRecord } from "../statistics/user-statistics-queries.ts";

interface UsersOfWorkspace {
  users: ({ organizationId: string } & UserStatistics)[];
  totalCount: number;
  next: string[] | undefined;
}

/**
 * Reads one page of the matching users of all organizations that are not being deleted, each once for each
 * organization, with their statistics, and counts all matches.
 */
export async function selectWorkspaceUserStatistics(
  scope: CrossTenantScope,
  workspaceId: string,
  { search }: { search?: string | undefined },
  page: WorkspacePageRequest,
): Promise<UsersOfWorkspace> {
  const owned = {
    ...{ table: "users", alias: "person", id: "user_id" },
    conditions: search === undefined ? [] : [buildSearch(USER_TEXTS, search)],
    isSearch: search !== undefined,
    organizationConditions: [],
    statistics: sql`person.record::text as record, ${buildStatistics(sql`person.organization_key`)}`,
  };
  const found = await selectWorkspacePage<Statistics & { record: string }>(scope, workspaceId, owned, page);
  const users = found.rows.map(({ organizationId, organizationKey: _, id, record, ...statistics }) => ({
    organizationId,
    ...withRecord(record, { userId: id, ...statistics }),
  }));
  return { users, totalCount: found.totalCount, next: found.next };
}
