import type { RecordInDocument } from "../../database/records.ts";
import type { NewEvent } from "../event-log/event.ts";
import type { AddCall } from "./adding/add-activities-queries.ts";

/** Returns the events of added activities. */
export function eventsOfAdding({ organizationKey, documentId, rows }: AddCall): NewEvent[] {
  return eventsOfActivities(
    "activity.add",
    organizationKey,
    rows.map(({ id }) => ({ id, documentId })),
  );
}

/** Returns an event for each of the activities. */
export function eventsOfActivities(
  kind: "activity.add" | "activity.update" | "activity.delete",
  organizationKey: string,
  activities: readonly RecordInDocument[],
): NewEvent[] {
  return activities.map(({ id, documentId }) => ({ organizationKey, documentId, kind, subject: { id } }));
}
