import type { Database } from "../../database/database.ts";
import { DAY_MS, type DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteAuditEntriesBefore } from "./audit-queries.ts";

/** Returns the function that deletes the entries of the audit log that are older than `retentionDays`. */
export function deleteExpiredAuditEntries(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => deleteAuditEntriesBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
