import Type from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { Identifier, User } from "../../../contract/schema.ts";
import type { Queryable } from "../../../database/statement.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { annotationNotFound, lockAnnotation } from "../annotations/locked-annotation.ts";
import { CommentId } from "../comments/comment.ts";
import { refuseLargeAnnotation } from "../comments/new-comments.ts";
import { selectRecords } from "../comments/queries.ts";
import { touchAnnotation } from "../comments/refresh/queries.ts";
import type { LockedComment } from "./queries.ts";

export const ReactionRequest = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  annotationId: Identifier,
  commentId: CommentId,
  reaction: Identifier,
  from: User,
});

export interface ReactionAddress {
  organizationId: string;
  documentId: string;
  annotationId: string;
  commentId: number;
}

/** Locks the annotation of a comment. Throws NOT_FOUND if the annotation or comment does not exist. */
export async function lockComment(
  transaction: Queryable,
  workspace: { id: string },
  address: ReactionAddress,
): Promise<LockedComment> {
  const annotation = await lockAnnotation(transaction, workspace, address);
  if (!annotation) throw annotationNotFound();
  const key = organizationKey(workspace.id, address.organizationId);
  const { commentId } = address;
  const found = await selectRecords(transaction, key, annotation.sequence, [commentId]);
  if (!found.has(commentId)) throw new ServiceError("not_found", "data.commentId names no comment of this annotation.");
  return { organizationKey: key, annotationSequence: annotation.sequence, commentId };
}

/** Updates the time and the size of the comment's annotation. */
export async function resizeAnnotation(
  transaction: Queryable,
  { organizationKey, annotationSequence }: LockedComment,
  addedBytes: number,
): Promise<void> {
  refuseLargeAnnotation(await touchAnnotation(transaction, organizationKey, annotationSequence, addedBytes));
}
