import { invalidArgument, ServiceError } from "../../../contract/errors.ts";
import type { Queryable } from "../../../database/statement.ts";
import { type Comment, type NewComment, taggedUserIds } from "./comment.ts";
import { type CommentRow, insertComments } from "./queries.ts";

/** What a page would otherwise have to be larger than. */
const MAX_ANNOTATION_BYTES = 8 * 1024 * 1024;

/** Which of two comments with one id would stay, a caller cannot know. */
export function refuseRepeatedCommentIds(comments: NewComment[], path: string): void {
  const seen = new Set<number>();
  for (const [index, { commentId }] of comments.entries()) {
    if (commentId === undefined) continue;
    if (seen.has(commentId)) throw invalidArgument(`${path}[${index}].commentId stands in the call twice`);
    seen.add(commentId);
  }
}

/** Throws FAILED_PRECONDITION for an annotation that has grown too large; the write must then not be committed. */
export function refuseLargeAnnotation(bytes: number): void {
  if (bytes <= MAX_ANNOTATION_BYTES) return;
  throw new ServiceError(
    "FAILED_PRECONDITION",
    "The annotation would be larger than 8 MiB with its comments; start another one.",
  );
}

export interface CommentsToAdd {
  annotation: { organizationKey: string; sequence: number; lastCommentId: number; nowMs: number };
  commentData: NewComment[];
}

/** Writes comments to annotations that the transaction has locked or made. Returns the comments of each. */
export async function addToAnnotations(transaction: Queryable, additions: CommentsToAdd[]): Promise<Comment[][]> {
  const added = additions.map(({ annotation, commentData }) => withIds(commentData, annotation));
  const rows = additions.flatMap(({ annotation }, index) =>
    (added[index] ?? []).map((comment) => toRow(annotation, comment)),
  );
  const nowMs = additions[0]?.annotation.nowMs ?? 0;
  refuseLargeAnnotation(await insertComments(transaction, rows, nowMs));
  return added;
}

/** An id that is left out is one more than the largest there has been. */
function withIds(commentData: NewComment[], { lastCommentId, nowMs }: CommentsToAdd["annotation"]): Comment[] {
  let last = Math.max(lastCommentId, ...commentData.map(({ commentId = 0 }) => commentId));
  return commentData.map(({ commentId, triggerNotification: _n, triggerActivities: _a, ...fields }) => {
    const id = commentId ?? ++last;
    return { commentId: id, createdAt: nowMs, lastUpdated: nowMs, ...fields, reactions: [] };
  });
}

function toRow({ organizationKey, sequence }: CommentsToAdd["annotation"], comment: Comment): CommentRow {
  return {
    organizationKey,
    annotationSequence: sequence,
    id: comment.commentId,
    userId: comment.from.userId,
    taggedUserIds: taggedUserIds(comment),
    record: JSON.stringify(comment),
  };
}
