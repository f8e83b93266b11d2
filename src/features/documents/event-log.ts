import type { NewEvent } from "../event-log/event.ts";

/** Returns the events of documents that are added or changed. */
export function eventsOfDocuments(organizationKey: string, documentIds: readonly string[]): NewEvent[] {
  return documentIds.map((id) => ({ organizationKey, documentId: id, kind: "document.update", subject: { id } }));
}
