import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { deleteRecords, MAX_IDS_ANSWERED, type RecordInDocument } from "../../database/records.ts";
import { integer, type Parameter, sql, text, texts, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { userPages } from "../erasure/users/queries.ts";
import { type AccessBlock, accessBlock } from "../tenancy/queries.ts";
import { type Filters, matchesFilters, matchingRows } from "./filters/queries.ts";

/**
 * The JSON text of an activity as it is answered: the timestamp, then the record as sent. right() drops the brace; it
 * takes a fifth of the time of substr(), which counts all characters (measured on 600 bytes).
 */
const ANSWERED = {
  expression: sql`'{"timestamp":' || created_at || ',' || right(record::text, -1)`,
  columns: [],
};

/** Reads one page of the matching activities. */
export function selectActivityPage(
  database: Queryable,
  organizationKey: string,
  filters: Filters,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  return selectPageOfRecords(database, {
    ...matchingRows(organizationKey, filters),
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    extra: accessBlock(organizationKey, filters.documentId),
    answered: ANSWERED,
    ...page,
  });
}

/**
 * Reads the newest activities of all enabled documents of a workspace, newest first. Only the organizations whose
 * newest activity is among the newest of all can hold one of them, so this reads one index entry of each organization,
 * then a page of each of those few (measured: 10 ms for 100 of 1,000 organizations with 200,000 activities).
 */
export async function selectNewestOfWorkspace(
  database: Queryable,
  workspaceId: string,
  count: number,
): Promise<string> {
  const newestOf = (limit: Parameter) =>
    sql`select organizations.organization_key, newest.created_at, newest.sequence
      from organizations cross join lateral (
        select activities.created_at, activities.sequence from activities
        where activities.organization_key = organizations.organization_key and not exists (
          select 1 from documents where documents.organization_key = organizations.organization_key
            and documents.document_id = activities.document_id and documents.disabled
        )
        order by activities.created_at desc, activities.sequence desc limit ${limit}
      ) as newest`;
  const inOrder = sql`order by newest.created_at desc, newest.sequence desc limit ${integer(count)}`;
  // A statement of its own: Citus joins nothing laterally with organizations of which it has the first few.
  const organizations = await database.run(
    sql<{ organization_key: string }>`${newestOf(integer(1))}
      where workspace_id = ${uuid(workspaceId)} and not disabled and deleted_at is null ${inOrder}`,
  );
  const keys = uuids(organizations.map(({ organization_key: key }) => key));
  const { records } = await selectPageOfRecords<null, number>(database, {
    source: sql`from (
      ${newestOf(integer(count))} where organizations.organization_key = any(${keys}) ${inOrder}
    ) as found join activities using (organization_key, created_at, sequence) where true`,
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    order: "desc",
    after: undefined,
    pageSize: count,
    extra: sql`null`,
    answered: ANSWERED,
  });
  return records;
}

/** Returns the ids of the matching activities, 50,000 at most. */
export async function selectMatchingIds(
  database: Queryable,
  organizationKey: string,
  filters: Filters,
): Promise<Set<string>> {
  const rows = await database.run(
    sql<{ id: string }>`select id from activities where ${matchesFilters(organizationKey, filters)}
      limit ${integer(MAX_IDS_ANSWERED)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Serializes the adds of an organization that must see each other's records, until their transactions end. */
export async function lockAdds(transaction: Queryable, organizationKey: string): Promise<void> {
  await transaction.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${text(`activities ${organizationKey}`)}, 0))`,
  );
}

/** Replaces locked records. Returns to which documents they belong. */
export async function replaceActivityRecords(
  transaction: Queryable,
  organizationKey: string,
  records: { id: string; record: string }[],
): Promise<RecordInDocument[]> {
  return transaction.run(
    sql<RecordInDocument>`update activities set record = merged.record::json, record_bytes = octet_length(merged.record)
      from unnest(${texts(records.map(({ id }) => id))}, ${texts(records.map(({ record }) => record))})
        as merged (id, record)
      where activities.organization_key = ${uuid(organizationKey)} and activities.id = merged.id
      returning activities.id, activities.document_id as "documentId"`,
  );
}

/** Deletes the matching activities. Returns the ids of the first 50,000. */
export function deleteMatchingActivities(
  transaction: Queryable,
  organizationKey: string,
  filters: Filters,
  onDeleted?: (activities: readonly RecordInDocument[]) => Promise<void>,
): Promise<Set<string>> {
  return deleteRecords(transaction, {
    table: "activities",
    organizationKey,
    condition: matchesFilters(organizationKey, filters),
    onDeleted,
  });
}

/** Reads one page of the activities of a user, oldest first. */
export const selectActivityExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from activities where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  keys: ["created_at", "sequence"],
  keyType: "bigint",
  answered: ANSWERED,
});
