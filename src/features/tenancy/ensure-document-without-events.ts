import type { Queryable } from "../../database/statement.ts";
import { assertAccessible } from "./access-block.ts";
import { type DocumentRef, insertMissing, selectExistence } from "./tenancy-queries.ts";

/**
 * Creates the organization and document if missing, in the transaction of an import, which writes no events. Throws if
 * they cannot be used.
 */
export async function ensureDocumentWithoutEvents(transaction: Queryable, document: DocumentRef): Promise<void> {
  const existence = await selectExistence(transaction, document.organizationKey, document.documentId);
  assertAccessible(existence.block, document.organizationId);
  await insertMissing(transaction, document, existence);
}
