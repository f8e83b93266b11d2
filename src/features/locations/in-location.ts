import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import type { PublicContext, Workspace } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import type { Queryable } from "../../database/statement.ts";
import { selectOrganizationsWith } from "../notifications/notification-queries.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import {
  acrossOrganizations,
  type InTransaction,
  inOrganization,
  type OrganizationScope,
} from "../tenancy/organization-scope.ts";
import type { Place } from "./located-records.ts";

/** Fields of the request that name the caller and the document. */
export const documentFields = {
  apiKey: Identifier,
  authToken: Identifier,
  organizationId: Type.Optional(Identifier),
  documentId: Identifier,
};

/** Example of these fields. */
export const DOCUMENT_EXAMPLE = {
  apiKey: "colloquy_key_0123456789abcdef0123456789abcdef",
  authToken: `colloquy_token_${"0".repeat(64)}`,
  organizationId: "acme",
  documentId: "contract-7",
};

/** A location by its id. Other fields have no effect. */
export const LocationRef = Type.Object(
  { id: Identifier },
  { additionalProperties: true, description: "Location, by its `id`. Further fields have no effect." },
);

interface Document {
  apiKey: string;
  authToken: string;
  organizationId?: string | undefined;
  documentId: string;
}

/** Runs the work on a location in a transaction, for a caller whose credentials are in the request. */
export async function inLocation(
  { database, authenticate }: PublicContext,
  { apiKey, authToken, organizationId, documentId }: Document,
  location: Static<typeof LocationRef>,
  work: (scope: InTransaction<OrganizationScope<Workspace>>, place: Place) => Promise<void>,
): Promise<null> {
  const workspace = await authenticate({ apiKey, authToken }, "write");
  const id = organizationId ?? (await findOrganization(database, workspace, documentId));
  await inOrganization(database, workspace, id, async (scope) => {
    await requireAccessible(scope, documentId);
    await work(scope, { documentId, locationId: location.id });
  });
  return null;
}

/** Returns the organization of the workspace that has the document. Throws if none or several have it. */
async function findOrganization(database: Queryable, workspace: Workspace, documentId: string): Promise<string> {
  const [found, ...others] = await selectOrganizationsWith(acrossOrganizations(database), workspace.id, documentId);
  if (found && others.length === 0) return found.organizationId;
  const names = found ? "several organizations have" : "no organization has";
  throw invalidField("data.organizationId", `is required, because ${names} document ${JSON.stringify(documentId)}`);
}
