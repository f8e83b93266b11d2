import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, keyedById, perId } from "../../../contract/schema.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { lockAnnotation } from "../annotations/locked-annotation.ts";
import { DELETE_COMMENTS } from "../end-user-rules.ts";
import { buildCommentEvents, toViewerEvents } from "../event-log.ts";
import { withdrawNotifications } from "../triggers/follow-changes.ts";
import { CommentIds, CommentResult } from "./comment.ts";
import { deleteCommentRows } from "./comment-queries.ts";
import { refreshAnnotations } from "./comment-refresh-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  annotationId: Identifier,
  commentIds: Type.Optional(CommentIds),
});

/**
 * Deletes comments; the annotation stays. Returns a result for each requested ID or, if none were sent, for each
 * deleted comment.
 */
export const deleteComments = operation({
  path: "/v2/commentannotations/comments/delete",
  aliases: ["/v1/commentannotations/comments/delete"],
  summary: "Delete comments of an annotation",
  description:
    "Deletes comments with their reactions; without `commentIds` all comments of the annotation. The annotation " +
    "itself is kept; use `/v2/commentannotations/delete` to delete it. An ID that does not exist fails alone. With a " +
    "user token, a comment of another user fails as if it did not exist.",
  message: "Comments deleted.",
  scope: "write",
  endUsers: DELETE_COMMENTS,
  request: Request,
  deletes: ["commentIds", "annotationId"],
  response: perId(CommentResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", annotationId: "annotation-1", commentIds: [1] },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, commentIds, ...annotationRef }: Static<typeof Request>,
) {
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    const annotation = await lockAnnotation(scope, user, annotationRef);
    if (!annotation) return new Set<number>();
    const ids = await deleteCommentRows(scope, annotation.sequence, { commentIds, userId: user?.userId });
    if (ids.size > 0) {
      await refreshAnnotations(scope, [annotation.sequence]);
      const { documentId, annotationId } = annotationRef;
      const deletedComments = { annotationId, sequence: annotation.sequence, commentIds: [...ids] };
      await withdrawNotifications(scope, documentId, [deletedComments]);
    }
    const comments = [...ids].map((commentId) => ({ commentId, userId: user?.userId }));
    const events = buildCommentEvents(annotationRef, "comment.delete", comments);
    await recordEvents(scope, toViewerEvents(events, readAnnotation(annotation.record)));
    return ids;
  });
  return keyedById(
    [...(commentIds ?? deleted)].map((id) => [
      String(id),
      deleted.has(id)
        ? { success: true, id, message: "Comment deleted." }
        : { success: false, id, message: "Comment not found." },
    ]),
  );
}
