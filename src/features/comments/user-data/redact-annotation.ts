import type { Mentions } from "../../purge/mentions.ts";
import { annotationColumns, readAnnotation } from "../annotations/annotation.ts";
import { commentColumns, readComment } from "../comments/comment.ts";
import type { AnnotationWithComments, FoundComment } from "./comment-purge-queries.ts";

/** Fields that name no user, and those with content of the document, which stays. A selector may name users. */
export const KEPT_OF_ANNOTATIONS: ReadonlySet<string> = new Set([
  ...["annotationId", "type", "commentType", "metadata"],
  ...["anchor.editorId", "anchor.start", "anchor.end", "anchor.quote", "anchorState", "anchorText"],
]);

export interface AnnotationChange {
  id: string;
  sequence: number;
  /** Comments by the users, which are purged. */
  ownComments: { sequence: number; id: number }[];
  /** Comments by others, without mentions of the users. */
  comments: ({ annotationSequence: number; id: number } & ReturnType<typeof commentColumns>)[];
  /** Number of reactions of the users, which are purged. */
  ownReactions: number;
  /** Reactions of others, without mentions of the users. */
  redactedReactions: AnnotationWithComments["reactions"];
  /** Whether one of the users has started the annotation. */
  isOwn: boolean;
  /** The annotation's new columns, if they change; the user ID is empty if one of the users has started it. */
  annotation: ({ id: string; sequence: number } & ReturnType<typeof annotationColumns>) | undefined;
}

/** Returns the change of an annotation, or undefined if it has nothing of the users. */
export function getChange(
  found: AnnotationWithComments,
  userIds: ReadonlySet<string>,
  mentions: Mentions,
): AnnotationChange | undefined {
  const { sequence } = found;
  const own = found.comments.filter(({ userId }) => userIds.has(userId));
  const others = found.comments.filter(({ userId }) => !userIds.has(userId));
  const comments = others.flatMap((comment) => {
    const record = redactComment(comment, userIds, mentions);
    if (record === undefined) return [];
    return [{ ...commentColumns(readComment(record)), annotationSequence: sequence, id: comment.id }];
  });
  const ownReactions = found.reactions.filter(({ userId }) => userIds.has(userId)).length;
  const redactedReactions = found.reactions.flatMap((reaction) => {
    const record = userIds.has(reaction.userId) ? undefined : mentions.redact(reaction.record);
    return record === undefined ? [] : [{ ...reaction, record }];
  });
  const isOwn = userIds.has(found.userId);
  const columns = redactAnnotation(found.record, isOwn, userIds, mentions);
  const annotation = columns && { ...columns, id: found.id, sequence };
  const ownComments = own.map(({ id }) => ({ sequence, id }));
  const isUnchanged = ownComments.length + comments.length + ownReactions + redactedReactions.length === 0;
  if (isUnchanged && !annotation) return undefined;
  return { id: found.id, sequence, ownComments, comments, ownReactions, redactedReactions, isOwn, annotation };
}

/** Returns the new record, or undefined if it stays unchanged. The text of a removed tag becomes plain text. */
function redactComment({ record }: FoundComment, userIds: ReadonlySet<string>, mentions: Mentions): string | undefined {
  const comment = readComment(record);
  const text = JSON.stringify({
    ...comment,
    ...(comment.taggedUserContacts && {
      taggedUserContacts: comment.taggedUserContacts.filter(({ userId }) => !userIds.has(userId)),
    }),
    ...(comment.taggedUserGroups && {
      taggedUserGroups: comment.taggedUserGroups.map((tag) => {
        return { ...tag, userIds: tag.userIds.filter((userId) => !userIds.has(userId)) };
      }),
    }),
  });
  const redacted = mentions.including(comment).redact(text) ?? text;
  return redacted === JSON.stringify(comment) ? undefined : redacted;
}

/**
 * Returns the new columns and record of an annotation's own fields, or undefined if they stay unchanged. The IDs of its
 * location and status stay unchanged.
 */
function redactAnnotation(
  record: string,
  isOwn: boolean,
  userIds: ReadonlySet<string>,
  mentions: Mentions,
): ReturnType<typeof annotationColumns> | undefined {
  const before = readAnnotation(record);
  const { assignedTo } = before;
  const given = {
    ...before,
    ...(isOwn && { from: undefined }),
    ...(assignedTo && userIds.has(assignedTo.userId) && { assignedTo: null }),
  };
  const text = JSON.stringify(given);
  const after = readAnnotation(mentions.redact(text, KEPT_OF_ANNOTATIONS) ?? text);
  const columns = annotationColumns({
    ...after,
    ...(before.location && { location: { ...after.location, id: before.location.id } }),
    status: { ...after.status, id: before.status.id },
  });
  return JSON.stringify(columns.record) === JSON.stringify(before) ? undefined : columns;
}
