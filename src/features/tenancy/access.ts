import { permissionDenied, ServiceError } from "../../contract/errors.ts";
import type { Queryable } from "../../database/database.ts";
import { type AccessBlock, selectAccessBlock } from "./queries.ts";

/** Throws PERMISSION_DENIED for a disabled organization, FAILED_PRECONDITION for one that is being deleted. */
export function assertAccessible(block: AccessBlock | null, organizationId: string): void {
  if (block === "disabled") {
    const name = `Organization ${JSON.stringify(organizationId)}`;
    throw permissionDenied(`${name} is disabled; /v2/organizations/access/disablestate/update enables it.`);
  }
  assertNotDeleted(block, organizationId);
}

/** For the management of users, groups and documents, which a disabled organization allows. */
export function assertNotDeleted(block: AccessBlock | null, organizationId: string): void {
  if (block !== "deleted") return;
  const name = `Organization ${JSON.stringify(organizationId)}`;
  throw new ServiceError("FAILED_PRECONDITION", `${name} is being deleted; its id is free again when that is done.`);
}

/** For operations that make nothing: throws when the organization may not be used; a missing one may. */
export async function requireAccessible(
  database: Queryable,
  organizationKey: string,
  organizationId: string,
): Promise<void> {
  assertAccessible(await selectAccessBlock(database, organizationKey), organizationId);
}

/** As requireAccessible, for management. */
export async function requireNotDeleted(
  database: Queryable,
  organizationKey: string,
  organizationId: string,
): Promise<void> {
  assertNotDeleted(await selectAccessBlock(database, organizationKey), organizationId);
}
