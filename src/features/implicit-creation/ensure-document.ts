import { type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { assertAccessible, assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { type Create, findMissing } from "../tenancy/create-flags.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { insertMissing, selectAccessBlock, selectExistence } from "../tenancy/tenancy-queries.ts";
import { buildCreationEvents } from "./creation-events.ts";

type Missing = "Organization" | "Document" | undefined;

/**
 * Creates the organization, and the document if one is named, if missing, in the transaction of a write, and records
 * events of their creation. Throws if one has an access block. Returns what is missing if `create` forbids it;
 * nothing may then be written.
 */
export const ensureDocument = buildEnsureDocument(assertAccessible);
/** Ensures them for a change of users, groups or permissions, which a disabled organization allows. */
export const ensureDocumentForManagement = buildEnsureDocument(assertNotBeingDeleted);

/**
 * Ensures the document in a transaction, and then writes to it. `write` returns whether it has found a document without
 * an access block. Throws the error of an access block.
 */
export async function ensureDocumentAndWrite(
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

function buildEnsureDocument(assertUsable: typeof assertAccessible) {
  return async (
    scope: OrganizationScope<ListenedWorkspace>,
    documentId?: string,
    create: Create = {},
  ): Promise<Missing> => {
    const existence = await selectExistence(scope, documentId);
    assertUsable(existence.block, scope.organizationId);
    const missing = findMissing(existence, create);
    if (missing) return missing;
    const created = await insertMissing(scope, documentId, existence);
    await recordEvents(scope, buildCreationEvents(scope.organizationId, created));
    return undefined;
  };
}
