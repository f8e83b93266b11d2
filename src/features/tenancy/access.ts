import { ServiceError } from "../../contract/errors.ts";
import type { Queryable } from "../../database/statement.ts";
import { type AccessBlock, selectAccessBlock } from "./queries.ts";

/** Throws PERMISSION_DENIED for a disabled organization, FAILED_PRECONDITION for one that is being deleted. */
export function assertAccessible(block: AccessBlock | null, organizationId: string): void {
  if (block === "disabled") {
    const name = `Organization ${JSON.stringify(organizationId)}`;
    throw new ServiceError(
      "organization_disabled",
      `${name} is disabled. Enable it with /v2/organizations/access/disablestate/update.`,
      { details: { organizationId } },
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

/** Throws if the organization cannot be used. A missing one can: the operation creates nothing. */
export async function requireAccessible(
  database: Queryable,
  organizationKey: string,
  organizationId: string,
): Promise<void> {
  assertAccessible(await selectAccessBlock(database, organizationKey), organizationId);
}

/** Throws if the organization is being deleted. */
export async function requireNotBeingDeleted(
  database: Queryable,
  organizationKey: string,
  organizationId: string,
): Promise<void> {
  assertNotBeingDeleted(await selectAccessBlock(database, organizationKey), organizationId);
}
