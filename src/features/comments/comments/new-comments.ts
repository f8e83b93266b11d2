import { ServiceError } from "../../../contract/errors.ts";
import { refuseRepeatedIds } from "../../../contract/repeated-ids.ts";
import type { Queryable } from "../../../database/statement.ts";
import { type Comment, type NewComment, taggedUserIds } from "./comment.ts";
import { type CommentRow, insertComments } from "./queries.ts";

/** Maximum size of an annotation with its comments, which is also the maximum size of a page. */
const MAX_ANNOTATION_BYTES = 8 * 1024 * 1024;

/** Throws INVALID_ARGUMENT if a comment id is repeated. `list` names the field with the comments. */
export function refuseRepeatedCommentIds(comments: NewComment[], list: string): void {
  const ids = comments.map(({ commentId }) => commentId);
  refuseRepeatedIds(ids, list, "commentId");
}

/** Throws FAILED_PRECONDITION if an annotation has become too large; the transaction must then roll back. */
export function refuseLargeAnnotation(bytes: number): void {
  if (bytes <= MAX_ANNOTATION_BYTES) return;
  throw new ServiceError(
    "limit_reached",
    "The annotation would exceed 8 MiB with its comments. Start another annotation.",
  );
}

export interface NewCommentsOf {
  annotation: { organizationKey: string; sequence: number; lastCommentId: number; nowMs: number };
  commentData: NewComment[];
}

/** Adds comments to annotations that the transaction has locked or inserted. Returns the comments of each. */
export async function insertNewComments(transaction: Queryable, additions: NewCommentsOf[]): Promise<Comment[][]> {
  const added = additions.map(({ annotation, commentData }) => withIds(commentData, annotation));
  const rows = additions.flatMap(({ annotation }, index) =>
    (added[index] ?? []).map((comment) => toRow(annotation, comment)),
  );
  const nowMs = additions[0]?.annotation.nowMs ?? 0;
  refuseLargeAnnotation(await insertComments(transaction, rows, nowMs));
  return added;
}

/** Adds missing ids and times. A new id is one more than the largest id ever used in the annotation. */
function withIds(commentData: NewComment[], { lastCommentId, nowMs }: NewCommentsOf["annotation"]): Comment[] {
  let last = Math.max(lastCommentId, ...commentData.map(({ commentId = 0 }) => commentId));
  return commentData.map(({ commentId, triggerNotification: _n, triggerActivities: _a, ...fields }) => {
    const id = commentId ?? ++last;
    return { commentId: id, createdAt: nowMs, lastUpdated: nowMs, ...fields, reactions: [] };
  });
}

function toRow({ organizationKey, sequence }: NewCommentsOf["annotation"], comment: Comment): CommentRow {
  return {
    organizationKey,
    annotationSequence: sequence,
    id: comment.commentId,
    userId: comment.from.userId,
    taggedUserIds: taggedUserIds(comment),
    record: JSON.stringify(comment),
  };
}
