import Type from "typebox";
import type { Queryable } from "../../database/statement.ts";
import { assertAccessible } from "./access-block.ts";
import { type DocumentRef, type Existence, insertMissing, selectExistence } from "./queries.ts";

/**
 * Creates the organization and document if missing, in the transaction of a write, without events of them: imports
 * write none. Throws if they cannot be used.
 */
export async function ensureDocument(transaction: Queryable, document: DocumentRef): Promise<void> {
  const existence = await selectExistence(transaction, document.organizationKey, document.documentId);
  assertAccessible(existence.block, document.organizationId);
  await insertMissing(transaction, document, existence);
}

export interface Create {
  createOrganization?: boolean | undefined;
  createDocument?: boolean | undefined;
}

/** Returns which of the organization and document is missing if the caller forbids its creation. */
export function findMissing(
  { hasOrganization, hasDocument }: Existence,
  { createOrganization = true, createDocument = true }: Create,
): "Organization" | "Document" | undefined {
  if (!hasOrganization && !createOrganization) return "Organization";
  return hasDocument || createDocument ? undefined : "Document";
}

/** Returns the schema of the flag that decides whether a missing organization or document is created. */
export function createFlag(
  what: "organization" | "document" | "folder",
  effect: "every item fails" | "the request is NOT_FOUND",
) {
  return Type.Optional(
    Type.Boolean({ default: true, description: `If \`false\`, ${effect} if the ${what} is missing.` }),
  );
}

/** Create flag of an update, where callers send it as in an add. */
export const IgnoredCreate = Type.Optional(Type.Boolean({ description: "Has no effect: an update creates nothing." }));
