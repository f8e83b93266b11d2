import Type, { type Static } from "typebox";
import { getAccess } from "../../../contract/access-context.ts";
import { getCommentText } from "../../../contract/comment-text.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, keyedById, perId, User } from "../../../contract/schema.ts";
import { parseRecord, withTexts } from "../../../json/record-texts.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { lockAnnotation } from "../annotations/locked-annotation.ts";
import { UPDATE_COMMENTS } from "../end-user-rules.ts";
import { buildCommentEvents } from "../event-log.ts";
import { buildTagTriggers } from "../triggers/build-triggers.ts";
import { updateNotifiedTexts } from "../triggers/follow-changes.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import { CommentIds, CommentResult, changeableCommentFields, commentColumns, toComment } from "./comment.ts";
import { markUpdated, replaceComments, selectRecords } from "./comment-queries.ts";
import { refreshAnnotations, touchAnnotation } from "./comment-refresh-queries.ts";
import { getComments } from "./get.ts";
import { isoTime, isTextAvailable, rejectLargeAnnotation, untilNow } from "./new-comments.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  annotationId: Identifier,
  commentIds: CommentIds,
  updatedData: Type.Object({ ...changeableCommentFields, from: Type.Optional(User) }),
  actionUser: Type.Optional(User),
  triggerNotification: Type.Optional(Type.Boolean({ default: false })),
});

/** Replaces each field that is sent as a whole and keeps the rest. An unknown id fails alone. */
export const updateComments = operation({
  path: "/v2/commentannotations/comments/update",
  aliases: ["/v1/commentannotations/comments/update"],
  summary: "Update comments of an annotation",
  description:
    "Replaces each field of `updatedData` as a whole in all comments named, and keeps the others. `status` becomes " +
    "`updated`, and `lastUpdated` the time of the request unless it is sent. An ID that does not exist fails " +
    "alone. With a user token, a comment of another user fails as if it did not exist.\n\nWith " +
    "`triggerNotification` the users that a comment tags and did not tag before are notified, by `actionUser` or, " +
    "without it, by the author of the comment.",
  message: "Comments updated.",
  scope: "write",
  endUsers: UPDATE_COMMENTS,
  request: Request,
  returned: {
    by: getComments,
    field: "updatedData",
    id: "commentId",
    ids: "commentIds",
    request: ({ organizationId, documentId, annotationId }, commentIds) => ({
      organizationId,
      documentId,
      annotationId,
      commentIds,
    }),
  },
  response: perId(CommentResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationId: "annotation-1",
    commentIds: [1],
    updatedData: {
      commentText: "Should this say sixty days, @Grace?",
      taggedUserContacts: [{ text: "@Grace", userId: "grace" }],
    },
  },
  handle,
});

async function handle(
  { database, workspace, jobs, user }: Context,
  {
    organizationId,
    commentIds,
    updatedData,
    actionUser,
    triggerNotification,
    ...annotationRef
  }: Static<typeof Request>,
) {
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    const annotation = await lockAnnotation(scope, user, annotationRef);
    if (!annotation) return new Map();
    const records = await selectRecords(scope, annotation.sequence, commentIds, user?.userId);
    if (Object.keys(updatedData).length === 0) return records;
    const { createdAt, lastUpdated, isCommentTextAvailable, ...fields } = updatedData;
    const updates = [...records].map(([commentId, record]) => {
      const before = { ...toComment(parseRecord(record)), commentId };
      return { before, after: { ...before, ...fields } };
    });
    if (updates.length > 0) {
      const { sequence: annotationSequence, nowMs } = annotation;
      const rows = withTexts(
        updates.map(({ after: { commentId: id, ...stored } }) => ({
          ...commentColumns(stored),
          annotationSequence,
          id,
        })),
      );
      await replaceComments(scope, rows);
      await markUpdated(scope, annotationSequence, [...records.keys()], {
        datedAt: createdAt === undefined ? undefined : untilNow(createdAt, nowMs),
        lastUpdated: isoTime(lastUpdated ?? nowMs, nowMs),
        isTextAvailable: fields.commentText === undefined ? isCommentTextAvailable : isTextAvailable(updatedData),
      });
      const addedBytes = getBytes(rows.map(({ record }) => record)) - getBytes(records.values());
      const bytes =
        fields.taggedUserContacts || fields.from
          ? await refreshAnnotations(scope, [annotationSequence])
          : await touchAnnotation(scope, annotationSequence, addedBytes);
      rejectLargeAnnotation(bytes);
    }
    const texts = updates.flatMap(({ before, after }) => {
      const [from = "", to = ""] = [getCommentText(before), getCommentText(after)];
      return from === to ? [] : [{ commentId: after.commentId, from, to }];
    });
    if (texts.length > 0) await updateNotifiedTexts(scope, { ...annotationRef, sequence: annotation.sequence }, texts);
    await recordEvents(
      scope,
      buildCommentEvents(
        annotationRef,
        "comment.update",
        [...records.keys()].map((commentId) => ({ commentId, userId: actionUser?.userId ?? user?.userId })),
      ),
    );
    if (triggerNotification) {
      const { location, context, visibilityConfig } = readAnnotation(annotation.record);
      const ref = { ...annotationRef, annotationSequence: annotation.sequence };
      const subject = { ...ref, locationId: location?.id, access: getAccess(context), visibilityConfig };
      await runTriggers(scope, jobs, buildTagTriggers(subject, updates, actionUser));
    }
    return records;
  });
  return keyedById(
    commentIds.map((id) => [
      String(id),
      found.has(id)
        ? { success: true, id, message: "Comment updated." }
        : { success: false, id, message: "Comment not found." },
    ]),
  );
}

function getBytes(records: Iterable<string>): number {
  return [...records].reduce((bytes, record) => bytes + Buffer.byteLength(record), 0);
}
