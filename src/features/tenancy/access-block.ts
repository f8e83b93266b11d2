import { ServiceError, unavailable } from "../../contract/errors.ts";
import type { OrganizationScope } from "./organization-scope.ts";
import { type AccessBlock, type Documents, selectAccessBlock, selectMigrationBlock } from "./tenancy-queries.ts";

const DOCUMENT_BLOCK = "document ";
const MIGRATION_BLOCK = "migrating ";

/** Returns the id in a block with this prefix, or undefined if the block is another one. */
function documentIn(block: AccessBlock | null, prefix: string): string | undefined {
  return block?.startsWith(prefix) ? block.slice(prefix.length) : undefined;
}

/** Returns whether the block ends when the document has been moved to another ID. */
export function isMigrationBlock(block: AccessBlock | null): boolean {
  return documentIn(block, MIGRATION_BLOCK) !== undefined;
}

/** Returns what is blocked and why, as a clause: "the organization is disabled". */
export function describeBlock(block: AccessBlock): string {
  const disabledId = documentIn(block, DOCUMENT_BLOCK);
  if (disabledId !== undefined) return `document ${JSON.stringify(disabledId)} is disabled`;
  const movedId = documentIn(block, MIGRATION_BLOCK);
  if (movedId !== undefined) return `document ${JSON.stringify(movedId)} is being migrated`;
  return `the organization is ${block}`;
}

/**
 * Throws PERMISSION_DENIED if the organization or document is disabled, UNAVAILABLE if the document is being migrated,
 * and FAILED_PRECONDITION if the organization is being deleted.
 */
export function assertAccessible(block: AccessBlock | null, organizationId: string): void {
  if (block === "disabled") {
    const name = `Organization ${JSON.stringify(organizationId)}`;
    throw new ServiceError(
      "organization_disabled",
      `${name} is disabled. Enable it with /v2/organizations/access/disablestate/update.`,
      { details: { organizationId } },
    );
  }
  assertNotMigrating(block, organizationId);
  const documentId = documentIn(block, DOCUMENT_BLOCK);
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

function assertNotMigrating(block: AccessBlock | null, organizationId: string): void {
  const documentId = documentIn(block, MIGRATION_BLOCK);
  if (documentId === undefined) return;
  const message = `Document ${JSON.stringify(documentId)} is being migrated. Retry in a moment.`;
  throw unavailable("document_being_migrated", message, { details: { organizationId, documentId } });
}

/**
 * Throws if one of the documents is being migrated. For operations that change documents themselves, or grants on them,
 * which a disabled document allows. They call it when they have locked or written the documents' rows, if they do.
 */
export async function requireNotMigrating(scope: OrganizationScope, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  assertNotMigrating(await selectMigrationBlock(scope, documentIds), scope.organizationId);
}

/** Throws only if it is being deleted: a disabled organization still allows managing users and groups. */
export function assertNotBeingDeleted(block: AccessBlock | null, organizationId: string): void {
  if (block === "being deleted") throw organizationBeingDeleted(organizationId);
}

/** Returns the error of a write to an organization that is being deleted, or was purged since its check of access. */
export function organizationBeingDeleted(organizationId: string): ServiceError {
  const name = `Organization ${JSON.stringify(organizationId)}`;
  return new ServiceError(
    "organization_being_deleted",
    `${name} is being deleted. Its id can be used again once that is done.`,
  );
}

/**
 * Throws if the organization, or one of the documents whose data is used, cannot be used. Missing ones can: the
 * operation creates nothing.
 */
export async function requireAccessible(scope: OrganizationScope, documents?: Documents): Promise<void> {
  assertAccessible(await selectAccessBlock(scope, documents), scope.organizationId);
}

/** Throws if the organization is being deleted. */
export async function requireNotBeingDeleted(scope: OrganizationScope): Promise<void> {
  assertNotBeingDeleted(await selectAccessBlock(scope), scope.organizationId);
}
