import Type, { type Static } from "typebox";
import { toIdentifiedItems } from "../../../contract/change-items.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, perId } from "../../../contract/schema.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { OWN_RULE } from "../../permitted-changes/change-rule.ts";
import { findDeniedChanges } from "../../permitted-changes/find-denied-changes.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { lockAnnotation } from "../annotations/locked-annotation.ts";
import { DELETE_COMMENTS } from "../end-user-rules.ts";
import { buildCommentEvents, toViewerEvents } from "../event-log.ts";
import { buildDeletionTriggers } from "../triggers/build-triggers.ts";
import { withActivities } from "../triggers/deletion-activities.ts";
import { withdrawNotifications } from "../triggers/follow-changes.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import { CommentIds, CommentResult } from "./comment.ts";
import { deleteCommentRows, selectCommentAuthors } from "./comment-queries.ts";
import { refreshAnnotations } from "./comment-refresh-queries.ts";

const Request = withActivities({
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
    "itself is kept; use `/v2/commentannotations/delete` to delete it. An ID that does not exist fails alone. Users " +
    "who are not moderators delete their own comments; those of others fail with the `reason` `access_denied`.\n\n" +
    "With `triggerActivities`, which requires `actionUser`, each comment writes an activity `comment.delete`.",
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
  { database, workspace, jobs, user }: Context,
  { organizationId, commentIds, actionUser, triggerActivities, ...annotationRef }: Static<typeof Request>,
) {
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    const annotation = await lockAnnotation(scope, user, annotationRef);
    if (!annotation) return { changed: new Set<number>(), denied: new Map() };
    const { documentId, annotationId } = annotationRef;
    const intended = { user, documentId, checkedRole: DELETE_COMMENTS.role, rules: [OWN_RULE] };
    const authors = user ? await selectCommentAuthors(scope, annotation.sequence, commentIds) : [];
    const lacked = await findDeniedChanges(scope, intended, authors);
    const permitted = user ? authors.map(([id]) => id).filter((id) => !lacked.has(id)) : commentIds;
    const ids = await deleteCommentRows(scope, annotation.sequence, permitted);
    if (ids.size > 0) {
      await refreshAnnotations(scope, [annotation.sequence]);
      const deletedComments = { annotationId, sequence: annotation.sequence, commentIds: [...ids] };
      await withdrawNotifications(scope, documentId, [deletedComments]);
    }
    const comments = [...ids].map((commentId) => ({ commentId, userId: actionUser?.userId }));
    const events = buildCommentEvents(annotationRef, "comment.delete", comments);
    await recordEvents(scope, toViewerEvents(events, readAnnotation(annotation.record)));
    if (actionUser && triggerActivities) {
      await runTriggers(
        scope,
        jobs,
        buildDeletionTriggers(documentId, [{ ...annotation, commentIds: ids }], actionUser),
      );
    }
    return { changed: ids, denied: lacked };
  });
  return toIdentifiedItems(deleted, { changed: "Comment deleted.", missing: "Comment not found." }, commentIds);
}
