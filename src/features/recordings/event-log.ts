import type { NewEvent } from "../event-log/event.ts";
import type { RecordInDocument } from "../tenancy/record-queries.ts";

/** Returns the events of recordings that are added, changed or deleted. */
export function buildRecordingEvents(
  kind: "recorder.done" | "recorder.update" | "recorder.delete",
  recordings: readonly (RecordInDocument & { userId?: string | null | undefined })[],
): NewEvent[] {
  return recordings.map(({ id, documentId, userId }) => ({
    ...{ documentId, kind, subject: { annotationId: id } },
    userId: userId ?? undefined,
  }));
}
