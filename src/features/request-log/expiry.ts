import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { deleteRequestsBefore } from "./request-log-queries.ts";

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Returns the function that deletes requests that are older than 30 days, with the addresses of their clients. */
export function deleteExpiredRequests(database: Database): DeleteExpiredChunk {
  return (limit) => deleteRequestsBefore(database, Date.now() - RETENTION_MS, limit);
}
