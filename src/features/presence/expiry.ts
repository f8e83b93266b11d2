import type { Logger } from "pino";
import type { Database } from "../../database/database.ts";
import { deleteExpired } from "./queries.ts";

const INTERVAL_MS = 10 * 60 * 1000;
const ENTRIES_PER_STATEMENT = 1_000;

/** Deletes the entries that reads have left out since their 24 hours passed; the last may stay an hour longer. */
export async function deleteExpiredPresence(database: Database, mayGoOn: () => boolean = () => true): Promise<void> {
  let deleted: number;
  do deleted = await deleteExpired(database, ENTRIES_PER_STATEMENT);
  while (deleted === ENTRIES_PER_STATEMENT && mayGoOn());
}

/** Does so every 10 minutes. `stop` waits for the statement at hand. */
export function startPresenceExpiry(database: Database, log: Logger): { stop(): Promise<void> } {
  let isStopped = false;
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = deleteExpiredPresence(database, () => !isStopped).catch((err: unknown) => {
      log.warn({ err }, "expired presence could not be deleted");
    });
  }, INTERVAL_MS);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
