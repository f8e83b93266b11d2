import { type PageOfRecords, type PageSource, selectPageOfRecords } from "../../database/page.ts";
import { integer, sql, text, texts, uuid } from "../../database/sql.ts";
import type { AccessOrganization } from "../access/access-queries.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { deleteRecords, MAX_IDS_RETURNED, type RecordInDocument } from "../tenancy/record-queries.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";
import { buildSearchRows, type Filters, matchesFilters, matchingRows } from "./activity-filter-queries.ts";

/**
 * The JSON text of a serialized activity: the timestamp, then the record as sent. right() drops the brace; it
 * takes a fifth of the time of substr(), which counts all characters (measured on 600 bytes).
 */
export const SERIALIZED = {
  expression: sql`'{"timestamp":' || created_at || ',' || right(record::text, -1)`,
  columns: [],
};

/** The columns that put the activities of an organization in order. */
export const FEED_ORDER = { keys: ["created_at", "sequence"], keyType: "bigint" } as const;

/** Reads one page of the matching activities. */
export async function selectActivityPage(
  scope: AccessOrganization,
  filters: Filters,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  const start = { ...FEED_ORDER, ...page };
  const select = (rows: PageSource) =>
    selectPageOfRecords<AccessBlock, number>(scope, {
      ...rows,
      extra: buildAccessBlock(scope.key, filters.documentId),
      serialized: SERIALIZED,
      ...start,
    });
  const { query } = filters;
  if (query === undefined) return select(matchingRows(scope, filters));
  const { first, all } = buildSearchRows(scope, { ...filters, query }, start);
  for (const source of first) {
    const page = await select({ source });
    if (page.next) return page;
  }
  return select({ source: all });
}

/** Returns the ids of the matching activities, 50,000 at most. */
export async function selectMatchingIds(scope: AccessOrganization, filters: Filters): Promise<Set<string>> {
  const rows = await scope.run(
    sql<{ id: string }>`select id from activities where ${matchesFilters(scope, filters)}
      limit ${integer(MAX_IDS_RETURNED)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Serializes the adds of an organization that must see each other's records, until their transactions end. */
export async function lockAdds(scope: InTransaction<OrganizationScope>): Promise<void> {
  await scope.run(sql`select pg_advisory_xact_lock(hashtextextended(${text(`activities ${scope.key}`)}, 0))`);
}

/** Replaces locked records. Returns to which documents they belong. */
export async function replaceActivityRecords(
  scope: OrganizationScope,
  records: { id: string; record: string }[],
): Promise<RecordInDocument[]> {
  return scope.run(
    sql<RecordInDocument>`update activities set record = merged.record::json, record_bytes = octet_length(merged.record)
      from unnest(${texts(records.map(({ id }) => id))}, ${texts(records.map(({ record }) => record))})
        as merged (id, record)
      where activities.organization_key = ${uuid(scope.key)} and activities.id = merged.id
      returning activities.id, activities.document_id as "documentId"`,
  );
}

/** Deletes the matching activities. Returns the ids of the first 50,000. */
export function deleteMatchingActivities(
  scope: InTransaction<AccessOrganization>,
  filters: Filters,
  onDeleted?: (activities: readonly RecordInDocument[]) => Promise<void>,
): Promise<Set<string>> {
  return deleteRecords(scope, {
    table: "activities",
    condition: matchesFilters(scope, filters),
    onDeleted,
  });
}

/** Reads one page of the activities of a user, oldest first. */
export const selectActivityExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from activities where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  ...FEED_ORDER,
  serialized: SERIALIZED,
});
