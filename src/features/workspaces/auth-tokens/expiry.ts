import type { Database } from "../../../database/database.ts";
import { DAY_MS, type DeleteExpiredChunk } from "../../../database/expiry.ts";
import { deleteTokensRevokedBefore } from "./auth-token-queries.ts";

/** Returns the function that deletes the tokens that were revoked more than `retentionDays` ago. */
export function deleteExpiredRevokedTokens(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => deleteTokensRevokedBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
