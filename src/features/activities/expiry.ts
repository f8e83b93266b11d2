import type { Database } from "../../database/database.ts";
import type { DeleteExpiredChunk } from "../../database/expiry.ts";
import { recordStoredEvents } from "../event-log/record-events.ts";
import { expireByOrganization } from "../purge/expire-by-organization.ts";
import { deleteActivitiesBefore } from "./activity-expiry-queries.ts";
import { toActivityEvents } from "./event-log.ts";

/** Returns the function that deletes activities that are older than `retentionDays`, and records that as events. */
export function deleteExpiredActivities(database: Database, retentionDays: number): DeleteExpiredChunk {
  return expireByOrganization(database, {
    table: "activities",
    retentionDays,
    chunkRows: 1_000,
    async purge(scope, time, limit) {
      const deleted = await deleteActivitiesBefore(scope, time, limit);
      await recordStoredEvents(scope, toActivityEvents("activity.delete", deleted));
      return deleted.length;
    },
  });
}
