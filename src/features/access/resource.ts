import Type, { type Static } from "typebox";
import { ACCESS_ROLES, RESOURCE_TYPES, type TokenGrant } from "../../contract/end-user.ts";
import { invalidField, invalidFields } from "../../contract/errors.ts";
import { Identifier } from "../../contract/schema.ts";

/** Maximum of a time in seconds since the epoch, about the year 31,688. */
const MAX_SECONDS = 999_999_999_999;
/** Maximum number of resources in a request. */
const MAX_RESOURCES = 100;

const NAME = {
  type: Type.Enum(RESOURCE_TYPES),
  id: Identifier,
  organizationId: Type.Optional(Identifier),
};

const GrantedResource = Type.Object({
  ...NAME,
  accessRole: Type.Optional(Type.Enum(ACCESS_ROLES, { default: "editor" })),
  expiresAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description: "Unix time in seconds at which the grant ends. A past time grants nothing.",
    }),
  ),
});

/** Organizations, folders and documents. */
export const Resources = Type.Array(Type.Object(NAME), { minItems: 1, maxItems: MAX_RESOURCES });
/** Resources, and what the user may do with each. */
export const GrantedResources = Type.Array(GrantedResource, { minItems: 1, maxItems: MAX_RESOURCES });

/** Returns the grants on resources. Throws INVALID_ARGUMENT if a folder or document names no organization. */
export function grantsOf(resources: readonly Static<typeof GrantedResource>[], path: string): TokenGrant[] {
  return resources.map(({ type, id, organizationId, accessRole = "editor", expiresAt }, index) => {
    const field = `${path}[${index}].organizationId`;
    const organization = organizationId ?? (type === "organization" ? id : undefined);
    if (organization === undefined) throw invalidField(field, `is required for a ${type}`);
    if (type === "organization" && organization !== id) throw invalidField(field, "must be the id or be left out");
    return { type, id, organizationId: organization, accessRole, ...(expiresAt !== undefined && { expiresAt }) };
  });
}

/** Throws INVALID_ARGUMENT if a resource is repeated. */
export function refuseRepeatedResources(grants: readonly TokenGrant[], path: string): void {
  const names = grants.map(({ type, organizationId, id }) => JSON.stringify([type, organizationId, id]));
  const [first, ...others] = names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: `${path}[${index}].id`, message: "is repeated in this request" }] : [],
  );
  if (first) throw invalidFields(first, ...others);
}
