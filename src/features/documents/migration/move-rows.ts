import { isObject } from "../../../json/is-object.ts";
import { parseRecord } from "../../../json/record-texts.ts";
import type { DocumentTable } from "../../purge/purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import type { Migration } from "./document-migration-queries.ts";
import { lockNextRecords, moveNextRows, moveRecords } from "./migrated-row-queries.ts";

/** Moves the next rows of the table to the new document, in the transaction. Returns whether none is left. */
export async function moveRows(
  scope: InTransaction<StoredOrganization>,
  table: DocumentTable,
  migration: Migration,
): Promise<boolean> {
  if (!table.hasMetadata) return (await moveNextRows(scope, table, migration)) === 0;
  const records = await lockNextRecords(scope, table.name, migration);
  const changed = records.map(({ id, text }) => {
    const record = JSON.stringify(withDocumentId(parseRecord(text), migration.newDocumentId));
    return { id, record, addedBytes: Buffer.byteLength(record) - Buffer.byteLength(text) };
  });
  await moveRecords(scope, table.name, migration, changed);
  return records.length === 0;
}

/** Returns the record with another document in the metadata that the service adds to records. */
function withDocumentId(record: object, documentId: string): object {
  if (!("metadata" in record && isObject(record.metadata))) return record;
  return { ...record, metadata: { ...record.metadata, documentId } };
}
