import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { WINDOW_MS } from "./rate-limit.ts";
import { deleteEndedSessions } from "./sessions/session-queries.ts";
import { deleteExpiredLinks, deleteOldAttempts } from "./sign-in-queries.ts";

/** Returns the function that deletes expired links, ended sessions and old attempts, none of which has an effect. */
export function deleteExpiredSignInRows(database: Database): DeleteExpiredChunk {
  return async (limit) => {
    const deleted = [
      await deleteExpiredLinks(database, limit),
      await deleteEndedSessions(database, limit),
      await deleteOldAttempts(database, WINDOW_MS, limit),
    ];
    return Math.max(...deleted);
  };
}
