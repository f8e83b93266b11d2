import type { Database } from "../../../database/database.ts";
import { DAY_MS, type DeleteExpiredChunk } from "../../../database/expiry.ts";
import { clearDeletionsBefore } from "./receipt-queries.ts";

/** Returns the function that clears user IDs and who asked from deletions that are older than `retentionDays`. */
export function clearExpiredDeletions(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => clearDeletionsBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
