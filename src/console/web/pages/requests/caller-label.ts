import type { LoggedRequest } from "../../api/records.ts";

/** Returns who sent a request, in words. */
export function callerLabel(
  { authTokenId, reason, userId }: Pick<LoggedRequest, "authTokenId" | "reason" | "userId">,
  tokenNames: ReadonlyMap<string, string>,
): string {
  if (authTokenId !== null) return `auth token ${tokenNames.get(authTokenId) ?? authTokenId}`;
  if (userId !== undefined) return `user ${userId}`;
  return reason === "auth_token_invalid" ? "unknown auth token" : "user token";
}
