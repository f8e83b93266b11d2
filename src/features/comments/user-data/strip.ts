import type { Mentions } from "../../erasure/mentions.ts";
import { type AnnotationFields, readAnnotation } from "../annotations/annotation.ts";
import { readComment, taggedUserIds } from "../comments/comment.ts";
import type { AnnotationWithComments, FoundComment } from "./queries.ts";

/** Fields that name no user, or from which the purge removes users separately. */
const KEPT_OF_COMMENTS = new Set(["commentId", "createdAt", "lastUpdated", "reactions"]);
const KEPT_OF_ANNOTATIONS = new Set(["annotationId", "type", "metadata"]);

export interface AnnotationChange {
  sequence: number;
  /** Comments by the users, which are purged. */
  ownComments: { sequence: number; id: number }[];
  /** Comments by others, without mentions of the users. */
  comments: { annotationSequence: number; id: number; taggedUserIds: string[]; record: string }[];
  reactions: number;
  /** Whether one of the users has started the annotation. */
  isOwn: boolean;
  /** The annotation's new record, if it changes; `userId` is empty if one of the users has started it. */
  annotation: { sequence: number; userId: string; record: string } | undefined;
}

/** Returns the change of an annotation, or undefined if it has nothing of the users. */
export function changeOf(
  found: AnnotationWithComments,
  userIds: ReadonlySet<string>,
  mentions: Mentions,
): AnnotationChange | undefined {
  const { sequence } = found;
  const own = found.comments.filter(({ userId }) => userIds.has(userId));
  const others = found.comments.filter(({ userId }) => !userIds.has(userId));
  const comments = others.flatMap((comment) => {
    const record = stripComment(comment, found.reactions, userIds, mentions);
    if (record === undefined) return [];
    return [
      { annotationSequence: sequence, id: comment.id, taggedUserIds: taggedUserIds(readComment(record)), record },
    ];
  });
  const isOwn = userIds.has(found.userId);
  const record = stripAnnotation(found.record, isOwn, userIds, mentions);
  const annotation = record === undefined ? undefined : { sequence, userId: isOwn ? "" : found.userId, record };
  const ownComments = own.map(({ id }) => ({ sequence, id }));
  const reactions = found.reactions.length;
  if (ownComments.length + comments.length + reactions === 0 && !annotation) return undefined;
  return { sequence, ownComments, comments, reactions, isOwn, annotation };
}

/** Returns the new record, or undefined if it stays unchanged. The text of a removed tag becomes plain text. */
function stripComment(
  { id, record }: FoundComment,
  reactions: AnnotationWithComments["reactions"],
  userIds: ReadonlySet<string>,
  mentions: Mentions,
): string | undefined {
  const comment = readComment(record);
  const gone = new Set(
    reactions.flatMap(({ commentId, reaction, userId }) => (commentId === id ? [`${userId}\0${reaction}`] : [])),
  );
  const left = comment.reactions.map(({ reaction, userIds: reacting }) => {
    return { reaction, userIds: reacting.filter((userId) => !gone.has(`${userId}\0${reaction}`)) };
  });
  const text = JSON.stringify({
    ...comment,
    ...(comment.taggedUserContacts && {
      taggedUserContacts: comment.taggedUserContacts.filter(({ userId }) => !userIds.has(userId)),
    }),
    reactions: left.filter(({ userIds: reacting }) => reacting.length > 0),
  });
  const stripped = mentions.strip(text, KEPT_OF_COMMENTS) ?? text;
  return stripped === JSON.stringify(comment) ? undefined : stripped;
}

/** Returns the new record of an annotation's own fields. The ids of its location and status stay unchanged. */
function stripAnnotation(
  record: string,
  isOwn: boolean,
  userIds: ReadonlySet<string>,
  mentions: Mentions,
): string | undefined {
  const before = readAnnotation(record);
  const { assignedTo } = before;
  const given = {
    ...before,
    ...(isOwn && { from: undefined }),
    ...(assignedTo && userIds.has(assignedTo.userId) && { assignedTo: null }),
  };
  const text = JSON.stringify(given);
  const stripped = mentions.strip(text, KEPT_OF_ANNOTATIONS) ?? text;
  const after: AnnotationFields = readAnnotation(stripped);
  const whole = JSON.stringify({
    ...after,
    ...(before.location && { location: { ...after.location, id: before.location.id } }),
    ...(before.status && { status: { ...after.status, id: before.status.id } }),
  });
  return whole === JSON.stringify(before) ? undefined : whole;
}
