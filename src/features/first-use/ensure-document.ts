import type { Queryable } from "../../database/statement.ts";
import { type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { assertAccessible, assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { type Create, findMissing } from "../tenancy/ensure-document.ts";
import { type DocumentRef, type Existence, insertMissing, selectExistence } from "../tenancy/queries.ts";
import { eventsOfFirstUse } from "./events.ts";

/**
 * Creates the organization and document if missing, in the transaction of a write, and records events of those that it
 * has created. Throws if they cannot be used.
 */
export async function ensureRecordedDocument(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  document: DocumentRef,
): Promise<void> {
  await ensureDocumentIfAllowed(transaction, workspace, document, {});
}

/** Does the same. Returns what is missing if the caller forbids its creation; nothing may then be written. */
export async function ensureDocumentIfAllowed(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  document: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const existence = await selectExistence(transaction, document.organizationKey, document.documentId);
  assertAccessible(existence.block, document.organizationId);
  const missing = findMissing(existence, create);
  if (!missing) await insertRecorded(transaction, workspace, document, existence);
  return missing;
}

/** Does the same for management, which a disabled organization allows. */
export async function ensureDocumentForManagement(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  document: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const existence = await selectExistence(transaction, document.organizationKey, document.documentId);
  assertNotBeingDeleted(existence.block, document.organizationId);
  const missing = findMissing(existence, create);
  if (!missing) await insertRecorded(transaction, workspace, document, existence);
  return missing;
}

async function insertRecorded(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  document: DocumentRef,
  existence: Existence,
): Promise<void> {
  const created = await insertMissing(transaction, document, existence);
  await recordEvents(transaction, workspace, () => eventsOfFirstUse([document], created));
}
