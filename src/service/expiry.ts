import type { Database } from "../database/database.ts";
import { startExpiry } from "../database/expiry.ts";
import { startPresenceExpiry } from "../features/presence/expiry.ts";
import { deleteExpiredSignInRows } from "../features/sign-in/expiry.ts";
import type { StartContext } from "./start-context.ts";

/** Starts to delete expired presence, sessions and login links from time to time. */
export async function startExpiryTimers({ log, resources }: StartContext, database: Database): Promise<void> {
  const presence = startPresenceExpiry(database, log);
  resources.defer(() => presence.stop());
  const signIn = startExpiry("expired sessions and links", deleteExpiredSignInRows(database), log);
  resources.defer(() => signIn.stop());
}
