import type { AccessRole, Grant } from "../src/contract/end-user.ts";
import type { Api } from "../src/operations.ts";
import type { TestWorkspace } from "./harness.ts";

type Asked = Omit<Api["/v2/auth/permissions/get"]["request"], "organizationId" | "userIds">;
type PermissionsResponse = Api["/v2/auth/permissions/get"]["response"];
type ExplainRequest = Api["/v2/auth/permissions/explain"]["request"];
type Explanation = Api["/v2/auth/permissions/explain"]["response"];
type Permission = NonNullable<PermissionsResponse[string]>["organization"][string];

/** Returns a resource of an organization, given as `document contract-7`, `folder a` or `organization`. */
export function resourceNamed(resource: string, organizationId = "acme") {
  const [type = "", id = organizationId] = resource.split(" ");
  return { type: typeNamed(type), id, organizationId };
}

function typeNamed(type: string): Grant["type"] {
  if (type === "organization" || type === "folder" || type === "document") return type;
  throw new Error(`${type} is not a resource type`);
}

/** Gives a user a role on a resource. */
export function grant(
  workspace: TestWorkspace,
  userId: string,
  resource: string,
  accessRole?: AccessRole,
  { organizationId, expiresAt }: { organizationId?: string; expiresAt?: number } = {},
) {
  const end = expiresAt === undefined ? {} : { expiresAt };
  const resources = [{ ...resourceNamed(resource, organizationId), ...(accessRole && { accessRole }), ...end }];
  return workspace.result("/v2/auth/permissions/add", { user: { userId }, permissions: { resources } });
}

export function removeGrant(workspace: TestWorkspace, userId: string, resource: string, organizationId?: string) {
  const resources = [resourceNamed(resource, organizationId)];
  return workspace.result("/v2/auth/permissions/remove", { userId, permissions: { resources } });
}

/** Reads what a user may do: by resource, the role or the code of the error, and the access type if there is one. */
export async function getAccess(
  workspace: TestWorkspace,
  userId: string,
  asked: Asked = {},
  organizationId = "acme",
): Promise<{ [resource: string]: string }> {
  const request = { organizationId, userIds: [userId], skipResourceExistenceValidation: true, ...asked };
  const {
    organization = {},
    folders = {},
    documents = {},
  } = (await workspace.data("/v2/auth/permissions/get", request))[userId] ?? {};
  const text = ({ accessRole, accessType, errorCode }: Permission) =>
    [errorCode ?? accessRole, ...(accessType === undefined ? [] : [accessType])].join(" ");
  const named = (type: string, permissions: Record<string, Permission>) =>
    Object.entries(permissions).map(([id, permission]) => [`${type} ${id}`, text(permission)]);
  return Object.fromEntries([
    ...Object.values(organization).map((permission) => ["organization", text(permission)]),
    ...named("folder", folders),
    ...named("document", documents),
  ]);
}

/** Reads the role of a user on a document, or why there is none. */
export async function getRole(workspace: TestWorkspace, userId: string, documentId: string): Promise<string> {
  const access = await getAccess(workspace, userId, { documentIds: [documentId] });
  return (access[`document ${documentId}`] ?? "").split(" ")[0] ?? "";
}

/** Reads who has access to a folder or document of the organization, from all pages. */
export async function explain(workspace: TestWorkspace, asked: Omit<ExplainRequest, "organizationId">) {
  const users: Explanation["users"] = [];
  let pageToken: string | undefined;
  for (;;) {
    const request = { organizationId: "acme", ...asked, ...(pageToken && { pageToken }) };
    const page = await workspace.result("/v2/auth/permissions/explain", request);
    users.push(...page.data.users);
    if (page.pageToken === undefined) return { ...page.data, users };
    pageToken = page.pageToken;
  }
}
