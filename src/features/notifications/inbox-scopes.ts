import type { EndUser } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import type { AccessScope, TokenGrants } from "../access/access-queries.ts";
import { accessRules } from "../access/access-rules.ts";

/** Returns the grants in the token of the caller; none without a token. */
export function getTokenGrants(caller: EndUser | undefined): TokenGrants {
  return caller ? { grants: caller.grants, issuedAt: caller.issuedAt } : { grants: [] };
}

/** Returns the access of an inbox's user in each organization; none without a user. */
export function inboxScopes(
  workspace: Workspace,
  organizationIds: string[],
  userId: string | undefined,
  caller: EndUser | undefined,
): AccessScope[] {
  if (userId === undefined) return [];
  return organizationIds.map((id) => ({
    ...accessRules(workspace, id),
    user: { userId, ...getTokenGrants(caller) },
  }));
}
