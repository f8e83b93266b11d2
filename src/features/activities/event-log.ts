import type { NewEvent } from "../event-log/event.ts";
import type { RecordInDocument } from "../tenancy/record-queries.ts";
import type { AddCall } from "./adding/add-activities-queries.ts";

/** Returns the events of added activities. */
export function eventsOfAdding({ documentId, rows }: AddCall): NewEvent[] {
  return eventsOfActivities(
    "activity.add",
    rows.map(({ id }) => ({ id, documentId })),
  );
}

/** Returns an event for each of the activities. */
export function eventsOfActivities(
  kind: "activity.add" | "activity.update" | "activity.delete",
  activities: readonly RecordInDocument[],
): NewEvent[] {
  return activities.map(({ id, documentId }) => ({ documentId, kind, subject: { id } }));
}
