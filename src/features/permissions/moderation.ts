import Type from "typebox";
import { ACCESS_ROLES, type EndUser, type Grant, includesRole } from "../../contract/end-user.ts";
import type { EndUserRule } from "../../contract/end-user-rule.ts";
import { invalidField, ServiceError } from "../../contract/errors.ts";
import type { Workspace } from "../../contract/operation.ts";
import { Identifier, Identifiers, PageToken } from "../../contract/schema.ts";
import type { EffectiveGrant } from "../access/access-queries.ts";
import { Expiry, MAX_RESOURCES, RESOURCES_PATH } from "../access/resource.ts";
import { selectAccess } from "../access/resource-access-queries.ts";
import { DocumentIds } from "../documents/document.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";

// Users manage the permissions on documents that they moderate, and on nothing else.

const NAME = { type: Type.Literal("document"), id: Identifier, organizationId: Identifier };
const ROLE = { accessRole: Type.Optional(Type.Enum(ACCESS_ROLES)), expiresAt: Type.Optional(Expiry) };
const moderator = { role: "moderator" } as const;
const listOf = (fields: typeof NAME) =>
  Type.Object({ resources: Type.Array(Type.Object(fields), { minItems: 1, maxItems: MAX_RESOURCES }) });

export const ADD: EndUserRule = {
  ...moderator,
  on: "resources",
  adds: ["permissions.resources"],
  request: Type.Object({ user: Type.Object({ userId: Identifier }), permissions: listOf({ ...NAME, ...ROLE }) }),
};

export const REMOVE: EndUserRule = {
  ...moderator,
  on: "resources",
  request: Type.Object({ userId: Identifier, permissions: listOf(NAME) }),
};

export const GET: EndUserRule = {
  ...moderator,
  on: "documents",
  request: Type.Object({
    organizationId: Identifier,
    userIds: Identifiers,
    documentIds: DocumentIds,
    skipResourceExistenceValidation: Type.Optional(Type.Boolean()),
  }),
};

export const EXPLAIN: EndUserRule = {
  ...moderator,
  on: "documents",
  request: Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    pageSize: Type.Optional(Type.Integer()),
    pageToken: Type.Optional(PageToken),
  }),
};

/** Throws PERMISSION_DENIED unless the caller moderates the documents at this moment. A backend may change all. */
export async function requireModerator(
  scope: InTransaction<OrganizationScope<Workspace>>,
  user: EndUser | undefined,
  documentIds: readonly string[],
): Promise<Map<string, EffectiveGrant>> {
  if (!user) return new Map();
  const { documents } = await selectAccess(scope, user, { documentIds });
  return new Map(
    documentIds.map((id) => {
      const own = documents.get(id)?.grant;
      if (own && includesRole(own.accessRole, "moderator")) return [id, own];
      throw new ServiceError("access_denied", `The user does not moderate document ${JSON.stringify(id)}.`, {
        details: { requiredRole: "moderator" },
      });
    }),
  );
}

/**
 * Throws PERMISSION_DENIED if users would give themselves permissions. A role that only their token grants would
 * outlast it, and a call in flight would undo the removal of their role.
 */
export function rejectOwnGrants(user: EndUser | undefined, userId: string): void {
  if (user?.userId !== userId) return;
  throw new ServiceError("access_denied", "Users cannot give themselves permissions. Ask another moderator.");
}

/** Throws INVALID_ARGUMENT if a grant ends after the caller's own: a moderator for an hour gives access for an hour. */
export function rejectLongerGrants(own: ReadonlyMap<string, EffectiveGrant>, grants: readonly Grant[]): void {
  for (const { id, expiresAt = Number.POSITIVE_INFINITY } of grants) {
    const end = own.get(id)?.expiresAt;
    if (end === undefined || expiresAt <= end) continue;
    const problem = `for document ${JSON.stringify(id)} needs an expiresAt of at most ${end}`;
    throw invalidField(RESOURCES_PATH, `${problem}, when the permission of the caller ends`);
  }
}
