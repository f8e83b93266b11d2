import type { Database } from "../../database/database.ts";
import { DAY_MS, type DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteRequestsBefore } from "./request-log-queries.ts";

/** Returns the function that deletes requests older than `retentionDays`, with the addresses of their clients. */
export function deleteExpiredRequests(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => deleteRequestsBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
