import Type from "typebox";
import type { EndUser } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { Identifier, User } from "../../../contract/schema.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import type { AnnotationRef } from "../annotations/annotation.ts";
import { annotationNotFound, lockAnnotation } from "../annotations/locked-annotation.ts";
import { CommentId } from "../comments/comment.ts";
import { selectRecords } from "../comments/comment-queries.ts";
import { touchAnnotation } from "../comments/comment-refresh-queries.ts";
import { rejectLargeAnnotation } from "../comments/new-comments.ts";
import { buildCommentEvents } from "../event-log.ts";
import type { LockedComment } from "./reaction-queries.ts";

export const ReactionRequest = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  annotationId: Identifier,
  commentId: CommentId,
  reaction: Identifier,
  from: User,
});

export interface CommentRef extends AnnotationRef {
  commentId: number;
}

/** Locks the annotation of a comment. Throws NOT_FOUND if the annotation or comment does not exist. */
export async function lockComment(
  scope: InTransaction<OrganizationScope<Workspace>>,
  user: EndUser | undefined,
  commentRef: CommentRef,
): Promise<LockedComment> {
  const annotation = await lockAnnotation(scope, user, commentRef);
  if (!annotation) throw annotationNotFound();
  const { commentId } = commentRef;
  const found = await selectRecords(scope, annotation.sequence, [commentId]);
  if (!found.has(commentId))
    throw new ServiceError("not_found", "The annotation has no comment with the ID in data.commentId.");
  return { annotationSequence: annotation.sequence, commentId };
}

/** Updates the time and the size of the comment's annotation. */
export async function resizeAnnotation(
  scope: OrganizationScope,
  { annotationSequence }: LockedComment,
  addedBytes: number,
): Promise<void> {
  rejectLargeAnnotation(await touchAnnotation(scope, annotationSequence, addedBytes));
}

/** Writes the event of a reaction to the log. */
export async function recordReaction(
  scope: OrganizationScope<Workspace>,
  kind: "comment.reaction_add" | "comment.reaction_delete",
  { commentId, ...annotationRef }: CommentRef,
  { reaction, from: { userId } }: { reaction: string; from: User },
): Promise<void> {
  await recordEvents(scope, buildCommentEvents(annotationRef, kind, [{ commentId, userId }], { reaction }));
}
