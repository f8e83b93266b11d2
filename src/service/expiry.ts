import type { Database } from "../database/database.ts";
import { type DeleteExpiredChunk, startExpiry } from "../database/expiry.ts";
import { deleteExpiredActivities } from "../features/activities/expiry.ts";
import { deleteExpiredAuditEntries } from "../features/audit/expiry.ts";
import { deleteExpiredAutomaticVersions } from "../features/crdt/versions/automatic/expiry.ts";
import { deleteExpiredMigrations } from "../features/documents/migration/expiry.ts";
import { deleteExpiredEvents } from "../features/event-log/expiry.ts";
import { deleteUnreferencedFiles } from "../features/files/remove-files.ts";
import { deleteExpiredIdempotencyKeys } from "../features/idempotency/expiry.ts";
import { deleteExpiredDeliveries } from "../features/mails/deliveries/expiry.ts";
import { deleteExpiredNotifications } from "../features/notifications/expiry.ts";
import { deleteOldTokenGrantRemovals } from "../features/permissions/removed/expiry.ts";
import { deletePresenceChunk } from "../features/presence/expiry.ts";
import { deleteExpiredRequests } from "../features/request-log/expiry.ts";
import { deleteExpiredSignInRows } from "../features/sign-in/expiry.ts";
import { clearExpiredDeletions } from "../features/user-data/receipts/expiry.ts";
import { deleteOldUserTokenRevocations } from "../features/user-tokens/expiry.ts";
import { deleteExpiredMessages } from "../features/webhooks/delivery/retention/expiry.ts";
import { deleteExpiredRevokedTokens } from "../features/workspaces/auth-tokens/expiry.ts";
import type { FileStore } from "../files/file-store.ts";
import type { StartContext } from "./start-context.ts";

/** Numbers of rows that this process has deleted because they had expired, by kind. */
export type ExpiredRows = Readonly<Record<string, number>>;

/** Starts to delete, from time to time, what has expired. Nothing else deletes rows for their age. */
export async function startExpiryTimers(
  context: StartContext,
  database: Database,
  files: FileStore,
): Promise<ExpiredRows> {
  const { log, resources } = context;
  const expired: Record<string, number> = {};
  for (const [kind, deleteChunk] of Object.entries(getExpiring(context, database, files))) {
    expired[kind] = 0;
    const counted: DeleteExpiredChunk = async (limit) => {
      const count = await deleteChunk(limit);
      expired[kind] = (expired[kind] ?? 0) + count;
      return count;
    };
    const expiry = startExpiry(kind, counted, log);
    resources.defer(() => expiry.stop());
  }
  return expired;
}

/** Returns what deletes each kind of rows that expire. */
function getExpiring(
  { config }: StartContext,
  database: Database,
  files: FileStore,
): Record<string, DeleteExpiredChunk> {
  const { activityRetentionDays, notificationRetentionDays, auditRetentionDays } = config;
  return {
    ...(activityRetentionDays > 0 && { activities: deleteExpiredActivities(database, activityRetentionDays) }),
    ...(notificationRetentionDays > 0 && {
      notifications: deleteExpiredNotifications(database, notificationRetentionDays),
    }),
    automatic_versions: deleteExpiredAutomaticVersions(database),
    presence: deletePresenceChunk(database),
    sign_in: deleteExpiredSignInRows(database),
    user_token_revocations: deleteOldUserTokenRevocations(database),
    token_grant_removals: deleteOldTokenGrantRemovals(database),
    document_migrations: deleteExpiredMigrations(database),
    webhook_messages: deleteExpiredMessages(database),
    mails: deleteExpiredDeliveries(database, config.mailRetentionDays),
    events: deleteExpiredEvents(database, config.eventRetentionMs),
    files: deleteUnreferencedFiles(database, files),
    idempotency_keys: deleteExpiredIdempotencyKeys(database),
    audit_entries: deleteExpiredAuditEntries(database, auditRetentionDays),
    requests: deleteExpiredRequests(database, config.requestRetentionDays),
    revoked_tokens: deleteExpiredRevokedTokens(database, auditRetentionDays),
    user_data_deletions: clearExpiredDeletions(database, auditRetentionDays),
  };
}
