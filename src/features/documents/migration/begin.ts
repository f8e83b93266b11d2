import { newId } from "../../../database/new-id.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import { requireNotMigrating } from "../../tenancy/access-block.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import {
  disableOldDocument,
  insertMigration,
  isUsed,
  lockOldDocument,
  reserveNewDocument,
} from "./document-migration-queries.ts";
import { MIGRATE_DOCUMENT } from "./job.ts";

interface Documents {
  documentId: string;
  newDocumentId: string;
}

/**
 * Disables the document, reserves the new ID and queues the job. Returns "missing" if the document does not exist, and
 * "occupied" if the new one does or has data; the caller must then roll back.
 */
export async function beginMigration(
  scope: InTransaction<OrganizationScope>,
  jobs: JobQueue,
  { documentId, newDocumentId }: Documents,
): Promise<"missing" | "occupied" | { migrationId: string }> {
  const migrationId = newId();
  const migration = { migrationId, documentId, newDocumentId };
  const [lock, reserve] = [() => lockOldDocument(scope, migration), () => reserveNewDocument(scope, migration)];
  // Rows of documents are written in key order to avoid deadlocks.
  const isReservedFirst = Buffer.compare(Buffer.from(newDocumentId), Buffer.from(documentId)) < 0;
  const reservedFirst = isReservedFirst && (await reserve());
  const old = await lock();
  if (!old) return "missing";
  await requireNotMigrating(scope, [documentId]);
  const isReserved = isReservedFirst ? reservedFirst : await reserve();
  if (!isReserved || (await isUsed(scope, newDocumentId))) return "occupied";
  await disableOldDocument(scope, migration);
  await insertMigration(scope, migration, old.disabled);
  await jobs.send(scope, MIGRATE_DOCUMENT, [{ organizationKey: scope.key, migrationId }]);
  return { migrationId };
}
