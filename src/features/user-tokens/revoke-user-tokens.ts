import type { Queryable } from "../../database/statement.ts";
import { userKey } from "../tenancy/organization-key.ts";
import { upsertRevocations } from "./user-token-queries.ts";

/** Revokes the tokens that users have been issued until now. */
export async function revokeUserTokens(
  transaction: Queryable,
  { workspaceId, userIds }: { workspaceId: string; userIds: readonly string[] },
): Promise<void> {
  await upsertRevocations(transaction, { workspaceId, userKeys: [...new Set(userIds)].map(userKey) });
}
