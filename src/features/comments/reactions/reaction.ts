import Type from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { Identifier, User } from "../../../contract/schema.ts";
import type { Queryable } from "../../../database/statement.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { annotationNotFound, lockAnnotation } from "../annotations/locked-annotation.ts";
import { type Comment, CommentId, readComment, taggedUserIds } from "../comments/comment.ts";
import { refuseLargeAnnotation } from "../comments/new-comments.ts";
import { replaceComments, selectRecords, touchAnnotation } from "../comments/queries.ts";

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

/** A locked comment whose reactions are changed. */
export interface ReactedComment {
  organizationKey: string;
  annotationSequence: number;
  comment: Comment;
}

/** Locks the annotation of a comment. Throws NOT_FOUND if the annotation or comment does not exist. */
export async function lockComment(
  transaction: Queryable,
  workspace: { id: string },
  address: ReactionAddress,
): Promise<ReactedComment> {
  const annotation = await lockAnnotation(transaction, workspace, address);
  if (!annotation) throw annotationNotFound();
  const key = organizationKey(workspace.id, address.organizationId);
  const records = await selectRecords(transaction, key, annotation.sequence, [address.commentId]);
  const record = records.get(address.commentId);
  if (record === undefined) throw new ServiceError("not_found", "data.commentId names no comment of this annotation.");
  return { organizationKey: key, annotationSequence: annotation.sequence, comment: readComment(record) };
}

/** Replaces the reactions in the comment's record. */
export async function replaceReactions(
  transaction: Queryable,
  { organizationKey, annotationSequence, comment }: ReactedComment,
  reactions: Comment["reactions"],
): Promise<void> {
  const record = JSON.stringify({ ...comment, reactions });
  const row = { annotationSequence, id: comment.commentId, taggedUserIds: taggedUserIds(comment), record };
  await replaceComments(transaction, organizationKey, [row]);
  const addedBytes = Buffer.byteLength(record) - Buffer.byteLength(JSON.stringify(comment));
  refuseLargeAnnotation(await touchAnnotation(transaction, organizationKey, annotationSequence, addedBytes));
}
