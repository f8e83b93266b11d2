import { EMPTY, identifier, integer, integers, sql, text, texts, unprepared, uuid } from "../../../database/sql.ts";
import { type DocumentTable, isAmong, PURGE_CHUNK_ROWS, purging } from "../../purge/purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { lockRecords } from "../../tenancy/record-queries.ts";
import type { Migration } from "./document-migration-queries.ts";

/** Number of records that move in one transaction; fewer if they are long. */
const CHUNK_RECORDS = 500;
const CHUNK_BYTES = 1024 * 1024;

/** Condition that every row of a document meets. Partial indexes are used only with it. */
const OF_DOCUMENTS = sql`document_id <> ''`;

/** Condition that an event is not about the document itself: its subject is the old ID, which may be used again. */
const IS_MOVED_EVENT = sql`and kind not in ('document.update', 'document.delete')`;

/** Moves the next unlocked rows of a table without records. Returns how many. Waits for no lock, to avoid deadlocks. */
export async function moveNextRows(
  scope: StoredOrganization,
  { name, documentColumn = "document_id" }: DocumentTable,
  { documentId, newDocumentId }: Migration,
): Promise<number> {
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<{ count: number }>`with to_move as materialized (
        select ctid as row_id from ${identifier(name)}
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)} and ${OF_DOCUMENTS}
          ${name === "events" ? IS_MOVED_EVENT : EMPTY}
        limit ${integer(PURGE_CHUNK_ROWS)} for update skip locked
      ), moved as (
        update ${identifier(name)} set ${identifier(documentColumn)} = ${text(newDocumentId)}
        where ${isAmong(sql`to_move`, scope.key, isDistributed)}
      )
      select count(*) as count from to_move`,
    ),
  );
  return row?.count ?? 0;
}

/** Locks the next rows of a table whose records have metadata. Returns the texts of the records. */
export async function lockNextRecords(
  scope: InTransaction<StoredOrganization>,
  table: string,
  { documentId }: Migration,
): Promise<{ id: string; text: string }[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ id: string; bytes: number }>`select id, record_bytes as bytes from ${identifier(table)}
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
        limit ${integer(CHUNK_RECORDS)} for update`,
    ),
  );
  const ids: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes;
    if (ids.length > 0 && bytes > CHUNK_BYTES) break;
    ids.push(row.id);
  }
  if (ids.length === 0) return [];
  const records = await lockRecords(scope, table, ids);
  return [...records].map(([id, record]) => ({ id, text: record }));
}

/** Moves locked rows, with their changed records. */
export async function moveRecords(
  scope: StoredOrganization,
  table: string,
  { newDocumentId }: Migration,
  records: { id: string; record: string; addedBytes: number }[],
): Promise<void> {
  if (records.length === 0) return;
  const name = identifier(table);
  await scope.run(
    unprepared(
      sql`update ${name} set document_id = ${text(newDocumentId)}, record = moved.record::json,
          record_bytes = record_bytes + moved.added_bytes
        from unnest(${texts(records.map(({ id }) => id))}, ${texts(records.map(({ record }) => record))},
          ${integers(records.map(({ addedBytes }) => addedBytes))}) as moved (id, record, added_bytes)
        where ${name}.organization_key = ${uuid(scope.key)} and ${name}.id = moved.id`,
    ),
  );
}
