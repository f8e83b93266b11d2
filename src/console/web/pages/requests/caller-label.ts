import type { LoggedRequest } from "../../api/records.ts";

interface Caller {
  authTokenId: string | null;
  userId?: string | null | undefined;
}

/** Returns who sent a request, in words. */
export function callerLabel(
  { reason, ...caller }: Pick<LoggedRequest, "authTokenId" | "reason" | "userId">,
  tokenNames: ReadonlyMap<string, string>,
): string {
  return knownCaller(caller, tokenNames) ?? (reason === "auth_token_invalid" ? "unknown auth token" : "user token");
}

/** Returns a caller in words; undefined if it is not known. */
export function knownCaller(
  { authTokenId, userId }: Caller,
  tokenNames: ReadonlyMap<string, string>,
): string | undefined {
  if (authTokenId !== null) return `auth token ${tokenNames.get(authTokenId) ?? authTokenId}`;
  return typeof userId === "string" ? `user ${userId}` : undefined;
}
