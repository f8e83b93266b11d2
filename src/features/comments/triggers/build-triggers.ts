import { getAccess } from "../../../contract/access-context.ts";
import { getCommentText } from "../../../contract/comment-text.ts";
import type { User } from "../../../contract/schema.ts";
import { areEqual } from "../../../json/record-texts.ts";
import { readAnnotation, type StoredAnnotation } from "../annotations/annotation.ts";
import { type NewComment, taggedUserIds, taggedUsers } from "../comments/comment.ts";
import type { AddedComment } from "../comments/new-comments.ts";
import type { CommentTrigger } from "./comment-trigger.ts";

interface Subject {
  documentId: string;
  annotationId: string;
  annotationSequence: number;
  fields: Pick<StoredAnnotation, "assignedTo" | "location" | "context" | "visibilityConfig">;
  /** Participants before the event; empty for a new annotation. */
  participants: Iterable<string>;
  isNew: boolean;
}

/** Returns the triggers of comments that were added to one annotation, in their order. */
export function buildCommentTriggers(
  { documentId, annotationId, annotationSequence, fields, participants, isNew }: Subject,
  given: NewComment[],
  written: AddedComment[],
): CommentTrigger[] {
  const earlier = new Set(participants);
  const assigned = fields.assignedTo ? [fields.assignedTo] : [];
  return written.map((comment, index) => {
    const tagged = taggedUsers(comment);
    const trigger: CommentTrigger = {
      actionType: isNew && index === 0 ? "comment_annotation.add" : "comment.add",
      actionUser: comment.from,
      documentId,
      annotationId,
      annotationSequence,
      locationId: fields.location?.id,
      commentId: comment.commentId,
      commentText: getCommentText(comment),
      access: getAccess(fields.context),
      visibilityConfig: fields.visibilityConfig,
      concerned: [...tagged, ...assigned],
      participants: [...earlier],
      tagged,
      triggerActivities: given[index]?.triggerActivities,
      triggerNotification: given[index]?.triggerNotification,
    };
    earlier.add(comment.from.userId);
    return trigger;
  });
}

/** Fields whose changes have a trigger of their own. */
export const UPDATED_FIELDS = [
  { field: "status", actionType: "comment_annotation.status_change" },
  { field: "assignedTo", actionType: "comment_annotation.assign" },
  { field: "priority", actionType: "comment_annotation.priority_change" },
] as const;

export const UPDATE_TRIGGERS = UPDATED_FIELDS.map(({ actionType }) => actionType);

/**
 * Returns whether a field has changed: the ID of the assignee, the priority, or the ID of the status or another field
 * that it had before and has now. Fields that only one of the two has are not compared, because the service adds some.
 */
export function isFieldChanged(
  field: (typeof UPDATED_FIELDS)[number]["field"],
  before: Pick<StoredAnnotation, "status" | "assignedTo" | "priority">,
  after: Pick<StoredAnnotation, "status" | "assignedTo" | "priority">,
): boolean {
  if (field === "assignedTo") return before.assignedTo?.userId !== after.assignedTo?.userId;
  if (field === "priority") return !areEqual(before.priority ?? null, after.priority ?? null);
  const names = Object.keys(after.status).filter((name) => Object.hasOwn(before.status, name));
  return names.some((name) => Reflect.get(before.status, name) !== Reflect.get(after.status, name));
}

/** Returns one trigger for each of status, assignment and priority that changed. */
export function buildAnnotationTriggers(
  { id: annotationId, sequence: annotationSequence }: { id: string; sequence: number },
  before: StoredAnnotation,
  after: StoredAnnotation,
  common: Pick<CommentTrigger, "documentId" | "actionUser" | "triggerActivities" | "triggerNotification">,
  participants: string[],
): CommentTrigger[] {
  const assigned = after.assignedTo ? [after.assignedTo] : [];
  return UPDATED_FIELDS.flatMap(({ field, actionType }) => {
    if (!isFieldChanged(field, before, after)) return [];
    const change = { from: before[field] ?? null, to: after[field] ?? null };
    const trigger: CommentTrigger = {
      ...common,
      actionType,
      annotationId,
      annotationSequence,
      locationId: after.location?.id,
      access: getAccess(after.context),
      visibilityConfig: after.visibilityConfig,
      changes: { [field]: change },
      concerned: assigned,
      participants,
      ...(field === "assignedTo" && { assignee: assigned[0] }),
    };
    return [trigger];
  });
}

/** Returns the triggers of deletions, which only write activities: of annotations, or of comments in one. */
export function buildDeletionTriggers(
  documentId: string,
  deleted: { id: string; sequence: number; record: string; commentIds?: Iterable<number> }[],
  actionUser: User,
): CommentTrigger[] {
  return deleted.flatMap(({ id: annotationId, sequence: annotationSequence, record, commentIds = [undefined] }) => {
    const { location, context, visibilityConfig } = readAnnotation(record);
    const trigger = {
      ...{ actionUser, documentId, annotationId, annotationSequence, visibilityConfig, triggerActivities: true },
      ...{ locationId: location?.id, access: getAccess(context), concerned: [], participants: [] },
    };
    return [...commentIds].map((commentId): CommentTrigger => {
      return commentId === undefined
        ? { ...trigger, actionType: "comment_annotation.delete" }
        : { ...trigger, actionType: "comment.delete", commentId };
    });
  });
}

/** Returns one trigger for each comment that tags a user whom it did not tag before. */
export function buildTagTriggers(
  subject: Pick<
    CommentTrigger,
    "documentId" | "annotationId" | "annotationSequence" | "locationId" | "access" | "visibilityConfig"
  >,
  updates: { before: AddedComment; after: AddedComment }[],
  actionUser: User | undefined,
): CommentTrigger[] {
  return updates.flatMap(({ before, after }) => {
    const earlier = new Set(taggedUserIds(before));
    const concerned = taggedUsers(after).filter(({ userId }) => !earlier.has(userId));
    if (concerned.length === 0) return [];
    const { commentId, from } = after;
    const trigger: CommentTrigger = {
      ...subject,
      actionType: "comment.update",
      actionUser: actionUser ?? from,
      commentId,
      commentText: getCommentText(after),
      concerned,
      participants: [],
      triggerNotification: true,
    };
    return [trigger];
  });
}
