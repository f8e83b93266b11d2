import { type AccessRole, type EndUser, includesRole } from "../contract/end-user.ts";
import type { EndUserRule } from "../contract/end-user-rule.ts";
import { invalidField, ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { isObject } from "../json/is-object.ts";
import { fillIdentity } from "./end-user-identity.ts";
import { compileValidation, type InvalidValue } from "./validation.ts";

/** Resources that a request names. */
interface NamedResources {
  organizationId: string;
  documentIds: string[];
}

/**
 * Returns the roles of the user on the documents, in their order; null denies access. Throws PERMISSION_DENIED if the
 * organization does not exist or is disabled.
 */
export type FindRoles = (
  workspace: Workspace,
  user: EndUser,
  resources: NamedResources,
) => Promise<readonly (AccessRole | null)[]>;

/** Checks of the requests of users, for one operation. */
export interface EndUserChecks {
  /** Fills in the identity of the user. Throws if the body names somebody else, or what users may not send. */
  prepare(body: unknown, user: EndUser): void;
  /** Returns what users may not send in `data`. */
  findInvalid(data: object): InvalidValue[];
  /** Returns the number of records that a valid request adds, 0 if the rule does not say. */
  countAdded(request: object): number;
  /**
   * Returns the role of the user on the document that the valid request names; undefined if it names none or several.
   * Throws unless the user has the role that the operation needs on everything that the request names.
   */
  authorize(request: object, caller: { workspace: Workspace; user: EndUser }): Promise<AccessRole | undefined>;
}

export function compileEndUserRule(rule: EndUserRule, findRoles: FindRoles): EndUserChecks {
  const { adds = [] } = rule;
  const validate = rule.request && compileValidation(rule.request, "operation for user tokens");
  return {
    findInvalid: (data) => validate?.findInvalid(data) ?? [],
    countAdded: (request) => adds.reduce((sum, path) => sum + countItems(request, path.split(".")), 0),
    prepare(body, user) {
      if (isObject(body)) fillIdentity(rule, body.data, user);
      validate?.(body);
    },
    async authorize(request, caller) {
      const named = rule.on === "resources" ? getListedDocuments(request) : [getNamedResources(request, rule)];
      const roles: AccessRole[] = [];
      for (const resources of named) roles.push(...(await requireRole(rule.role, findRoles, caller, resources)));
      return roles.length === 1 ? roles[0] : undefined;
    },
  };
}

/** Returns the number of items of the lists that a path leads to, by fields of objects and of the items of lists. */
function countItems(value: unknown, [name = "", ...rest]: string[]): number {
  const list = isObject(value) ? value[name] : undefined;
  if (!Array.isArray(list)) return rest.length === 0 ? 0 : countItems(list, rest);
  return rest.length === 0 ? list.length : list.reduce((sum: number, item) => sum + countItems(item, rest), 0);
}

/** Returns the roles of the user on the documents. Throws unless each includes the one that is needed. */
async function requireRole(
  needed: AccessRole,
  findRoles: FindRoles,
  { workspace, user }: { workspace: Workspace; user: EndUser },
  resources: NamedResources,
): Promise<AccessRole[]> {
  const roles = await findRoles(workspace, user, resources);
  return resources.documentIds.map((documentId, index) => {
    const role = roles[index] ?? null;
    if (role !== null && includesRole(role, needed)) return role;
    throw denied(documentId, role, needed);
  });
}

/** Returns the organization and the documents that a request names. */
function getNamedResources(request: object, { on }: EndUserRule): NamedResources {
  const { organizationId, documentId, documentIds = [] }: Record<string, unknown> = { ...request };
  if (typeof organizationId !== "string") throw invalidField("data.organizationId", "is required with a user token");
  if (on === "organization") return { organizationId, documentIds: [] };
  const named = [documentId, ...(Array.isArray(documentIds) ? documentIds : [])].filter((id) => typeof id === "string");
  if (on === "documents" && named.length === 0) {
    throw invalidField("data.documentId", "is required with a user token");
  }
  return { organizationId, documentIds: [...new Set(named)] };
}

/** Returns the documents in the list of resources of a valid request, by organization. */
function getListedDocuments(request: {
  permissions?: { resources: { organizationId: string; id: string }[] };
}): NamedResources[] {
  const resources = request.permissions?.resources ?? [];
  return [...Map.groupBy(resources, ({ organizationId }) => organizationId)].map(([organizationId, listed]) => ({
    organizationId,
    documentIds: [...new Set(listed.map(({ id }) => id))],
  }));
}

/** What a role that does not suffice allows. */
const ABILITIES: Partial<Record<AccessRole, string>> = {
  viewer: "can only read",
  commenter: "can only read and comment in",
  editor: "can only read and write in",
};

function denied(documentId: string, role: AccessRole | null, requiredRole: AccessRole): ServiceError {
  const ability = (role && ABILITIES[role]) ?? "has no access to";
  const problem = `The user ${ability} document ${JSON.stringify(documentId)}.`;
  return new ServiceError("access_denied", `${problem} The operation needs the role ${requiredRole}.`, {
    details: { requiredRole },
  });
}
