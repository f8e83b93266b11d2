import type { Logger } from "pino";
import type { Database } from "../../database/database.ts";
import { deleteExpiredRows, startExpiry } from "../../database/expiry.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { deleteExpired } from "./presence-queries.ts";

/** Deletes expired entries, which reads already leave out. An entry is stored for at most one more hour. */
export function deleteExpiredPresence(database: Database): Promise<void> {
  return deleteExpiredRows((limit) => deleteExpired(acrossOrganizations(database), limit));
}

/** Deletes expired entries every 10 minutes. `stop` waits for the running statement. */
export function startPresenceExpiry(database: Database, log: Logger): { stop(): Promise<void> } {
  return startExpiry("expired presence", (limit) => deleteExpired(acrossOrganizations(database), limit), log);
}
