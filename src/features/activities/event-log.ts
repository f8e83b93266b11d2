import type { NewEvent } from "../event-log/event.ts";
import type { RecordInDocument } from "../tenancy/record-queries.ts";
import type { AddCall } from "./adding/add-activities-queries.ts";

/** Returns the events of added activities. */
export function toAddEvents({ documentId, rows }: AddCall): NewEvent[] {
  return toActivityEvents(
    "activity.add",
    rows.map(({ id }) => ({ id, documentId })),
  );
}

/** Returns an event for each of the activities. */
export function toActivityEvents(
  kind: "activity.add" | "activity.update" | "activity.delete",
  activities: readonly RecordInDocument[],
): NewEvent[] {
  return activities.map(({ id, documentId }) => ({ documentId, kind, subject: { id } }));
}
