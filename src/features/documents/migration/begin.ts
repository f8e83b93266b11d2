import { newId } from "../../../database/new-id.ts";
import type { Queryable } from "../../../database/statement.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { requireNotMigrating } from "../../tenancy/access-block.ts";
import {
  disableOldDocument,
  insertMigration,
  isUsed,
  lockOldDocument,
  reserveNewDocument,
} from "./document-migration-queries.ts";
import { MIGRATE_DOCUMENT } from "./job.ts";

interface Documents {
  organizationKey: string;
  organizationId: string;
  documentId: string;
  newDocumentId: string;
}

/**
 * Disables the document, reserves the new id and queues the job. Returns "missing" if the document does not exist, and
 * "occupied" if the new one does or has data; the caller must then roll back.
 */
export async function beginMigration(
  transaction: Queryable,
  jobs: JobQueue,
  { organizationKey, organizationId, documentId, newDocumentId }: Documents,
): Promise<"missing" | "occupied" | { migrationId: string }> {
  const migrationId = newId();
  const migration = { organizationKey, migrationId, documentId, newDocumentId };
  const [lock, reserve] = [
    () => lockOldDocument(transaction, migration),
    () => reserveNewDocument(transaction, migration),
  ];
  // Rows of documents are written in key order to avoid deadlocks.
  const isReservedFirst = Buffer.compare(Buffer.from(newDocumentId), Buffer.from(documentId)) < 0;
  const reservedFirst = isReservedFirst && (await reserve());
  const old = await lock();
  if (!old) return "missing";
  await requireNotMigrating(transaction, organizationKey, organizationId, [documentId]);
  const isReserved = isReservedFirst ? reservedFirst : await reserve();
  if (!isReserved || (await isUsed(transaction, organizationKey, newDocumentId))) return "occupied";
  await disableOldDocument(transaction, migration);
  await insertMigration(transaction, migration, old.disabled);
  await jobs.send(transaction, MIGRATE_DOCUMENT, [{ organizationKey, migrationId }]);
  return { migrationId };
}
