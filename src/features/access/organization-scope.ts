import type { EndUser } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { AccessScope } from "./access-queries.ts";

/** An organization whose documents users have access to. */
export type OrganizationScope = Omit<AccessScope, "user">;

export function organizationScope(workspace: Workspace, organizationId: string): OrganizationScope {
  return { ...storedScope(workspace, organizationKey(workspace.id, organizationId)), organizationId };
}

/** Returns the scope of an organization whose ID is not known. No grant of a token is of this organization. */
export function storedScope(
  { defaultDocumentAccessType: defaultType, isContextEnabled }: Workspace,
  key: string,
): OrganizationScope {
  return { organizationKey: key, organizationId: "", defaultType, isContextEnabled };
}

/** Returns the scope of a caller with a user token; undefined for other callers, who see everything. */
export function endUserScope(
  workspace: Workspace,
  organizationId: string,
  user: EndUser | undefined,
): AccessScope | undefined {
  return user && { ...organizationScope(workspace, organizationId), user };
}
