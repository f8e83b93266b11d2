import Type from "typebox";
import type { Queryable } from "../../database/database.ts";
import { permissionDenied, ServiceError } from "../../http/errors.ts";
import { Identifier } from "../../http/schema.ts";
import { withMetadata, withoutFields } from "./metadata.ts";
import { insertPlace, type Obstacle, type Place, selectMissing, selectObstacle } from "./queries.ts";

const OrganizationName = Type.Optional(Type.String({ description: "Empty until somebody sets it." }));

export const NewOrganization = withMetadata({ organizationId: Identifier, organizationName: OrganizationName });

export const Organization = Type.Object(
  { id: Type.String(), disabled: Type.Boolean(), organizationName: Type.String() },
  { additionalProperties: true, description: "Further fields are the metadata, as it was sent." },
);

const OWN_FIELDS = new Set(["organizationId", "id", "disabled"]);

/** What is kept of an organization as it was sent. */
export function describedFields(organization: object): Record<string, unknown> {
  return withoutFields(organization, OWN_FIELDS);
}

/** Throws PERMISSION_DENIED for a disabled organization, FAILED_PRECONDITION for one that is being deleted. */
export function refuseObstacle(obstacle: Obstacle | null, organizationId: string): void {
  if (obstacle === "disabled") {
    const name = `Organization ${JSON.stringify(organizationId)}`;
    throw permissionDenied(`${name} is disabled; /v2/organizations/access/disablestate/update enables it.`);
  }
  refuseDeletion(obstacle, organizationId);
}

/** For the management of users, groups and documents, which a disabled organization allows. */
export function refuseDeletion(obstacle: Obstacle | null, organizationId: string): void {
  if (obstacle !== "deleted") return;
  const name = `Organization ${JSON.stringify(organizationId)}`;
  throw new ServiceError("FAILED_PRECONDITION", `${name} is being deleted; its id is free again when that is done.`);
}

/** For operations that make nothing: throws when the organization may not be used; a missing one may. */
export async function requireOpen(database: Queryable, organizationKey: string, organizationId: string): Promise<void> {
  refuseObstacle(await selectObstacle(database, organizationKey), organizationId);
}

/** As requireOpen, for management. */
export async function requireKept(database: Queryable, organizationKey: string, organizationId: string): Promise<void> {
  refuseDeletion(await selectObstacle(database, organizationKey), organizationId);
}

/** For a write, in its transaction: organization and document exist from then on. Throws when they may not be used. */
export async function enter(transaction: Queryable, place: Place): Promise<void> {
  refuseObstacle(await insertPlace(transaction, place), place.organizationId);
}

interface Create {
  createOrganization?: boolean;
  createDocument?: boolean;
}

/**
 * As enter. Returns what is missing where the caller has said that it must not be made; the rest must then not be
 * written.
 */
export async function enterUnlessMissing(
  transaction: Queryable,
  place: Place,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, place, create);
  if (missing) await requireOpen(transaction, place.organizationKey, place.organizationId);
  else await enter(transaction, place);
  return missing;
}

/** As enterUnlessMissing, for management. */
export async function enterToManage(
  transaction: Queryable,
  place: Place,
  create: Create,
): Promise<"Organization" | "Document" | undefined> {
  const missing = await findMissing(transaction, place, create);
  if (!missing) refuseDeletion(await insertPlace(transaction, place), place.organizationId);
  return missing;
}

async function findMissing(
  transaction: Queryable,
  place: Place,
  { createOrganization = true, createDocument = true }: Create,
): Promise<"Organization" | "Document" | undefined> {
  if (createOrganization && createDocument) return undefined;
  const missing = await selectMissing(transaction, place.organizationKey, place.documentId);
  if (missing.organization && !createOrganization) return "Organization";
  return missing.document && !createDocument ? "Document" : undefined;
}

export const CreateOrganization = Type.Optional(
  Type.Boolean({ default: true, description: "With `false` every item fails where the organization is missing." }),
);

export const CreateDocument = Type.Optional(
  Type.Boolean({ default: true, description: "With `false` every item fails where the document is missing." }),
);
