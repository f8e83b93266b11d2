import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteAuditEntriesBefore } from "./audit-queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the function that deletes the entries of the audit log that are older than `retentionDays`. */
export function deleteExpiredAuditEntries(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => deleteAuditEntriesBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
