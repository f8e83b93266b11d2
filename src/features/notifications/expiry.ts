import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { recordStoredEvents } from "../event-log/record-events.ts";
import { expireByOrganization } from "../purge/expire-by-organization.ts";
import { lockNotificationsBefore, PURGE_CHUNK_NOTIFICATIONS } from "./notification-purge-queries.ts";
import { deleteNotificationRows } from "./notification-queries.ts";

/**
 * Returns the function that deletes notifications that are older than `retentionDays`, for everyone. One event for all
 * that a transaction deletes tells inboxes to read again.
 */
export function deleteExpiredNotifications(database: Database, retentionDays: number): DeleteExpiredChunk {
  return expireByOrganization(database, {
    table: "notifications",
    retentionDays,
    chunkRows: PURGE_CHUNK_NOTIFICATIONS,
    async purge(scope, time, limit) {
      const sequences = await lockNotificationsBefore(scope, time, limit);
      await deleteNotificationRows(scope, sequences);
      const event = { kind: "notification.update" as const, documentId: undefined, subject: {} };
      await recordStoredEvents(scope, sequences.length > 0 ? [event] : []);
      return sequences.length;
    },
  });
}
