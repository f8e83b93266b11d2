import { formatBytes } from "../../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import type { EndUser } from "../../../contract/end-user.ts";
import { limitError } from "../../../contract/limit-error.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { rejectRepeatedIds } from "../../../contract/repeated-ids.ts";
import { withTexts } from "../../../json/record-texts.ts";
import { referenceFiles } from "../../files/reference-files.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { commentColumns, type NewComment, type StoredComment } from "./comment.ts";
import { insertComments } from "./comment-queries.ts";
import { readTaggedGroups, type WithMembers } from "./tagged-groups.ts";

const MAX_ANNOTATION = formatBytes(RECORD_LIMITS.annotationBytes);

/** Throws INVALID_ARGUMENT if a comment id is repeated. `list` names the field with the comments. */
export function rejectRepeatedCommentIds(comments: NewComment[], list: string): void {
  const ids = comments.map(({ commentId }) => commentId);
  rejectRepeatedIds(ids, list, "commentId");
}

/** Throws FAILED_PRECONDITION if an annotation has become too large; the transaction must then roll back. */
export function rejectLargeAnnotation(bytes: number): void {
  if (bytes <= RECORD_LIMITS.annotationBytes) return;
  throw limitError(
    "annotation_size",
    `The annotation would exceed ${MAX_ANNOTATION} with its comments. Start another annotation.`,
  );
}

export interface NewCommentsOf {
  annotation: { sequence: number; lastCommentId: number; nowMs: number };
  commentData: CommentData[];
}

/** A new comment. `isUpdated` says of an imported one that it was changed after it was written. */
type CommentData = NewComment & { isUpdated?: boolean };
type PlacedComment = WithMembers<CommentData> & AddedComment;

export interface AddedComment extends StoredComment {
  commentId: number;
}

/**
 * Adds comments to annotations of an organization that the transaction has locked or inserted. Returns the comments of
 * each. New annotations keep their time of the last change. `user` is the calling user, who can name own files only.
 */
export async function insertNewComments(
  scope: InTransaction<OrganizationScope<Workspace>>,
  additions: NewCommentsOf[],
  { isNew, user }: { isNew: boolean; user: EndUser | undefined },
): Promise<AddedComment[][]> {
  const comments = additions.flatMap(({ commentData }) => commentData);
  const addMembers = await readTaggedGroups(scope, comments, user);
  const added = additions.map(({ annotation, commentData }) => withIds(commentData, annotation).map(addMembers));
  const placed = additions.flatMap(({ annotation }, index) =>
    (added[index] ?? []).map((comment) => toPlaced(annotation.sequence, comment)),
  );
  const nowMs = additions[0]?.annotation.nowMs ?? 0;
  const named = await referenceFiles(scope, placed, user?.userId);
  const rows = named.map(({ sequence, ...comment }) => toRow({ sequence, nowMs }, comment));
  if (rows.length === 0) return added;
  rejectLargeAnnotation(await insertComments(scope, withTexts(rows), nowMs, { isNew }));
  return added;
}

/** Returns a comment with the number of its annotation, and as the owner of the files that it references. */
function toPlaced<Comment extends AddedComment>(sequence: number, comment: Comment) {
  return { owner: { annotationSequence: sequence, commentId: comment.commentId }, record: { ...comment, sequence } };
}

/** Adds missing ids. A new id is one more than the largest id ever used in the annotation. */
function withIds(
  commentData: CommentData[],
  { lastCommentId }: NewCommentsOf["annotation"],
): (CommentData & { commentId: number })[] {
  let last = Math.max(lastCommentId, ...commentData.map(({ commentId = 0 }) => commentId));
  return commentData.map((comment) => ({ ...comment, commentId: comment.commentId ?? ++last }));
}

/** Makes the row of a comment. What has a column of its own is not in the record. */
function toRow({ sequence, nowMs }: { sequence: number; nowMs: number }, comment: PlacedComment) {
  const { commentId, createdAt = nowMs, lastUpdated, isCommentTextAvailable: _i, ...sent } = comment;
  const { triggerNotification: _n, triggerActivities: _a, isUpdated = false, ...stored } = sent;
  const datedAt = untilNow(createdAt, nowMs);
  return {
    ...commentColumns(stored),
    annotationSequence: sequence,
    id: commentId,
    datedAt,
    lastUpdated: isoTime(lastUpdated ?? datedAt, nowMs),
    isTextAvailable: isTextAvailable(comment),
    isUpdated,
  };
}

/** Returns whether a comment has a text, unless the caller says so. */
export function isTextAvailable({
  isCommentTextAvailable,
  commentText,
}: Pick<NewComment, "isCommentTextAvailable" | "commentText">): boolean {
  return isCommentTextAvailable ?? Boolean(commentText);
}

/** Returns the time, or the current time for one in the future, by a caller's clock that is ahead. */
export function untilNow(time: number, nowMs: number): number {
  return Math.min(time, nowMs);
}

/** Returns the time in ISO 8601, the current time for one in the future. */
export function isoTime(time: number, nowMs: number): string {
  return new Date(untilNow(time, nowMs)).toISOString();
}
