import Type from "typebox";
import type { OmittedFields } from "../../contract/json-text.ts";
import { Identifier } from "../../contract/schema.ts";
import { withMetadata } from "../tenancy/metadata.ts";

const OrganizationName = Type.Optional(Type.String({ description: "Empty until it is set." }));

export const NewOrganization = withMetadata({ organizationId: Identifier, organizationName: OrganizationName });

export const Organization = Type.Object(
  { id: Type.String(), disabled: Type.Boolean(), organizationName: Type.String() },
  { additionalProperties: true, description: "Further fields are the metadata as sent." },
);

/** Fields that the service adds itself. */
export const OMITTED_FIELDS = { organizationId: undefined, id: undefined, disabled: undefined } satisfies OmittedFields;
