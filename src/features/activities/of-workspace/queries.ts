import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { bigint, EMPTY, integer, type Parameter, type Sql, sql, text, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { conditionOf, type Filters } from "../filters/queries.ts";
import { ANSWERED } from "../queries.ts";

/** Filters of activities that mean the same in every organization. */
export type WorkspaceFilters = Pick<Filters, "userId" | "featureTypes" | "actionTypes" | "query" | "from" | "to">;

interface PageRequest {
  pageSize: number;
  after: number[] | undefined;
}

const NEWEST_FIRST = sql`order by found.created_at desc, found.sequence desc`;

/** Reads a page of the matching activities of all enabled documents of a workspace, newest first. */
export async function selectWorkspaceActivityPage(
  database: Queryable,
  workspaceId: string,
  filters: WorkspaceFilters,
  page: PageRequest,
): Promise<PageOfRecords<null, number>> {
  const isOfWorkspace = sql`workspace_id = ${uuid(workspaceId)} and not disabled and deleted_at is null`;
  const found =
    filters.query === undefined
      ? await newestOfWorkspace(database, isOfWorkspace, filters, page)
      : withWords(isOfWorkspace, filters.query, filters, page);
  return selectPageOfRecords<null, number>(database, {
    source: sql`from (${found} ${NEWEST_FIRST} limit ${integer(page.pageSize + 1)}) as found
      join activities using (organization_key, created_at, sequence) where true`,
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    order: "desc",
    extra: sql`null`,
    answered: ANSWERED,
    ...page,
    after: undefined,
  });
}

/**
 * Returns the select of the newest matches of a workspace. Only the organizations whose newest match is among the
 * newest of all can hold one of them, so this reads the first match of each organization, then a page of each of those
 * few (measured over HTTP in 10,000 organizations of 100 activities: 48 to 90 ms with and without filters).
 */
async function newestOfWorkspace(
  database: Queryable,
  isOfWorkspace: Sql,
  filters: WorkspaceFilters,
  { pageSize, after }: PageRequest,
): Promise<Sql> {
  const newestOf = (limit: Parameter) =>
    matchesOf(filters, after, sql`order by created_at desc, sequence desc limit ${limit}`);
  const count = integer(pageSize + 1);
  // A statement of its own: Citus joins nothing laterally with organizations of which it has the first few.
  const organizations = await database.run(
    sql<{ organization_key: string }>`${newestOf(integer(1))} where ${isOfWorkspace} ${NEWEST_FIRST} limit ${count}`,
  );
  const keys = uuids(organizations.map(({ organization_key: key }) => key));
  return sql`${newestOf(count)} where organizations.organization_key = any(${keys})`;
}

/** Returns the select of all matches of a workspace that have the words; without words, of none. */
function withWords(isOfWorkspace: Sql, query: string, filters: WorkspaceFilters, { after }: PageRequest): Sql {
  const words = sql`websearch_to_tsquery('pg_catalog.simple', ${text(query)})`;
  const hasWords = sql`and numnode(${words}) > 0
    and activity_words(activities.organization_key, record, record_bytes) @@ ${words}`;
  return sql`${matchesOf(filters, after, hasWords)} where ${isOfWorkspace}`;
}

/** Returns the select of the matches of each organization. `rest` ends its conditions and may limit it. */
function matchesOf(filters: WorkspaceFilters, after: number[] | undefined, rest: Sql): Sql {
  const [createdAt, sequence] = after ?? [];
  const isAfter =
    createdAt === undefined || sequence === undefined
      ? EMPTY
      : sql`and (created_at, sequence) < (${bigint(createdAt)}, ${bigint(sequence)})`;
  return sql`select organizations.organization_key, found.created_at, found.sequence
    from organizations cross join lateral (
      select created_at, sequence from activities
      where activities.organization_key = organizations.organization_key
        and ${conditionOf(sql`organizations.organization_key`, filters)} ${isAfter} ${rest}
    ) as found`;
}
