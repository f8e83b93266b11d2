import Type from "typebox";
import type { Queryable } from "../../database/statement.ts";
import { assertAccessible, assertNotBeingDeleted, requireAccessible } from "./access-block.ts";
import { type DocumentRef, insertMissingDocument, selectMissing } from "./queries.ts";

/** Creates the organization and document if missing, in the transaction of a write. Throws if they cannot be used. */
export async function ensureDocument(transaction: Queryable, document: DocumentRef): Promise<void> {
  assertAccessible(await insertMissingDocument(transaction, document), document.organizationId);
}

interface Create {
  createOrganization?: boolean | undefined;
  createDocument?: boolean | undefined;
}

/** Ensures the document. Returns what is missing if the caller forbids its creation; nothing may then be written. */
export async function ensureDocumentIfAllowed(
  transaction: Queryable,
  document: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, document, create);
  if (missing) await requireAccessible(transaction, document.organizationKey, document.organizationId);
  else await ensureDocument(transaction, document);
  return missing;
}

/** Does the same for management, which a disabled organization allows. */
export async function ensureDocumentForManagement(
  transaction: Queryable,
  document: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, document, create);
  if (!missing) assertNotBeingDeleted(await insertMissingDocument(transaction, document), document.organizationId);
  return missing;
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
