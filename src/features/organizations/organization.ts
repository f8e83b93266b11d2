import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import type { OmittedFields } from "../../json/record-texts.ts";
import { withMetadata } from "../tenancy/metadata.ts";

const OrganizationName = Type.Optional(Type.String({ description: "Empty until it is set." }));

/** An organization with metadata. Fields that only the service sets are rejected, since they would have no effect. */
export const NewOrganization = withMetadata({ organizationId: Identifier, organizationName: OrganizationName }, [
  ...["disabled", "id"],
]);

export const Organization = Type.Object(
  { id: Type.String(), disabled: Type.Boolean(), organizationName: Type.String() },
  { title: "Organization", additionalProperties: true, description: "Further fields are the metadata as sent." },
);

/** Fields that are not part of the stored record. */
export const OMITTED_FIELDS = { organizationId: undefined } satisfies OmittedFields;
