import Type, { type Static } from "typebox";
import { AccessPairs, getAccessFields } from "../../contract/access-context.ts";
import { ACCESS_ROLES, GRANT_TYPES, type Grant } from "../../contract/end-user.ts";
import { invalidField, invalidFields } from "../../contract/errors.ts";
import { NOT_ROOT, ROOT } from "../../contract/folder-id.ts";
import { Identifier } from "../../contract/schema.ts";

/** Maximum of a time in seconds since the epoch, about the year 31,688. */
const MAX_SECONDS = 999_999_999_999;
/** Maximum number of resources in a request. */
export const MAX_RESOURCES = 100;

/** Time at which a grant ends. */
export const Expiry = Type.Integer({
  minimum: 0,
  maximum: MAX_SECONDS,
  description: "Time in seconds since the epoch at which the grant ends. A past time grants nothing.",
});

const NAME = {
  type: Type.Enum(GRANT_TYPES),
  id: Type.Optional(Identifier),
  organizationId: Type.Optional(Identifier),
  context: Type.Optional(
    Type.Object({ access: AccessPairs }, { description: "The pairs of an access context, if `type` is `context`." }),
  ),
};

const GrantedResource = Type.Object({
  ...NAME,
  accessRole: Type.Optional(
    Type.Enum(ACCESS_ROLES, { default: "editor", description: "The role is not accepted if `type` is `context`." }),
  ),
  expiresAt: Type.Optional(Expiry),
});
type GrantedResource = Static<typeof GrantedResource>;

/** Organizations, folders, documents and pairs of access contexts. */
export const Resources = Type.Array(Type.Object(NAME), { minItems: 1, maxItems: MAX_RESOURCES });
/** Resources, and what the user may do with each. */
export const GrantedResources = Type.Array(GrantedResource, { minItems: 1, maxItems: MAX_RESOURCES });

/** Path of the resources in a request. */
export const RESOURCES_PATH = "data.permissions.resources";

/**
 * Returns the grants on the resources of a request. Throws INVALID_ARGUMENT if a resource lacks a field of its type, or
 * if a resource or a pair is repeated.
 */
export function toGrants(resources: readonly GrantedResource[]): Grant[] {
  const grants = resources.map((resource, index) => {
    const at = `${RESOURCES_PATH}[${index}]`;
    return resource.type === "context" ? toContextGrants(resource, at) : [grantOn(resource, at)];
  });
  rejectRepeated(grants);
  return grants.flat();
}

function toContextGrants({ id, organizationId, context, accessRole, expiresAt }: GrantedResource, at: string): Grant[] {
  if (organizationId === undefined) throw invalidField(`${at}.organizationId`, "is required for a context");
  if (context === undefined) throw invalidField(`${at}.context`, "is required for a context");
  if (id !== undefined) throw invalidField(`${at}.id`, "is not a field of a context");
  if (accessRole !== undefined) throw invalidField(`${at}.accessRole`, "is not a field of a context");
  const fields = getAccessFields(context.access);
  if (fields.length === 0) throw invalidField(`${at}.context.access`, "must have a field");
  const end = expiresAt === undefined ? {} : { expiresAt };
  return fields.map((field) => ({ type: "context", id: field, organizationId, accessRole: "viewer", ...end }));
}

function grantOn(resource: GrantedResource, at: string): Grant {
  const { type, id, organizationId, context, accessRole = "editor", expiresAt } = resource;
  if (id === undefined) throw invalidField(`${at}.id`, "is required");
  if (context !== undefined) throw invalidField(`${at}.context`, `is not a field of a resource of type ${type}`);
  const organization = organizationId ?? (type === "organization" ? id : undefined);
  if (organization === undefined) throw invalidField(`${at}.organizationId`, `is required for a ${type}`);
  if (type === "folder" && id === ROOT) throw invalidField(`${at}.id`, NOT_ROOT);
  if (type === "organization" && organization !== id) {
    throw invalidField(`${at}.organizationId`, "must be the id or be left out");
  }
  return { type, id, organizationId: organization, accessRole, ...(expiresAt !== undefined && { expiresAt }) };
}

function rejectRepeated(grants: readonly Grant[][]): void {
  const known = new Set<string>();
  const [first, ...others] = grants.flatMap((resourceGrants, index) =>
    resourceGrants.flatMap(({ type, organizationId, id }) => {
      const name = JSON.stringify([type, organizationId, id]);
      if (!known.has(name)) {
        known.add(name);
        return [];
      }
      const field = type === "context" ? "context.access" : "id";
      return [{ path: `${RESOURCES_PATH}[${index}].${field}`, message: "is repeated in this request" }];
    }),
  );
  if (first) throw invalidFields(first, ...others);
}
