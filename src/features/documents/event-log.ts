import type { NewEvent } from "../event-log/event.ts";

/** Returns the events of documents that are added or changed, or deleted. */
export function buildDocumentEvents(
  documentIds: readonly string[],
  kind: "document.update" | "document.delete" = "document.update",
): NewEvent[] {
  return documentIds.map((id) => ({ documentId: id, kind, subject: { id } }));
}
