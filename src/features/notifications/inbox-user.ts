import type { EndUser } from "../../contract/end-user.ts";
import type { AccessUser, TokenGrants } from "../access/access-queries.ts";

/** Returns the grants in the token of the caller; none without a token. */
export function getTokenGrants(caller: EndUser | undefined): TokenGrants {
  if (!caller) return { grants: [] };
  const { grants, tokenNumber, issuedAfter } = caller;
  return { grants, tokenNumber, issuedAfter };
}

/** Returns the user of an inbox, for whom access is decided; undefined without a user. */
export function getInboxUser(userId: string | undefined, caller: EndUser | undefined): AccessUser | undefined {
  return userId === undefined ? undefined : { userId, ...getTokenGrants(caller) };
}
