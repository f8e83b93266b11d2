import { getAccess, getAccessFields } from "../../contract/access-context.ts";
import { areEqual } from "../../json/record-texts.ts";
import type { EventDetails, EventKind, NewEvent } from "../event-log/event.ts";
import type { AnnotationRef, StoredAnnotation } from "./annotations/annotation.ts";
import type { NewComment } from "./comments/comment.ts";
import type { AddedComment } from "./comments/new-comments.ts";
import { isFieldChanged, UPDATED_FIELDS } from "./triggers/build-triggers.ts";

/** Who has caused an event, if known, and what webhooks report about it. */
interface Cause {
  userId?: string | undefined;
  details?: EventDetails | undefined;
}

export function buildAnnotationEvent(
  { documentId, annotationId }: AnnotationRef,
  kind: EventKind,
  { userId, details }: Cause = {},
): NewEvent {
  return { documentId, kind, subject: { annotationId }, userId, details };
}

/** Returns the events that tell each user alone that the user has read annotations of a document. */
export function buildReadEvents(documentId: string, userIds: readonly string[]): NewEvent[] {
  const event = { documentId, kind: "comment_annotation.read", subject: {}, audience: "user" } as const;
  return [...new Set(userIds)].map((userId) => ({ ...event, userId }));
}

/** Returns an event for each of the comments. `ids` are further ones of what has changed. */
export function buildCommentEvents(
  changed: AnnotationRef,
  kind: EventKind,
  comments: Iterable<Cause & { commentId: number }>,
  ids: { reaction?: string } = {},
): NewEvent[] {
  return [...comments].map(({ commentId, ...cause }) => {
    const event = buildAnnotationEvent(changed, kind, cause);
    return { ...event, subject: { ...event.subject, commentId, ...ids } };
  });
}

/** Returns the IDs of added comments, with their authors and whether they were added with `triggerNotification`. */
export function getAddedCommentCauses(
  given: readonly Pick<NewComment, "triggerNotification">[],
  written: readonly Pick<AddedComment, "commentId" | "from">[],
): (Cause & { commentId: number })[] {
  return written.map(({ commentId, from: { userId } }, index) => {
    const details = given[index]?.triggerNotification ? ({ triggerNotification: true } as const) : undefined;
    return { commentId, userId, details };
  });
}

/**
 * Returns the events of a changed annotation: one for each field with a kind of its own, and one for a suggestion that
 * was accepted or rejected. An update is added if there are none of these, or the visibility has changed. If viewers
 * may have lost it, deletions for all former ones come first; readers who still see the annotation do not get them.
 */
export function buildChangeEvents(
  changed: AnnotationRef,
  before: StoredAnnotation,
  after: StoredAnnotation,
  userId: string | undefined,
): NewEvent[] {
  const events = UPDATED_FIELDS.filter(({ field }) => isFieldChanged(field, before, after)).map(
    ({ field, actionType }) =>
      buildAnnotationEvent(changed, actionType, { userId, details: getDetails(field, before, after) }),
  );
  const verdict = after.suggestion?.status;
  if (verdict !== before.suggestion?.status && verdict !== undefined && verdict !== "pending") {
    const kind = verdict === "accepted" ? "suggestion_accept" : "suggestion_reject";
    events.push(buildAnnotationEvent(changed, `comment_annotation.${kind}`, { userId }));
  }
  const accessModeChanged = isVisibilityChanged(before, after) && ({ accessModeChanged: true } as const);
  if (events.length === 0 || accessModeChanged) {
    events.push(
      buildAnnotationEvent(changed, "comment_annotation.update", { userId, details: accessModeChanged || undefined }),
    );
  }
  const mayBeHidden = accessModeChanged || !areEqual(before.context ?? null, after.context ?? null);
  const hidden = mayBeHidden ? [buildAnnotationEvent(changed, "comment_annotation.delete", { userId })] : [];
  return [...toViewerEvents(hidden, before), ...events];
}

/** Returns whether other users may see the annotation. The order of their IDs does not matter. */
function isVisibilityChanged(...annotations: [StoredAnnotation, StoredAnnotation]): boolean {
  const [before, after] = annotations.map(({ visibilityConfig }) => {
    const { userIds = [], organizationIds = [] } = visibilityConfig ?? {};
    const lists = { userIds: userIds.toSorted(), organizationIds: organizationIds.toSorted() };
    return { ...visibilityConfig, ...lists };
  });
  return !areEqual(before, after);
}

function getDetails(
  field: (typeof UPDATED_FIELDS)[number]["field"],
  before: StoredAnnotation,
  { status, assignedTo, priority }: StoredAnnotation,
): EventDetails {
  if (field === "status") return { oldStatus: before.status, newStatus: status };
  if (field === "assignedTo") return { assigned: Boolean(assignedTo) };
  return typeof priority === "string" ? { newPriority: priority } : {};
}

/** Returns events for those who saw an annotation by the visibility and access context that it had. */
export function toViewerEvents(
  events: readonly NewEvent[],
  { visibilityConfig, context }: Pick<StoredAnnotation, "visibilityConfig" | "context">,
): NewEvent[] {
  const access = getAccess(context);
  const restricted = events.map((event) => ({ ...event, accessFields: access && getAccessFields(access) }));
  if (!visibilityConfig) return restricted;
  const audience = visibilityConfig.type === "organizationPrivate" ? "organization" : "backend";
  return restricted.flatMap((event) => [
    { ...event, audience },
    ...(visibilityConfig.userIds ?? []).map((userId) => ({ ...event, audience: "user" as const, userId })),
  ]);
}
