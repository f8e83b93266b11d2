import type { OrganizationKey } from "../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import {
  bigint,
  EMPTY,
  identifier,
  identifiers,
  inferred,
  integer,
  join,
  type Sql,
  sql,
  text,
  texts,
  unprepared,
  uuid,
} from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";
import { buildKey, buildPurgeOfLockedRows, existedAt, isAmong, PURGE_CHUNK_ROWS, purging } from "./purge-queries.ts";
import type {
  DeletedUsers,
  MentioningRecords,
  ReceiptLine,
  UserDataKind,
  UserDeletion,
  UserRows,
} from "./user-data-kind.ts";

// Statements that read many rows are planned on each call: it may be the first large purge after many small ones.

const SCANNED_ROWS = 500;
const SCANNED_BYTES = 8 * 1024 * 1024;
/** Number of records of each kind in a page of an export. */
const EXPORT_PAGE_SIZE = 100;

/** Position in a purge: the user's place in the list, then the time of a row. */
export type RowPosition = readonly [place: number, writtenAt: number];

/**
 * Selects the next rows of the users from a position on, by user and time. "with ties" includes all rows with the time
 * of the last one.
 */
function rowsFrom(
  { key }: StoredOrganization,
  rows: UserRows,
  { userIds, accepted }: DeletedUsers,
  [place, writtenAt]: RowPosition,
  selected: Sql,
  end: "only" | "with ties",
): Sql {
  const { condition = sql`true` } = rows;
  const [table, time] = [identifier(rows.table), identifier(rows.writtenAt)];
  const limit = sql`fetch first (${integer(PURGE_CHUNK_ROWS)}) rows ${end === "only" ? sql`only` : sql`with ties`}`;
  return sql`select place, found.* from unnest(${texts(userIds)}) with ordinality as input (given_id, place)
    cross join lateral (
      select ${selected}, ${time} as row_written_at from ${table}
      where organization_key = ${uuid(key)} and user_id = given_id and ${condition}
        and ${existedAt(rows, accepted)}
        and ${time} >= case when place = ${bigint(place)} then ${bigint(writtenAt)} else 0 end
      order by ${time} ${limit}
    ) as found
    where place >= ${bigint(place)} ${end === "only" ? EMPTY : sql`order by place, row_written_at`} ${limit}`;
}

const LAST_PLACE = sql`(select max(place) from candidate)`;
const LAST_WRITTEN_AT = sql`max(row_written_at) filter (where place = ${LAST_PLACE})`;

interface PurgedRows {
  found: number;
  purged: number;
  last: RowPosition;
}

/** Purges the next rows of the users and counts them. Skips rows that are locked or have just changed. */
export async function purgeUserRows(
  scope: StoredOrganization,
  rows: UserRows,
  deletion: DeletedUsers & Pick<UserDeletion, "receipt">,
  position: RowPosition,
): Promise<PurgedRows & { isLast: boolean }> {
  const table = identifier(rows.table);
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<Omit<PurgedRows, "last"> & { place: number; at: number }>`with candidate as materialized (
        ${rowsFrom(scope, rows, deletion, position, sql`ctid as row_id`, "only")}
      ), to_purge as materialized (
        select ctid as row_id from ${table}
        where ${isAmong(sql`candidate`, scope.key, isDistributed)}
          and user_id = any(${texts(deletion.userIds)}) and ${existedAt(rows, deletion.accepted)}
        for update skip locked
      ), purged as (
        ${buildPurgeOfLockedRows(rows.table, scope.key, isDistributed)} returning 1 as one
      )
      select count(*)::int as found, (select count(*)::int from purged) as purged,
        coalesce(${LAST_PLACE}, 0) as place, coalesce(${LAST_WRITTEN_AT}, 0) as at
      from candidate`,
    ),
  );
  const { found = 0, purged = 0, place = 0, at = 0 } = row ?? {};
  if (purged > 0) await addToReceipt(scope, deletion.receipt, { deleted: purged, stripped: 0 });
  return { found, purged, last: [place, at], isLast: found < PURGE_CHUNK_ROWS };
}

/**
 * Returns the next records of the users, but only one for each different beginning of the field `author`, which holds
 * the record's user. Thousands of records of one user usually have one author.
 */
export async function selectAuthors(
  scope: StoredOrganization,
  rows: UserRows,
  author: string,
  users: DeletedUsers,
  position: RowPosition,
): Promise<{ records: string[]; next: RowPosition | undefined }> {
  const field = text(`"${author}":`);
  const start = sql`split_part(substr(record::text, strpos(record::text, ${field})), '}', 1)`;
  const [row] = await scope.run(
    unprepared(
      sql<{ records: string[] | null; found: number; place: number; at: number }>`with candidate as materialized (
        ${rowsFrom(scope, rows, users, position, sql`record`, "with ties")}
      )
      select count(*)::int as found, coalesce(${LAST_PLACE}, 0) as place, coalesce(${LAST_WRITTEN_AT}, 0) as at,
        (select array_agg(text) from (
          select distinct on (start) text
          from (select ${start} as start, record::text as text from candidate) as started
        ) as different) as records
      from candidate`,
    ),
  );
  const { records, found = 0, place = 0, at = 0 } = row ?? {};
  return { records: records ?? [], next: found < PURGE_CHUNK_ROWS ? undefined : [place, at + 1] };
}

/** Returns the function that reads one page of a kind of a user's data, in the order of the keys. */
export function userPages(page: {
  source: (user: { organizationKey: OrganizationKey; userId: string }) => Sql;
  /** Another source, which has none of its rows. */
  otherSource?: (user: { organizationKey: OrganizationKey; userId: string }) => Sql;
  keys: readonly string[];
  keyType: "bigint" | "text";
  serialized?: { expression: Sql; columns: readonly string[] };
}): NonNullable<UserDataKind["selectPage"]> {
  return (scope, userId, after): Promise<PageOfRecords<AccessBlock, string | number>> =>
    selectPageOfRecords(scope, {
      ...page,
      source: page.source({ organizationKey: scope.key, userId }),
      otherSource: page.otherSource?.({ organizationKey: scope.key, userId }),
      after,
      order: "asc",
      extra: buildAccessBlock(scope.key),
      pageSize: EXPORT_PAGE_SIZE,
    });
}

/**
 * Returns the condition that a JSON text holds one of the patterns of `Mentions`. Addresses match in any case. Measured
 * at 3.5 us for a record of 600 bytes and three patterns, 3.1 if case counts; `ilike` converts the whole text by the
 * database's locale for each pattern.
 */
export function mayMention(json: Sql, patterns: readonly string[]): Sql {
  return sql`lower(${json} collate "C") like any(${texts(patterns)})`;
}

interface ScannedRecord {
  key: string[];
  /** Null if the record cannot mention anybody. */
  text: string | null;
}

/**
 * Returns the next records in key order that may mention somebody and, if there is more, the key of the last record
 * scanned. Locks nothing.
 */
export async function scanRecords(
  scope: StoredOrganization,
  records: MentioningRecords,
  { accepted, mentions }: UserDeletion,
  after: readonly string[] | undefined,
): Promise<{ records: ScannedRecord[]; next: string[] | undefined }> {
  const key = identifiers(records.key);
  const afterCursor = after ? sql`and (${key}) > (${join(after.map(inferred), ", ")})` : EMPTY;
  const mayMentionUsers = sql`(existed and ${mayMention(sql`text`, mentions.patterns)})`;
  const rows = await scope.run(
    unprepared(
      sql<ScannedRecord & { isLast: boolean }>`with scanned as (
        select *, number = ${integer(SCANNED_ROWS)} or bytes >= ${integer(SCANNED_BYTES)} as is_last
        from (
          select key, text, existed, row_number() over place as number,
            sum(octet_length(text)) over place as bytes,
            sum(octet_length(text)) over place - octet_length(text) as bytes_before
          from (
            select ${buildKey(records.key)} as key, coalesce(record::text, '') as text,
              ${existedAt(records, accepted)} as existed
            from ${identifier(records.table)} where organization_key = ${uuid(scope.key)} ${afterCursor}
            order by ${key} limit ${integer(SCANNED_ROWS)}
          ) as record
          window place as (order by key rows unbounded preceding)
        ) as numbered
        where bytes_before < ${integer(SCANNED_BYTES)}
      )
      select key, case when ${mayMentionUsers} then text end as text, is_last as "isLast"
      from scanned where is_last or ${mayMentionUsers}`,
    ),
  );
  return { records: rows.filter(({ text }) => text), next: rows.find(({ isLast }) => isLast)?.key };
}

/** Returns the scanned records as they are now. Locks rows in key order, as every writer does. */
export async function lockScanned(
  scope: InTransaction<StoredOrganization>,
  records: MentioningRecords,
  { accepted }: UserDeletion,
  keys: string[][],
): Promise<{ key: string[]; text: string }[]> {
  const key = identifiers(records.key);
  return scope.run(
    unprepared(
      sql<{ key: string[]; text: string }>`select ${buildKey(records.key)} as key, record::text as text
        from ${identifier(records.table)} where organization_key = ${uuid(scope.key)}
          and ${existedAt(records, accepted)} and record is not null
          and (${key}) in (select ${key} from ${unnested(records.key, keys)})
        order by ${key} for update`,
    ),
  );
}

/** Replaces locked records by their new JSON texts; `repeated` holds the new values of the other columns. */
export async function replaceScanned(
  scope: StoredOrganization,
  records: MentioningRecords,
  { receipt }: UserDeletion,
  changed: { key: string[]; record: string; repeated: (string | null)[] }[],
): Promise<void> {
  const { key, hasBytes, repeated = {}, computed = {} } = records;
  const table = identifier(records.table);
  const given = ["record", ...Object.keys(repeated), ...Object.keys(computed)];
  const getType = (column: string) => (column === "record" ? sql`::json` : column in computed ? sql`::jsonb` : EMPTY);
  const changes = given.map((column) => sql`${identifier(column)} = input.${identifier(column)}${getType(column)}`);
  if (hasBytes) changes.push(sql`record_bytes = octet_length(input.record)`);
  const isSame = key.map((column) => sql`${table}.${identifier(column)} = input.${identifier(column)}`);
  const rows = changed.map((record) => [...record.key, record.record, ...record.repeated]);
  await scope.run(
    unprepared(
      sql`update ${table} set ${join(changes, ", ")} from ${unnested([...key, ...given], rows)}
        where ${table}.organization_key = ${uuid(scope.key)} and ${join(isSame, " and ")}`,
    ),
  );
  await addToReceipt(scope, receipt, { deleted: 0, stripped: changed.length });
}

/** Returns rows of texts as a table of these columns. */
function unnested(columns: readonly string[], rows: (string | null)[][]): Sql {
  const lists = columns.map((_, index) => texts(rows.map((row) => row[index] ?? null)));
  return sql`unnest(${join(lists, ", ")}) as input (${identifiers(columns)})`;
}

/** Adds to the counts of a receipt's line. */
export async function addToReceipt(
  transaction: Queryable,
  { deletionId, organizationId, kind }: ReceiptLine,
  { deleted, stripped }: { deleted: number; stripped: number },
): Promise<void> {
  if (deleted + stripped === 0) return;
  await transaction.run(
    sql`insert into user_data_receipts (deletion_id, organization_id, kind, deleted, stripped)
      values (${uuid(deletionId)}, ${text(organizationId)}, ${text(kind)}, ${bigint(deleted)}, ${bigint(stripped)})
      on conflict (deletion_id, organization_id, kind) do update set
        deleted = user_data_receipts.deleted + excluded.deleted,
        stripped = user_data_receipts.stripped + excluded.stripped`,
  );
}
