import type { EndUser } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import { type OrganizationKey, organizationKey } from "../tenancy/organization-key.ts";
import type { AccessScope } from "./access-queries.ts";

/** What decides access to the documents of an organization, whoever the user is. */
export type AccessRules = Omit<AccessScope, "user">;

export function accessRules(workspace: Workspace, organizationId: string): AccessRules {
  return { ...storedAccessRules(workspace, organizationKey(workspace.id, organizationId)), organizationId };
}

/** Returns the rules of an organization whose ID is not known. No grant of a token is of this organization. */
export function storedAccessRules(
  { defaultDocumentAccessType: defaultType, isContextEnabled }: Workspace,
  key: OrganizationKey,
): AccessRules {
  return { organizationKey: key, organizationId: "", defaultType, isContextEnabled };
}

/** Returns the scope of a caller with a user token; undefined for other callers, who see everything. */
export function endUserScope(
  workspace: Workspace,
  organizationId: string,
  user: EndUser | undefined,
): AccessScope | undefined {
  return user && { ...accessRules(workspace, organizationId), user };
}
