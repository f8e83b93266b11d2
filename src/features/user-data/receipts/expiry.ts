import type { Database } from "../../../database/database.ts";
import type { DeleteExpiredChunk } from "../../../database/expiry.ts";
import { clearDeletionsBefore } from "./receipt-queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the function that clears user IDs and who asked from deletions that are older than `retentionDays`. */
export function clearExpiredDeletions(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => clearDeletionsBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
