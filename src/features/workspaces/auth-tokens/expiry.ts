import type { Database } from "../../../database/database.ts";
import type { DeleteExpiredChunk } from "../../../database/expiry.ts";
import { deleteTokensRevokedBefore } from "./auth-token-queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the function that deletes the tokens that were revoked more than `retentionDays` ago. */
export function deleteExpiredRevokedTokens(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => deleteTokensRevokedBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
