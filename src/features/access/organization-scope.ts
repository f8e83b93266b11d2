import type { EndUser } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import type { AccessScope } from "./queries.ts";

/** An organization whose documents users have access to. */
export type OrganizationScope = Omit<AccessScope, "user">;

export function organizationScope(
  { id, defaultDocumentAccessType: defaultType, isContextEnabled }: Workspace,
  organizationId: string,
): OrganizationScope {
  return { organizationKey: organizationKey(id, organizationId), organizationId, defaultType, isContextEnabled };
}

/** Returns the scope of a caller with a user token; undefined for other callers, who see everything. */
export function endUserScope(
  workspace: Workspace,
  organizationId: string,
  user: EndUser | undefined,
): AccessScope | undefined {
  return user && { ...organizationScope(workspace, organizationId), user };
}
