import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { OWNED_TABLES, type OwnedTable } from "./owned-tables.ts";

// What reads much is planned anew each time: it may be the first large deletion after many small ones.

/** Rows a statement: a few dozen milliseconds, and the locks are gone. */
const CHUNK_ROWS = 2_000;

export interface MarkedOrganization {
  organizationKey: string;
  /** As markDeleted returned it: once the id is in use again, nothing more is erased. */
  deletedAt: string;
}

export interface DocumentErasure {
  organizationKey: string;
  documentId: string;
  /** Milliseconds since the epoch. */
  erasedAt: number;
}

const IS_MARKED = `exists (select from organizations
  where organization_key = $1 and extract(epoch from deleted_at) = $2::numeric)`;

/**
 * Deletes the next rows of a marked organization, in the order of the key, behind `after`: starting over would read
 * again what was deleted, as long as any transaction can still see it. Rows that somebody has locked are passed over.
 * Returns the key of the last row, or undefined when the end is reached.
 */
export async function eraseOrganizationRows(
  database: Queryable,
  { name, key }: OwnedTable,
  { organizationKey, deletedAt }: MarkedOrganization,
  after: string[] | undefined,
): Promise<string[] | undefined> {
  const behind = after ? `and (${key.join(", ")}) > (${key.map((_, index) => `$${index + 3}`).join(", ")})` : "";
  const { rows } = await database.unprepared<{ last: string[] }>(
    `with victim as materialized (
       select ${key.join(", ")}, ctid as row_id from ${name}
       where organization_key = $1 and ${IS_MARKED} ${behind}
       order by ${key.join(", ")} limit ${CHUNK_ROWS} for update skip locked
     ), erased as (${deleteVictims(name)})
     select array[${key.map((column) => `${column}::text`).join(", ")}] as last from victim
     order by ${key.map((column) => `${column} desc`).join(", ")} limit 1`,
    [organizationKey, deletedAt, ...(after ?? [])],
  );
  return rows[0]?.last;
}

/** Deletes the row of a marked organization that owns nothing any more. Returns whether the mark is gone. */
export async function deleteEmptyOrganization(
  database: Queryable,
  { organizationKey, deletedAt }: MarkedOrganization,
): Promise<boolean> {
  const isEmpty = OWNED_TABLES.map(({ name, key }) => `not ${hasRows(name, "organization_key = $1", key)}`);
  const { rows } = await database.unprepared<{ isGone: boolean }>(
    `with deleted as (
       delete from organizations where organization_key = $1 and ${IS_MARKED} and ${isEmpty.join(" and ")}
       returning organization_key
     )
     select exists (select from deleted) or not ${IS_MARKED} as "isGone"`,
    [organizationKey, deletedAt],
  );
  return rows[0]?.isGone === true;
}

/** Notes what is to be erased: all that was written up to now. Returns now, in milliseconds since the epoch. */
export async function insertErasures(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
): Promise<number> {
  const { rows } = await transaction.query<{ erasedAt: number }>(
    `with now as (
       select ${NOW_MS} as ms
     ), noted as (
       insert into document_erasures (organization_key, document_id, erased_at)
       select $1, document_id, now.ms from unnest($2::text[]) as document_id, now
       order by document_id
       on conflict (organization_key, document_id) do update set erased_at = excluded.erased_at
     )
     select ms as "erasedAt" from now`,
    [organizationKey, documentIds],
  );
  return rows[0]?.erasedAt ?? 0;
}

/** Waits, for a millisecond at most, until what is written from now on is newer than the erasure. */
export async function passErasure(transaction: Queryable, erasedAt: number): Promise<void> {
  await transaction.query(
    "select pg_sleep(greatest(0, ($1::float8 + 1) / 1000 - extract(epoch from clock_timestamp())::float8))",
    [erasedAt],
  );
}

/** Some of the erasures that were noted up to `erasedAt`, by document id, behind `after`. */
export async function selectErasures(
  database: Queryable,
  organizationKey: string,
  erasedAt: number,
  after: string,
): Promise<DocumentErasure[]> {
  const { rows } = await database.query<{ documentId: string; erasedAt: number }>(
    `select document_id as "documentId", erased_at as "erasedAt" from document_erasures
     where organization_key = $1 and erased_at <= $2 and document_id > $3 order by document_id limit 100`,
    [organizationKey, erasedAt, after],
  );
  return rows.map((row) => ({ organizationKey, ...row }));
}

/** Said though no document's id is empty: the index of the preferences asks for it. */
const OF_DOCUMENTS = "document_id <> ''";

/** Deletes up to `limit` rows of the documents, any of them. Returns how many. */
export async function eraseSomeRows(
  database: Queryable,
  { name, writtenAt }: DocumentTable,
  { organizationKey, documentIds, erasedAt }: { organizationKey: string; documentIds: string[]; erasedAt: number },
  limit: number,
): Promise<number> {
  const { rows } = await database.unprepared<{ count: number }>(
    `with victim as materialized (
       select ctid as row_id from ${name}
       where organization_key = $1 and document_id = any($2) and ${OF_DOCUMENTS} and ${writtenAt} <= $3
       limit $4 for update skip locked
     ), erased as (${deleteVictims(name)})
     select count(*) as count from victim`,
    [organizationKey, documentIds, erasedAt, limit],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Deletes the next rows of a document, oldest first, none older than `from`. Rows that somebody has locked are passed
 * over. Returns how old the last one was, or undefined when the end is reached.
 */
export async function eraseDocumentRows(
  database: Queryable,
  { name, writtenAt }: DocumentTable,
  { organizationKey, documentId, erasedAt }: DocumentErasure,
  from: number,
): Promise<number | undefined> {
  const { rows } = await database.unprepared<{ last: number | null }>(
    `with victim as materialized (
       select ctid as row_id, ${writtenAt} as written_at from ${name}
       where organization_key = $1 and document_id = $2 and ${OF_DOCUMENTS} and ${writtenAt} between $4 and $3
       order by ${writtenAt} limit ${CHUNK_ROWS} for update skip locked
     ), erased as (${deleteVictims(name)})
     select max(written_at) as last from victim`,
    [organizationKey, documentId, erasedAt, from],
  );
  return rows[0]?.last ?? undefined;
}

/**
 * Forgets an erasure when nothing is left of it, and returns whether it is forgotten. A document that has been written
 * to in the meantime exists.
 */
export async function settleErasure(
  database: Queryable,
  { organizationKey, documentId, erasedAt }: DocumentErasure,
): Promise<boolean> {
  const isInDocument = `organization_key = $1 and document_id = $2 and ${OF_DOCUMENTS}`;
  const order = ({ key, writtenAt }: DocumentTable) => (key[0] === "document_id" ? key : [writtenAt]);
  const isDone = DOCUMENT_TABLES.map((table) => {
    return `not ${hasRows(table.name, `${isInDocument} and ${table.writtenAt} <= $3`, order(table))}`;
  });
  const isUsed = DOCUMENT_TABLES.map((table) => hasRows(table.name, isInDocument, order(table)));
  const { rows } = await database.unprepared<{ isSettled: boolean }>(
    `with found as (
       select document_id from document_erasures
       where organization_key = $1 and document_id = $2 and erased_at = $3
     ), settled as (
       delete from document_erasures where organization_key = $1 and document_id = $2 and erased_at = $3
         and ${isDone.join(" and ")}
       returning document_id
     ), new_document as (
       insert into documents (organization_key, document_id)
       select $1, document_id from settled where ${isUsed.join(" or ")}
       on conflict do nothing
     )
     select exists (select from settled) or not exists (select from found) as "isSettled"`,
    [organizationKey, documentId, erasedAt],
  );
  return rows[0]?.isSettled === true;
}

/**
 * For `on conflict do update`: whether the row in the way has been deleted with its document and only waits for the
 * job. What overwrites it is then a new record, which the job must not take for the old one.
 */
export function isErased(table: string, writtenAt: "created_at" | "written_at" = "created_at"): string {
  return `coalesce(${table}.${writtenAt} <= (
    select erased_at from document_erasures
    where document_erasures.organization_key = ${table}.organization_key
      and document_erasures.document_id = ${table}.document_id), false)`;
}

export interface DocumentTable extends OwnedTable {
  writtenAt: string;
}

export const DOCUMENT_TABLES: readonly DocumentTable[] = OWNED_TABLES.flatMap(({ writtenAt, ...table }) =>
  writtenAt === undefined ? [] : [{ ...table, writtenAt }],
);

/** In the order of an index: where many rows have just been deleted, `exists` would read the whole table. */
function hasRows(table: string, condition: string, order: string[]): string {
  return `((select 1 from ${table} where ${condition} order by ${order.join(", ")} limit 1) is not null)`;
}

/**
 * Deletes the rows whose places are the `row_id` of `victim`, which has locked them. Not by their keys: planned by
 * statistics from before the table grew, such a join was measured to read all of an organization for each row. A row
 * that was changed since the statement began stays, as if it were still locked.
 */
export function deleteVictims(name: string): string {
  return `delete from ${name} where ctid = any(array(select row_id from victim))`;
}

/**
 * The transactions that other connections to this database have begun and not ended. A writer among them may have
 * looked before the deletion and commit after it. (Their transaction ids would not do: one that has not written yet
 * has none.)
 */
export async function selectRunningTransactions(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ virtualtransaction: string }>(
    `select virtualtransaction from pg_locks join pg_stat_activity activity using (pid)
     where locktype = 'virtualxid' and pid <> pg_backend_pid() and datname = current_database()
       and coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  return rows.map(({ virtualtransaction }) => virtualtransaction);
}

export async function areEnded(database: Queryable, transactions: string[]): Promise<boolean> {
  const { rows } = await database.query<{ ended: boolean }>(
    `select not exists (
       select from pg_locks where locktype = 'virtualxid' and virtualtransaction = any($1)
     ) as ended`,
    [transactions],
  );
  return rows[0]?.ended === true;
}
