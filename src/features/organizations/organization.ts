import Type from "typebox";
import type { Queryable } from "../../database/database.ts";
import { permissionDenied, ServiceError } from "../../http/errors.ts";
import { insertPlace, type Obstacle, type Place, selectObstacle } from "./queries.ts";

export const Organization = Type.Object({
  id: Type.String(),
  organizationName: Type.String({ description: "Empty until somebody sets it." }),
  disabled: Type.Boolean(),
});

/** Throws PERMISSION_DENIED for a disabled organization, FAILED_PRECONDITION for one that is being deleted. */
export function refuseObstacle(obstacle: Obstacle | null, organizationId: string): void {
  const name = `Organization ${JSON.stringify(organizationId)}`;
  if (obstacle === "disabled") {
    throw permissionDenied(`${name} is disabled; /v2/organizations/access/disablestate/update enables it.`);
  }
  if (obstacle === "deleted") {
    throw new ServiceError("FAILED_PRECONDITION", `${name} is being deleted; its id is free again when that is done.`);
  }
}

/** For operations that make nothing: throws when the organization may not be used; a missing one may. */
export async function requireOpen(database: Queryable, organizationKey: string, organizationId: string): Promise<void> {
  refuseObstacle(await selectObstacle(database, organizationKey), organizationId);
}

/** For a write, in its transaction: the organization and document exist from then on. Throws when it may not be used. */
export async function enter(transaction: Queryable, place: Place): Promise<void> {
  refuseObstacle(await insertPlace(transaction, place), place.organizationId);
}
