import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { deleteOldEvents } from "./event-log-queries.ts";

/** Returns the function that deletes events that are older than the retention. */
export function deleteExpiredEvents(database: Database, retentionMs: number): DeleteExpiredChunk {
  return (limit) => deleteOldEvents(acrossOrganizations(database), retentionMs, limit);
}
