import type { Queryable } from "../../database/statement.ts";
import { type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { assertAccessible, assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { type Create, findMissing } from "../tenancy/create-flags.ts";
import { type DocumentRef, insertMissing, selectAccessBlock, selectExistence } from "../tenancy/tenancy-queries.ts";
import { eventsOfFirstUse } from "./events.ts";

type Missing = "Organization" | "Document" | undefined;

/**
 * Creates the organization and document if missing, in the transaction of a write, and records events of those that it
 * has created. Throws if they cannot be used. Returns what is missing if the caller forbids its creation; nothing may
 * then be written.
 */
export const ensureDocumentIfAllowed = ensuring(assertAccessible);
/** The same for management, which a disabled organization allows. */
export const ensureDocumentForManagement = ensuring(assertNotBeingDeleted);

/** The same for a write that always creates what is missing. */
export async function ensureDocument(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  document: DocumentRef,
): Promise<void> {
  await ensureDocumentIfAllowed(transaction, workspace, document, {});
}

/**
 * Ensures the document in a transaction, and then writes to it. `write` returns whether it has found a document without
 * an access block. Throws the access block.
 */
export async function writeToEnsured(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  document: DocumentRef,
  write: () => Promise<boolean>,
): Promise<void> {
  await ensureDocument(transaction, workspace, document);
  if (await write()) return;
  // The organization or document was disabled or deleted meanwhile.
  const block = await selectAccessBlock(transaction, document.organizationKey, document.documentId);
  assertAccessible(block ?? "being deleted", document.organizationId);
}

function ensuring(assertUsable: typeof assertAccessible) {
  return async (
    transaction: Queryable,
    workspace: ListenedWorkspace,
    document: DocumentRef,
    create: Create,
  ): Promise<Missing> => {
    const existence = await selectExistence(transaction, document.organizationKey, document.documentId);
    assertUsable(existence.block, document.organizationId);
    const missing = findMissing(existence, create);
    if (missing) return missing;
    const created = await insertMissing(transaction, document, existence);
    await recordEvents(transaction, workspace, () => eventsOfFirstUse(document, created));
    return undefined;
  };
}
