import type { Logger } from "pino";
import type { Database } from "../../database/database.ts";
import { deleteExpiredRows, startExpiry } from "../../database/expiry.ts";
import { deleteExpired } from "./queries.ts";

/** Deletes the entries that reads have left out since their 24 hours passed; the last may stay an hour longer. */
export function deleteExpiredPresence(database: Database): Promise<void> {
  return deleteExpiredRows((limit) => deleteExpired(database, limit));
}

/** Does so every 10 minutes. `stop` waits for the statement at hand. */
export function startPresenceExpiry(database: Database, log: Logger): { stop(): Promise<void> } {
  return startExpiry("expired presence", (limit) => deleteExpired(database, limit), log);
}
