import type { Queryable } from "../../../database/database.ts";
import { selectPageOfRecords } from "../../../database/page.ts";
import { ACCESS_BLOCK } from "../../tenancy/queries.ts";
import { purgeLockedRows } from "../queries.ts";
import type { PurgeScope, ReceiptLine, UserDataKind, UsersScope } from "../user-data-kind.ts";

// What reads much is planned anew each time: it may be the first large deletion after many small ones.

/** Rows a statement: a few dozen milliseconds, and the locks are gone. */
const CHUNK_ROWS = 2_000;
const SCANNED_ROWS = 500;
const SCANNED_BYTES = 8 * 1024 * 1024;
/** Records of each kind in a page of an export. */
const EXPORT_PAGE_SIZE = 100;

/** Rows that belong to users, found by an index on the organization and the user. */
export interface UserRows {
  table: string;
  /** When a row was written, in milliseconds since the epoch. */
  writtenAt: string;
  /** What else is true of the rows. */
  condition?: string;
}

/** The users' place in the list, then the time of a row. */
export type RowPosition = readonly [place: number, writtenAt: number];

/**
 * For $1 to $5: organization, users, acceptance and where to go on. Oldest first, one user after the other. With ties
 * it ends where a time or a user does.
 */
function rowsBehind(
  { table, writtenAt, condition = "true" }: UserRows,
  selected: string,
  end: "only" | "with ties",
): string {
  const limit = `fetch first ${CHUNK_ROWS} rows ${end}`;
  return `select place, found.* from unnest($2::text[]) with ordinality as person (person_id, place)
    cross join lateral (
      select ${selected}, ${writtenAt} as row_written_at from ${table}
      where organization_key = $1 and user_id = person_id and ${condition} and ${writtenAt} <= $3
        and ${writtenAt} >= case when place = $4 then $5::bigint else 0 end
      order by ${writtenAt} ${limit}
    ) as found
    where place >= $4 ${end === "only" ? "" : "order by place, row_written_at"} ${limit}`;
}

const LAST_PLACE = "(select max(place) from candidate)";
const LAST_WRITTEN_AT = `max(row_written_at) filter (where place = ${LAST_PLACE})`;

interface PurgedRows {
  found: number;
  erased: number;
  last: RowPosition;
}

/** Deletes the next rows of the users; those that somebody has locked, or has changed just now, are passed over. */
export async function purgeUserRows(
  database: Queryable,
  rows: UserRows,
  scope: PurgeScope,
  [place, writtenAt]: RowPosition,
): Promise<PurgedRows & { isLast: boolean }> {
  const { table } = rows;
  const { rows: results } = await database.unprepared<Omit<PurgedRows, "last"> & { place: number; at: number }>(
    `with candidate as materialized (${rowsBehind(rows, "ctid as row_id", "only")}),
     victim as materialized (
       select ctid as row_id from ${table}
       where ctid = any(array(select row_id from candidate))
         and organization_key = $1 and user_id = any($2) and ${rows.writtenAt} <= $3
       for update skip locked
     ), erased as (${purgeLockedRows(table)} returning ctid
     ), counted as (${receiptOf("select count(*) as deleted, 0 as stripped from erased", 6)})
     select count(*)::int as found, (select count(*)::int from erased) as erased,
       coalesce(${LAST_PLACE}, 0) as place, coalesce(${LAST_WRITTEN_AT}, 0) as at
     from candidate`,
    [...usersOf(scope), place, writtenAt, ...lineOf(scope.receipt)],
  );
  const { found = 0, erased = 0, place: lastPlace = 0, at = 0 } = results[0] ?? {};
  return { found, erased, last: [lastPlace, at], isLast: found < CHUNK_ROWS };
}

/**
 * Records among the users' next ones, one for each different beginning of the field `author`, which names its user:
 * thousands of records by one person are a few to look at.
 */
export async function selectAuthors(
  database: Queryable,
  rows: UserRows,
  author: string,
  scope: UsersScope,
  [place, writtenAt]: RowPosition,
): Promise<{ records: string[]; next: RowPosition | undefined }> {
  const beginning = `split_part(substr(record::text, strpos(record::text, '"${author}":')), '}', 1)`;
  const { rows: results } = await database.unprepared<{
    records: string[] | null;
    found: number;
    place: number;
    at: number;
  }>(
    `with candidate as materialized (${rowsBehind(rows, "record", "with ties")})
     select count(*)::int as found, coalesce(${LAST_PLACE}, 0) as place, coalesce(${LAST_WRITTEN_AT}, 0) as at,
       (select array_agg(text) from (
         select distinct on (${beginning}) record::text as text from candidate
       ) as different) as records
     from candidate`,
    [...usersOf(scope), place, writtenAt],
  );
  const { records, found = 0, place: lastPlace = 0, at = 0 } = results[0] ?? {};
  return { records: records ?? [], next: found < CHUNK_ROWS ? undefined : [lastPlace, at + 1] };
}

/** Records that may mention users. */
export interface MentioningRecords {
  table: string;
  /** The rest of the primary key; of organizations, their id. */
  key: readonly string[];
  /** Where the table has it, when a record was written. */
  writtenAt?: string;
  hasBytes: boolean;
  /** The text of a JSON object, where users are named not only in the record. */
  text?: string;
  /** Columns that repeat a field of the record, by column. */
  repeated?: { [column: string]: string };
}

/** One kind of a user's data: what `source` selects of the user $2 in the organization $1, in the order of the keys. */
export function userPages(page: {
  source: string;
  keys: string[];
  text?: { expression: string; columns: string[] };
}): NonNullable<UserDataKind["selectPage"]> {
  return (database, { organizationKey, userId }, after) =>
    selectPageOfRecords(database, {
      ...page,
      values: [organizationKey, userId],
      after,
      order: "asc",
      extra: ACCESS_BLOCK,
      pageSize: EXPORT_PAGE_SIZE,
    });
}

/**
 * Whether a JSON text holds one of the patterns of `Mentions`, which are in a parameter. Addresses are the same in any
 * case. Measured at 3.5 us for a record of 600 bytes and three patterns, 3.1 where case counts; `ilike` lets each
 * database's locale change the whole text for each pattern.
 */
export function mayMention(text: string, parameter: number): string {
  return `lower(${text} collate "C") like any($${parameter})`;
}

interface ScannedRecord {
  key: string[];
  /** Null where it cannot mention anybody. */
  text: string | null;
}

/**
 * The next records in the order of the key that may mention somebody, and the last one that was looked at, when there
 * is more. Locks nothing.
 */
export async function scanRecords(
  database: Queryable,
  { table, key, writtenAt = "0::bigint" }: MentioningRecords,
  { organizationKey, acceptedAt, mentions }: PurgeScope,
  after: readonly string[] | undefined,
): Promise<{ records: ScannedRecord[]; next: string[] | undefined }> {
  const behind = after ? `and (${key.join(", ")}) > (${key.map((_, index) => `$${index + 4}`).join(", ")})` : "";
  const { rows } = await database.unprepared<ScannedRecord & { isLast: boolean }>(
    `with looked_at as (
       select *, number = ${SCANNED_ROWS} or bytes >= ${SCANNED_BYTES} as is_last
       from (
         select key, text, written_at, row_number() over place as number,
           sum(octet_length(text)) over place as bytes,
           sum(octet_length(text)) over place - octet_length(text) as bytes_before
         from (
           select array[${key.map((column) => `${column}::text`).join(", ")}] as key,
             coalesce(record::text, '') as text, ${writtenAt} as written_at
           from ${table} where organization_key = $1 ${behind}
           order by ${key.join(", ")} limit ${SCANNED_ROWS}
         ) as record
         window place as (order by key rows unbounded preceding)
       ) as numbered
       where bytes_before < ${SCANNED_BYTES}
     )
     select key, case when written_at <= $2 and ${mayMention("text", 3)} then text end as text, is_last as "isLast"
     from looked_at where is_last or (written_at <= $2 and ${mayMention("text", 3)})`,
    [organizationKey, acceptedAt, mentions.patterns, ...(after ?? [])],
  );
  return { records: rows.filter(({ text }) => text), next: rows.find(({ isLast }) => isLast)?.key };
}

/** Locks records in the order of their keys, as all who change several do. */
export async function lockScanned(
  transaction: Queryable,
  { table, key, writtenAt = "0::bigint" }: MentioningRecords,
  { organizationKey, acceptedAt }: PurgeScope,
  keys: string[][],
): Promise<{ key: string[]; text: string }[]> {
  const { rows } = await transaction.unprepared<{ key: string[]; text: string }>(
    `select array[${key.map((column) => `${column}::text`).join(", ")}] as key, record::text as text
     from ${table} where organization_key = $1 and ${writtenAt} <= $2 and record is not null
       and (${key.join(", ")}) in (select ${key.join(", ")} from ${unnested(key, 3)})
     order by ${key.join(", ")} for update`,
    [organizationKey, acceptedAt, ...columnsOf(key, keys)],
  );
  return rows;
}

/** Of locked records. `record` is their new JSON text, `repeated` what the table's repeated columns become. */
export async function replaceScanned(
  transaction: Queryable,
  { table, key, hasBytes, repeated = {} }: MentioningRecords,
  { organizationKey, receipt }: PurgeScope,
  records: { key: string[]; record: string; repeated: (string | null)[] }[],
): Promise<void> {
  const given = ["record", ...Object.keys(repeated)];
  const all = [...key, ...given];
  const changes = given.map((column) => `${column} = given.${column}${column === "record" ? "::json" : ""}`);
  if (hasBytes) changes.push("record_bytes = octet_length(given.record)");
  const same = key.map((column) => `${table}.${column} = given.${column}`).join(" and ");
  const rows = records.map((record) => [...record.key, record.record, ...record.repeated]);
  await transaction.unprepared(
    `with stripped as (
       update ${table} set ${changes.join(", ")} from ${unnested(all, 2)}
       where ${table}.organization_key = $1 and ${same}
     ) ${receiptOf(`select 0 as deleted, ${records.length} as stripped`, 2 + all.length)}`,
    [organizationKey, ...columnsOf(all, rows), ...lineOf(receipt)],
  );
}

function unnested(columns: readonly string[], first: number): string {
  const parameters = columns.map((_, index) => `$${first + index}::text[]`);
  return `unnest(${parameters.join(", ")}) as given (${columns.join(", ")})`;
}

function columnsOf(columns: readonly string[], rows: (string | null)[][]): (string | null | undefined)[][] {
  return columns.map((_, index) => rows.map((row) => row[index]));
}

/** A statement that adds the counts of `counts` to the line in the three parameters from `first` on. */
function receiptOf(counts: string, first: number): string {
  return `insert into user_data_receipts (deletion_id, organization_id, kind, deleted, stripped)
    select $${first}::uuid, $${first + 1}::text, $${first + 2}::text, deleted, stripped from (${counts}) as counts
    where deleted + stripped > 0
    on conflict (deletion_id, organization_id, kind) do update set
      deleted = user_data_receipts.deleted + excluded.deleted,
      stripped = user_data_receipts.stripped + excluded.stripped`;
}

export async function addToReceipt(
  transaction: Queryable,
  receipt: ReceiptLine,
  { deleted, stripped }: { deleted: number; stripped: number },
): Promise<void> {
  const counts = receiptOf("select $4::bigint as deleted, $5::bigint as stripped", 1);
  await transaction.query(counts, [...lineOf(receipt), deleted, stripped]);
}

function lineOf({ deletionId, organizationId, kind }: ReceiptLine): string[] {
  return [deletionId, organizationId, kind];
}

function usersOf({ organizationKey, userIds, acceptedAt }: UsersScope): unknown[] {
  return [organizationKey, userIds, acceptedAt];
}

/**
 * For `on conflict do update`: whether the row in the way is to be deleted with its user. What overwrites it is a new
 * record, which the job must not take for the old one.
 */
export function awaitsUserPurge(table: string, writtenAt = "created_at"): string {
  return `exists (
    select from user_data_deletions deletion join organizations using (workspace_id)
    where organizations.organization_key = ${table}.organization_key and deletion.stage <> 'done'
      and ${table}.user_id = any(deletion.user_ids) and ${table}.${writtenAt} <= deletion.accepted_at
      and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids)))`;
}
