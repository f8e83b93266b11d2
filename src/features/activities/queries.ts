import { plainArray, textArray } from "../../database/array-parameter.ts";
import type { BatchedStatement } from "../../database/batch.ts";
import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { deleteRecords, MAX_IDS_ANSWERED } from "../../database/records.ts";
import type { SelectValue } from "../../database/shared-select.ts";
import { awaitsDocumentPurge } from "../erasure/queries.ts";
import { awaitsUserPurge, userPages } from "../erasure/users/queries.ts";
import {
  ACCESS_BLOCK,
  type AccessBlock,
  type DocumentRef,
  documentParameters,
  ensureDocuments,
} from "../tenancy/queries.ts";

export interface ActivityRow {
  id: string;
  /** The id was made for this row, so no other call can write it. */
  isNew: boolean;
  targetEntityId: string | null;
  userId: string;
  featureType: string;
  actionType: string;
  /** The JSON text that will be sent, but for the timestamp; its first field is `id`. */
  record: string;
}

export interface AddCall extends DocumentRef {
  documentId: string;
  rows: ActivityRow[];
}

/** Of `"timestamp":1795233659333,` in front of a record's other fields. */
const TIMESTAMP_BYTES = 26;

/**
 * Writes the rows of many calls with one statement, each call whole or, where an access block stands, not at all; an
 * existing id keeps its timestamp and place. Organizations and documents come to exist with their first record.
 * Rows are written in the order of their keys, so that two statements never wait for each other in a circle.
 */
export const addActivityRows: BatchedStatement<AddCall, { block: AccessBlock | null }> = {
  byteSize: ({ rows }) => rows.reduce((bytes, { record }) => bytes + record.length, 0),
  *conflictKeys({ organizationKey, rows }) {
    for (const { id, isNew } of rows) if (!isNew) yield `${organizationKey}${id}`;
  },
  async run(database, calls) {
    const { rows } = await database.query<{ call: number; block: AccessBlock }>(
      `with ${ensureDocuments()}, written as (
         insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type,
           action_type, created_at, sequence, record, record_bytes)
         select organization_key, document_id, id, target_entity_id, user_id, feature_type, action_type, now_ms,
           sequence, ${withTimestamp("now_ms", "record")}::json, octet_length(record) + ${TIMESTAMP_BYTES}
         from (
           select call.organization_key, call.document_id, activity.*, nextval('activity_sequence') as sequence,
             ${NOW_MS} as now_ms
           from unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
             with ordinality as activity (call, id, target_entity_id, user_id, feature_type, action_type, record, place)
           join call on call.number = activity.call and call.block is null
           order by place
         ) as in_order
         order by organization_key, id
         on conflict (organization_key, id) do update set
           document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
           user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
           created_at = ${keptUnlessPurged("created_at")}, sequence = ${keptUnlessPurged("sequence")},
           record = ${withTimestamp(keptUnlessPurged("created_at"), withoutTimestamp("excluded.record::text"))}::json,
           record_bytes = excluded.record_bytes
       )
       select number::int as call, block from call where block is not null`,
      addParameters(calls),
    );
    const blocks = new Map(rows.map(({ call, block }) => [call, block]));
    return calls.map((_, index) => ({ block: blocks.get(index + 1) ?? null }));
  },
};

/** Of a record that is overwritten. */
function keptUnlessPurged(column: string): string {
  const isNew = `${awaitsDocumentPurge("activities")} or ${awaitsUserPurge("activities")}`;
  return `(case when ${isNew} then excluded.${column} else activities.${column} end)`;
}

/** Puts the timestamp in front of the other fields of a record's text. */
function withTimestamp(timestamp: string, record: string): string {
  return `('{"timestamp":' || ${timestamp} || ',' || substr(${record}, 2))`;
}

/** The other way around: the timestamp is a number, so the first `,` stands behind it. */
function withoutTimestamp(record: string): string {
  return `'{' || substr(${record}, position(',' in ${record}) + 1)`;
}

function addParameters(calls: AddCall[]): unknown[] {
  const rows = calls.flatMap((call) => call.rows);
  return [
    ...documentParameters(calls),
    plainArray(calls.flatMap((call, index) => call.rows.map(() => index + 1))),
    textArray(rows.map(({ id }) => id)),
    textArray(rows.map(({ targetEntityId }) => targetEntityId)),
    textArray(rows.map(({ userId }) => userId)),
    textArray(rows.map(({ featureType }) => featureType)),
    textArray(rows.map(({ actionType }) => actionType)),
    textArray(rows.map(({ record }) => record)),
  ];
}

interface Filters {
  documentId?: string | undefined;
  targetEntityId?: string | undefined;
  userId?: string | undefined;
  featureTypes?: string[] | undefined;
  actionTypes?: string[] | undefined;
  activityIds?: string[] | undefined;
}

/** One page of what matches; `next` is the place of its last record when there is more. */
export async function selectPage(
  database: Queryable,
  organizationKey: string,
  filters: Filters,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  const { conditions, values } = conditionsOf(organizationKey, filters);
  return selectPageOfRecords(database, {
    source: `from activities where ${conditions.join(" and ")}`,
    keys: ["created_at", "sequence"],
    values,
    extra: ACCESS_BLOCK,
    ...page,
  });
}

/**
 * The newest of all open organizations of a workspace, newest first. Only the organizations whose newest activity is
 * among the newest of all can hold one of them, so it reads one index entry of each organization, and then a page of
 * each of those few (measured: 10 ms for 100 of 1,000 organizations with 200,000 activities).
 */
export async function selectNewest(database: Queryable, workspaceId: string, count: number): Promise<string> {
  const newestOf = (organization: string, limit: string) =>
    `(select activities.created_at, activities.sequence from activities
       where activities.organization_key = ${organization}.organization_key
       order by activities.created_at desc, activities.sequence desc limit ${limit}) as newest`;
  const inOrder = "order by newest.created_at desc, newest.sequence desc limit $2::int";
  const { records } = await selectPageOfRecords<null, number>(database, {
    source: `from (
      with organization as (
        select organization_key from organizations cross join lateral ${newestOf("organizations", "1")}
        where workspace_id = $1 and not disabled and deleted_at is null ${inOrder}
      )
      select organization_key, newest.created_at, newest.sequence
      from organization cross join lateral ${newestOf("organization", "$2::int")} ${inOrder}
    ) as found join activities using (organization_key, created_at, sequence) where true`,
    keys: ["created_at", "sequence"],
    order: "desc",
    values: [workspaceId, count],
    after: undefined,
    pageSize: count,
    extra: "null",
  });
  return records;
}

/** A list of one is an equality, which lets PostgreSQL read the feed of that value in order. */
function conditionsOf(organizationKey: string, filters: Filters): { conditions: string[]; values: SelectValue[] } {
  const columns: [string, string | string[] | undefined][] = [
    ["organization_key", organizationKey],
    ["document_id", filters.documentId],
    ["target_entity_id", filters.targetEntityId],
    ["user_id", filters.userId],
    ["feature_type", filters.featureTypes],
    ["action_type", filters.actionTypes],
    ["id", filters.activityIds],
  ];
  const conditions: string[] = [];
  const values: SelectValue[] = [];
  for (const [column, value] of columns) {
    if (value === undefined) continue;
    const [only = value] = Array.isArray(value) && value.length === 1 ? value : [];
    values.push(only);
    conditions.push(`${column} = ${Array.isArray(only) ? `any($${values.length})` : `$${values.length}`}`);
  }
  return { conditions, values };
}

/** The ids of what matches, 50,000 at most. */
export async function selectIds(database: Queryable, organizationKey: string, filters: Filters): Promise<Set<string>> {
  const { conditions, values } = conditionsOf(organizationKey, filters);
  const { rows } = await database.query<{ id: string }>(
    `select id from activities where ${conditions.join(" and ")} limit ${MAX_IDS_ANSWERED}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Calls that must see each other's records take turns, for each organization, until the ends of their transactions. */
export async function lockAdds(transaction: Queryable, organizationKey: string): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`activities ${organizationKey}`]);
}

export async function replaceRecords(
  transaction: Queryable,
  organizationKey: string,
  records: { id: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `update activities set record = merged.record, record_bytes = octet_length(merged.record::text)
     from unnest($2::text[], $3::json[]) as merged (id, record)
     where activities.organization_key = $1 and activities.id = merged.id`,
    [organizationKey, records.map(({ id }) => id), records.map(({ record }) => record)],
  );
}

/** Deletes all that match; returns the ids of the first 50,000. */
export function deleteRows(
  transaction: Queryable,
  organizationKey: string,
  filters: { ids?: string[] | undefined; documentId?: string | undefined; targetEntityId?: string | undefined },
): Promise<Set<string>> {
  const { conditions, values } = conditionsOf(organizationKey, { ...filters, activityIds: filters.ids });
  return deleteRecords(transaction, { table: "activities", condition: conditions.join(" and "), values });
}

/** What the user has written, oldest first. */
export const selectUserPage = userPages({
  source: `from activities where organization_key = $1 and user_id = $2`,
  keys: ["created_at", "sequence"],
});
