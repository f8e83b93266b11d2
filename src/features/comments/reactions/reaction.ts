import Type from "typebox";
import type { EndUser } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { Identifier, User } from "../../../contract/schema.ts";
import type { Queryable } from "../../../database/statement.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { annotationNotFound, lockAnnotation } from "../annotations/locked-annotation.ts";
import { CommentId } from "../comments/comment.ts";
import { selectRecords } from "../comments/comment-queries.ts";
import { touchAnnotation } from "../comments/comment-refresh-queries.ts";
import { refuseLargeAnnotation } from "../comments/new-comments.ts";
import { commentEvents } from "../event-log.ts";
import type { LockedComment } from "./reaction-queries.ts";

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
  caller: { workspace: Workspace; user: EndUser | undefined },
  address: ReactionAddress,
): Promise<LockedComment> {
  const annotation = await lockAnnotation(transaction, caller, address);
  if (!annotation) throw annotationNotFound();
  const key = organizationKey(caller.workspace.id, address.organizationId);
  const { commentId } = address;
  const found = await selectRecords(transaction, key, annotation.sequence, [commentId]);
  if (!found.has(commentId))
    throw new ServiceError("not_found", "The annotation has no comment with the ID in data.commentId.");
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

/** Writes the event of a reaction to the log. */
export async function recordReaction(
  transaction: Queryable,
  workspace: Workspace,
  kind: "comment.reaction_add" | "comment.reaction_delete",
  { organizationId, documentId, annotationId, commentId }: ReactionAddress,
  { reaction, from: { userId } }: { reaction: string; from: User },
): Promise<void> {
  const changed = { organizationKey: organizationKey(workspace.id, organizationId), documentId, annotationId };
  await recordEvents(transaction, workspace, () => commentEvents(changed, kind, [{ commentId, userId }], { reaction }));
}
