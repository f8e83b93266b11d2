import type { Queryable } from "../../database/statement.ts";
import { userKey } from "../tenancy/organization-key.ts";
import { upsertRevocations } from "./user-token-queries.ts";

/**
 * Revokes the tokens that users have been issued up to `revokedAt`, which is a time of the database's clock. The
 * transaction must end after that millisecond, so that no token that is issued after it has the same time.
 */
export async function revokeUserTokens(
  transaction: Queryable,
  { workspaceId, userIds, revokedAt }: { workspaceId: string; userIds: readonly string[]; revokedAt: number },
): Promise<void> {
  const userKeys = [...new Set(userIds)].map(userKey);
  await upsertRevocations(transaction, { workspaceId, userKeys, revokedAt });
}
