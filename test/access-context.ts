import type { Api } from "../src/operations.ts";
import type { TestWorkspace } from "./harness.ts";

type Resource = Api["/v2/auth/permissions/add"]["request"]["permissions"]["resources"][number];
type Pairs = Record<string, string | number>;

/** Returns pairs as a resource of an organization. */
export function buildContext(access: Pairs, organizationId = "acme"): Resource {
  return { type: "context", organizationId, context: { access } };
}

/** Turns the comparison of access contexts on or off. */
export function enableContext(workspace: TestWorkspace, isContextEnabled = true) {
  return workspace.data("/v2/workspace/apikeyconfig/update", { isContextEnabled });
}

/** Grants pairs to a user. */
export function grantPairs(
  workspace: TestWorkspace,
  userId: string,
  access: Pairs,
  { expiresAt, organizationId }: { expiresAt?: number; organizationId?: string } = {},
) {
  const resources = [{ ...buildContext(access, organizationId), ...(expiresAt !== undefined && { expiresAt }) }];
  return workspace.data("/v2/auth/permissions/add", { user: { userId }, permissions: { resources } });
}

/** Removes pairs of a user. */
export function removePairs(workspace: TestWorkspace, userId: string, access: Pairs, organizationId?: string) {
  const resources = [buildContext(access, organizationId)];
  return workspace.data("/v2/auth/permissions/remove", { userId, permissions: { resources } });
}
