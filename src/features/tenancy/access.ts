import { ServiceError } from "../../contract/errors.ts";
import type { Queryable } from "../../database/statement.ts";
import { type AccessBlock, type Documents, selectAccessBlock } from "./queries.ts";

const DOCUMENT_BLOCK = "document ";

/** Returns the id of the disabled document, or undefined if the block is that of the organization. */
function disabledDocumentOf(block: AccessBlock | null): string | undefined {
  return block?.startsWith(DOCUMENT_BLOCK) ? block.slice(DOCUMENT_BLOCK.length) : undefined;
}

/** Returns what is blocked and why, as a clause: "the organization is disabled". */
export function describeBlock(block: AccessBlock): string {
  const documentId = disabledDocumentOf(block);
  return documentId === undefined
    ? `the organization is ${block}`
    : `document ${JSON.stringify(documentId)} is disabled`;
}

/** Throws PERMISSION_DENIED if the organization or document is disabled, FAILED_PRECONDITION if it is being deleted. */
export function assertAccessible(block: AccessBlock | null, organizationId: string): void {
  if (block === "disabled") {
    const name = `Organization ${JSON.stringify(organizationId)}`;
    throw new ServiceError(
      "organization_disabled",
      `${name} is disabled. Enable it with /v2/organizations/access/disablestate/update.`,
      { details: { organizationId } },
    );
  }
  const documentId = disabledDocumentOf(block);
  if (documentId !== undefined) {
    throw new ServiceError(
      "document_disabled",
      `Document ${JSON.stringify(documentId)} is disabled. ` +
        "Enable it with /v2/organizations/documents/access/disablestate/update.",
      { details: { organizationId, documentId } },
    );
  }
  assertNotBeingDeleted(block, organizationId);
}

/** Throws only if it is being deleted: a disabled organization still allows managing users and groups. */
export function assertNotBeingDeleted(block: AccessBlock | null, organizationId: string): void {
  if (block !== "being deleted") return;
  const name = `Organization ${JSON.stringify(organizationId)}`;
  throw new ServiceError(
    "organization_being_deleted",
    `${name} is being deleted. Its id can be used again once that is done.`,
  );
}

/**
 * Throws if the organization, or one of the documents whose data is used, cannot be used. Missing ones can: the
 * operation creates nothing.
 */
export async function requireAccessible(
  database: Queryable,
  organizationKey: string,
  organizationId: string,
  documents?: Documents,
): Promise<void> {
  assertAccessible(await selectAccessBlock(database, organizationKey, documents), organizationId);
}

/** Throws if the organization is being deleted. */
export async function requireNotBeingDeleted(
  database: Queryable,
  organizationKey: string,
  organizationId: string,
): Promise<void> {
  assertNotBeingDeleted(await selectAccessBlock(database, organizationKey), organizationId);
}
