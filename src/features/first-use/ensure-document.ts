import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { assertAccessible, assertNotBeingDeleted, requireAccessible } from "../tenancy/access-block.ts";
import { type Create, findMissing } from "../tenancy/ensure-document.ts";
import { type AccessBlock, type DocumentRef, insertMissingDocument } from "../tenancy/queries.ts";
import { eventsOfFirstUse } from "./events.ts";

type Listened = Pick<Workspace, "eventLog">;

/**
 * Creates the organization and document if missing, in the transaction of a write, and records events of those that it
 * has created. Throws if they cannot be used.
 */
export async function ensureRecordedDocument(
  transaction: Queryable,
  workspace: Listened,
  document: DocumentRef,
): Promise<void> {
  assertAccessible(await insertRecorded(transaction, workspace, document), document.organizationId);
}

/** Does the same. Returns what is missing if the caller forbids its creation; nothing may then be written. */
export async function ensureDocumentIfAllowed(
  transaction: Queryable,
  workspace: Listened,
  document: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, document, create);
  if (missing) await requireAccessible(transaction, document.organizationKey, document.organizationId);
  else await ensureRecordedDocument(transaction, workspace, document);
  return missing;
}

/** Does the same for management, which a disabled organization allows. */
export async function ensureDocumentForManagement(
  transaction: Queryable,
  workspace: Listened,
  document: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, document, create);
  if (!missing) {
    const block = await insertRecorded(transaction, workspace, document);
    assertNotBeingDeleted(block, document.organizationId);
  }
  return missing;
}

async function insertRecorded(
  transaction: Queryable,
  workspace: Listened,
  document: DocumentRef,
): Promise<AccessBlock | null> {
  const { block, created } = await insertMissingDocument(transaction, document);
  await recordEvents(transaction, workspace, () => eventsOfFirstUse([document], created));
  return block;
}
