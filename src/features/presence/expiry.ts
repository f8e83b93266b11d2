import type { Database } from "../../database/database.ts";
import { type DeleteExpiredChunk, deleteExpiredRows } from "../../database/expiry.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { deleteExpired } from "./presence-queries.ts";

/** Deletes expired entries, which reads already leave out. An entry is stored for at most one more hour. */
export function deleteExpiredPresence(database: Database): Promise<void> {
  return deleteExpiredRows(deletePresenceChunk(database));
}

/** Returns the function that deletes expired entries. */
export function deletePresenceChunk(database: Database): DeleteExpiredChunk {
  return (limit) => deleteExpired(acrossOrganizations(database), limit);
}
