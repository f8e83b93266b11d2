import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { withMetadata, withoutFields } from "../tenancy/metadata.ts";

const OrganizationName = Type.Optional(Type.String({ description: "Empty until it is set." }));

export const NewOrganization = withMetadata({ organizationId: Identifier, organizationName: OrganizationName });

export const Organization = Type.Object(
  { id: Type.String(), disabled: Type.Boolean(), organizationName: Type.String() },
  { additionalProperties: true, description: "Further fields are the metadata as sent." },
);

const OWN_FIELDS = new Set(["organizationId", "id", "disabled"]);

/** Returns the fields of an organization that are stored as sent. */
export function organizationFields(organization: object): Record<string, unknown> {
  return withoutFields(organization, OWN_FIELDS);
}
