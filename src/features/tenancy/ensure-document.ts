import Type from "typebox";
import type { Queryable } from "../../database/statement.ts";
import { assertAccessible } from "./access-block.ts";
import { type DocumentRef, insertMissingDocument, selectMissing } from "./queries.ts";

/**
 * Creates the organization and document if missing, in the transaction of a write, without events of them: imports
 * write none. Throws if they cannot be used.
 */
export async function ensureDocument(transaction: Queryable, document: DocumentRef): Promise<void> {
  const { block } = await insertMissingDocument(transaction, document);
  assertAccessible(block, document.organizationId);
}

export interface Create {
  createOrganization?: boolean | undefined;
  createDocument?: boolean | undefined;
}

/** Returns which of the organization and document is missing if the caller forbids its creation. */
export async function findMissing(
  transaction: Queryable,
  document: Pick<DocumentRef, "organizationKey" | "documentId">,
  { createOrganization = true, createDocument = true }: Create,
): Promise<"Organization" | "Document" | undefined> {
  if (createOrganization && createDocument) return undefined;
  const missing = await selectMissing(transaction, document.organizationKey, document.documentId);
  if (missing.organization && !createOrganization) return "Organization";
  return missing.document && !createDocument ? "Document" : undefined;
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
