import type { Database } from "../database/database.ts";
import { startExpiry } from "../database/expiry.ts";
import { deleteExpiredAuditEntries } from "../features/audit/expiry.ts";
import { deleteExpiredMigrations } from "../features/documents/migration/expiry.ts";
import { deleteExpiredEvents } from "../features/event-log/expiry.ts";
import { deleteExpiredIdempotencyKeys } from "../features/idempotency/expiry.ts";
import { deleteExpiredDeliveries } from "../features/mails/deliveries/expiry.ts";
import { deleteOldTokenGrantRemovals } from "../features/permissions/removed/expiry.ts";
import { startPresenceExpiry } from "../features/presence/expiry.ts";
import { deleteExpiredRequests } from "../features/request-log/expiry.ts";
import { deleteExpiredSignInRows } from "../features/sign-in/expiry.ts";
import { clearExpiredDeletions } from "../features/user-data/receipts/expiry.ts";
import { deleteOldUserTokenRevocations } from "../features/user-tokens/expiry.ts";
import { deleteExpiredMessages } from "../features/webhooks/delivery/retention/expiry.ts";
import { deleteExpiredRevokedTokens } from "../features/workspaces/auth-tokens/expiry.ts";
import type { StartContext } from "./start-context.ts";

/** Starts to delete, from time to time, what has expired: from presence to the statuses of migrations. */
export async function startExpiryTimers({ config, log, resources }: StartContext, database: Database): Promise<void> {
  const presence = startPresenceExpiry(database, log);
  resources.defer(() => presence.stop());
  const signIn = startExpiry("expired sessions and links", deleteExpiredSignInRows(database), log);
  resources.defer(() => signIn.stop());
  const revocations = startExpiry("old revocations of user tokens", deleteOldUserTokenRevocations(database), log);
  resources.defer(() => revocations.stop());
  const removals = startExpiry("old removals of token grants", deleteOldTokenGrantRemovals(database), log);
  resources.defer(() => removals.stop());
  const migrations = startExpiry("old statuses of migrations", deleteExpiredMigrations(database), log);
  resources.defer(() => migrations.stop());
  const messages = startExpiry("old messages to webhooks", deleteExpiredMessages(database), log);
  resources.defer(() => messages.stop());
  const mails = startExpiry("old mails of the delivery log", deleteExpiredDeliveries(database), log);
  resources.defer(() => mails.stop());
  const retentionMs = config.eventRetentionMs;
  const events = startExpiry("old events", deleteExpiredEvents(database, retentionMs), log);
  resources.defer(() => events.stop());
  const keys = startExpiry("old idempotency keys", deleteExpiredIdempotencyKeys(database), log);
  resources.defer(() => keys.stop());
  const audit = startExpiry(
    "the oldest audit entries",
    deleteExpiredAuditEntries(database, config.auditRetentionDays),
    log,
  );
  resources.defer(() => audit.stop());
  const requests = startExpiry("old requests of the request log", deleteExpiredRequests(database), log);
  resources.defer(() => requests.stop());
  const tokens = startExpiry(
    "old revoked tokens",
    deleteExpiredRevokedTokens(database, config.auditRetentionDays),
    log,
  );
  resources.defer(() => tokens.stop());
  const deletions = startExpiry(
    "user IDs of old deletions",
    clearExpiredDeletions(database, config.auditRetentionDays),
    log,
  );
  resources.defer(() => deletions.stop());
}
