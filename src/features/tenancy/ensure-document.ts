import Type from "typebox";
import type { Queryable } from "../../database/database.ts";
import { assertAccessible, assertNotDeleted, requireAccessible } from "./access.ts";
import { type DocumentRef, insertMissingDocument, selectMissing } from "./queries.ts";

/** For a write, in its transaction: organization and document exist from then on. Throws when they may not be used. */
export async function ensureDocument(transaction: Queryable, place: DocumentRef): Promise<void> {
  assertAccessible(await insertMissingDocument(transaction, place), place.organizationId);
}

interface Create {
  createOrganization?: boolean;
  createDocument?: boolean;
}

/**
 * Ensures the document. Returns what is missing if the caller forbids its creation; the rest must then not be
 * written.
 */
export async function ensureDocumentIfAllowed(
  transaction: Queryable,
  place: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, place, create);
  if (missing) await requireAccessible(transaction, place.organizationKey, place.organizationId);
  else await ensureDocument(transaction, place);
  return missing;
}

/** As ensureDocumentIfAllowed, for management. */
export async function ensureDocumentForManagement(
  transaction: Queryable,
  place: DocumentRef,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, place, create);
  if (!missing) assertNotDeleted(await insertMissingDocument(transaction, place), place.organizationId);
  return missing;
}

async function findMissing(
  transaction: Queryable,
  place: DocumentRef,
  { createOrganization = true, createDocument = true }: Create,
): Promise<"Organization" | "Document" | undefined> {
  if (createOrganization && createDocument) return undefined;
  const missing = await selectMissing(transaction, place.organizationKey, place.documentId);
  if (missing.organization && !createOrganization) return "Organization";
  return missing.document && !createDocument ? "Document" : undefined;
}

export const CreateOrganization = Type.Optional(
  Type.Boolean({ default: true, description: "With `false`, every item fails if the organization is missing." }),
);

export const CreateDocument = Type.Optional(
  Type.Boolean({ default: true, description: "With `false`, every item fails if the document is missing." }),
);
