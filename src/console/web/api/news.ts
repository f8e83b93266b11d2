import type { RequestData } from "./call.ts";
import type { CurlRequest } from "./curl.ts";

type EventsRequest = RequestData<"/v2/events/get">;
type Kind = NonNullable<EventsRequest["kinds"]>[number];

/** Kinds of the events that say that a list has changed, by the operation that reads it. */
const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  "/v2/activities/get": ["activity.add", "activity.update", "activity.delete"],
  "/v2/commentannotations/get": [
    ...(["comment_annotation.add", "comment_annotation.update", "comment_annotation.delete"] as const),
    ...(["comment_annotation.status_change", "comment_annotation.assign"] as const),
    ...(["comment_annotation.priority_change", "comment.add", "comment.update", "comment.delete"] as const),
  ],
  "/v2/crdt/get": ["crdt.update_data", "crdt.delete"],
  "/v2/notifications/get": ["notification.add", "notification.update", "notification.delete"],
  "/v2/organizations/documents/figures/get": ["document.update", "document.delete"],
  "/v2/organizations/documents/get": ["document.update", "document.delete"],
  "/v2/recordings/get": ["recorder.done", "recorder.update", "recorder.delete"],
  "/v2/users/figures/get": ["user.update", "user.delete"],
};

/**
 * Returns the request for the events that change what a list shows. Undefined for a page other than the first, and
 * for a list with filters that events do not have.
 */
export function newsRequest({ path, data }: CurlRequest): EventsRequest | undefined {
  const kinds = KINDS[path];
  const { organizationId, documentId, pageSize: _, orderBy: _value, order: _order, ...filters } = Object(data);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (!kinds || typeof organizationId !== "string" || isFiltered) return undefined;
  return { organizationId, ...(typeof documentId === "string" && { documentId }), kinds: [...kinds] };
}

/** Returns how many records the events are about: an annotation that gets three comments is one. */
export function countRecords(events: readonly { documentId?: string; subject: object }[]): number {
  const ids = events.map(({ documentId, subject }) => {
    const { annotationId, id, editorId, userId } = Object(subject);
    return JSON.stringify([documentId, annotationId ?? id ?? editorId ?? userId]);
  });
  return new Set(ids).size;
}
