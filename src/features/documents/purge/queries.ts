import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";
import { CHUNK_ROWS, DOCUMENT_TABLES, type DocumentTable, hasRows, purgeLockedRows } from "../../erasure/queries.ts";

export interface DocumentPurge {
  organizationKey: string;
  documentId: string;
  /** Milliseconds since the epoch. */
  erasedAt: number;
}

/** Notes what is to be erased: all that was written up to now. Returns now, in milliseconds since the epoch. */
export async function insertPurges(
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
export async function waitPastPurge(transaction: Queryable, erasedAt: number): Promise<void> {
  await transaction.query(
    "select pg_sleep(greatest(0, ($1::float8 + 1) / 1000 - extract(epoch from clock_timestamp())::float8))",
    [erasedAt],
  );
}

/** Some of the erasures that were noted up to `erasedAt`, by document id, behind `after`. */
export async function selectPurges(
  database: Queryable,
  organizationKey: string,
  erasedAt: number,
  after: string,
): Promise<DocumentPurge[]> {
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
export async function purgeSomeRows(
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
     ), erased as (${purgeLockedRows(name)})
     select count(*) as count from victim`,
    [organizationKey, documentIds, erasedAt, limit],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Deletes the next rows of a document, oldest first, none older than `from`. Rows that somebody has locked are passed
 * over. Returns how old the last one was, or undefined when the end is reached.
 */
export async function purgeDocumentRows(
  database: Queryable,
  { name, writtenAt }: DocumentTable,
  { organizationKey, documentId, erasedAt }: DocumentPurge,
  from: number,
): Promise<number | undefined> {
  const { rows } = await database.unprepared<{ last: number | null }>(
    `with victim as materialized (
       select ctid as row_id, ${writtenAt} as written_at from ${name}
       where organization_key = $1 and document_id = $2 and ${OF_DOCUMENTS} and ${writtenAt} between $4 and $3
       order by ${writtenAt} limit ${CHUNK_ROWS} for update skip locked
     ), erased as (${purgeLockedRows(name)})
     select max(written_at) as last from victim`,
    [organizationKey, documentId, erasedAt, from],
  );
  return rows[0]?.last ?? undefined;
}

/**
 * Forgets an erasure when nothing is left of it, and returns whether it is forgotten. A document that has been written
 * to in the meantime exists.
 */
export async function finishPurge(
  database: Queryable,
  { organizationKey, documentId, erasedAt }: DocumentPurge,
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
