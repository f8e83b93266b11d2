import { assertAccessible } from "./access-block.ts";
import type { OrganizationScope } from "./organization-scope.ts";
import { insertMissing, selectExistence } from "./tenancy-queries.ts";

/**
 * Creates the organization and document if missing, in the transaction of an import, which writes no events. Throws if
 * they cannot be used.
 */
export async function ensureDocumentWithoutEvents(scope: OrganizationScope, documentId?: string): Promise<void> {
  const existence = await selectExistence(scope, documentId);
  assertAccessible(existence.block, scope.organizationId);
  await insertMissing(scope, documentId, existence);
}
