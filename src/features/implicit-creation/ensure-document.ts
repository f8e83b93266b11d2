import { type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { assertAccessible, assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { type Create, findMissing } from "../tenancy/create-flags.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { insertMissing, selectAccessBlock, selectExistence } from "../tenancy/tenancy-queries.ts";
import { getCreationEvents } from "./creation-events.ts";

type Missing = "Organization" | "Document" | undefined;

/**
 * Creates the organization, and the document if one is named, if missing, in the transaction of a write, and records
 * events of those that it has created. Throws if they cannot be used. Returns what is missing if the caller forbids its
 * creation; nothing may then be written.
 */
export const ensureDocumentIfAllowed = ensuring(assertAccessible);
/** The same for management, which a disabled organization allows. */
export const ensureDocumentForManagement = ensuring(assertNotBeingDeleted);

/** The same for a write that always creates what is missing. */
export async function ensureDocument(scope: OrganizationScope<ListenedWorkspace>, documentId?: string): Promise<void> {
  await ensureDocumentIfAllowed(scope, documentId, {});
}

/**
 * Ensures the document in a transaction, and then writes to it. `write` returns whether it has found a document without
 * an access block. Throws the access block.
 */
export async function writeEnsured(
  scope: OrganizationScope<ListenedWorkspace>,
  documentId: string,
  write: () => Promise<boolean>,
): Promise<void> {
  await ensureDocument(scope, documentId);
  if (await write()) return;
  // The organization or document was disabled or deleted meanwhile.
  const block = await selectAccessBlock(scope, documentId);
  assertAccessible(block ?? "being deleted", scope.organizationId);
}

function ensuring(assertUsable: typeof assertAccessible) {
  return async (
    scope: OrganizationScope<ListenedWorkspace>,
    documentId: string | undefined,
    create: Create,
  ): Promise<Missing> => {
    const existence = await selectExistence(scope, documentId);
    assertUsable(existence.block, scope.organizationId);
    const missing = findMissing(existence, create);
    if (missing) return missing;
    const created = await insertMissing(scope, documentId, existence);
    await recordEvents(scope, getCreationEvents(scope.organizationId, created));
    return undefined;
  };
}
