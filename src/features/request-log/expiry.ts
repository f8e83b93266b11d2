import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteRequestsBefore } from "./request-log-queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the function that deletes requests older than `retentionDays`, with the addresses of their clients. */
export function deleteExpiredRequests(database: Database, retentionDays: number): DeleteExpiredChunk {
  return (limit) => deleteRequestsBefore(database, Date.now() - retentionDays * DAY_MS, limit);
}
