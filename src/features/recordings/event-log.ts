import type { RecordInDocument } from "../../database/records.ts";
import type { NewEvent } from "../event-log/event.ts";

/** Returns the events of recordings that are added, changed or deleted. */
export function eventsOfRecordings(
  kind: "recorder.done" | "recorder.update" | "recorder.delete",
  organizationKey: string,
  recordings: readonly (RecordInDocument & { userId?: string | null })[],
): NewEvent[] {
  return recordings.map(({ id, documentId, userId }) => ({
    ...{ organizationKey, documentId, kind, subject: { annotationId: id } },
    userId: userId ?? undefined,
  }));
}
