import type { Database } from "../database/database.ts";
import { startExpiry } from "../database/expiry.ts";
import { deleteExpiredAuditEntries } from "../features/audit/expiry.ts";
import { startPresenceExpiry } from "../features/presence/expiry.ts";
import { deleteExpiredSignInRows } from "../features/sign-in/expiry.ts";
import { deleteOldUserTokenRevocations } from "../features/user-tokens/expiry.ts";
import type { StartContext } from "./start-context.ts";

/** Starts to delete expired presence, sessions, login links, revocations and audit entries from time to time. */
export async function startExpiryTimers({ config, log, resources }: StartContext, database: Database): Promise<void> {
  const presence = startPresenceExpiry(database, log);
  resources.defer(() => presence.stop());
  const signIn = startExpiry("expired sessions and links", deleteExpiredSignInRows(database), log);
  resources.defer(() => signIn.stop());
  const revocations = startExpiry("old revocations of user tokens", deleteOldUserTokenRevocations(database), log);
  resources.defer(() => revocations.stop());
  const audit = startExpiry(
    "the oldest audit entries",
    deleteExpiredAuditEntries(database, config.auditRetentionDays),
    log,
  );
  resources.defer(() => audit.stop());
}
