import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { MAX_LIFETIME_SECONDS } from "./user-token.ts";
import { deleteOldRevocations } from "./user-token-queries.ts";

/** Age at which every token has expired: an hour more than the longest lifetime, for clocks that differ. */
export const OLD_TOKENS_MS = (MAX_LIFETIME_SECONDS + 3_600) * 1000;

/** Returns the function that deletes revocations of tokens that have all expired. */
export function deleteOldUserTokenRevocations(database: Database): DeleteExpiredChunk {
  return (limit) => deleteOldRevocations(database, OLD_TOKENS_MS, limit);
}
