import Type, { type Static } from "typebox";
import { getAccess } from "../../../contract/access-context.ts";
import { toIdentifiedItems } from "../../../contract/change-items.ts";
import { getCommentText } from "../../../contract/comment-text.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, perId, User } from "../../../contract/schema.ts";
import { parseRecord, withTexts } from "../../../json/record-texts.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { completeUploads } from "../../files/complete-uploads.ts";
import { referenceFiles } from "../../files/reference-files.ts";
import { OWN_RULE } from "../../permitted-changes/change-rule.ts";
import { findDeniedChanges } from "../../permitted-changes/find-denied-changes.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { lockAnnotation } from "../annotations/locked-annotation.ts";
import { UPDATE_COMMENTS } from "../end-user-rules.ts";
import { buildCommentEvents } from "../event-log.ts";
import { keepTags } from "../named-users.ts";
import { buildTagTriggers } from "../triggers/build-triggers.ts";
import { updateNotifiedTexts } from "../triggers/follow-changes.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import {
  CommentIds,
  CommentResult,
  changeableCommentFields,
  commentColumns,
  readComment,
  toComment,
} from "./comment.ts";
import { markUpdated, replaceComments, selectRecords } from "./comment-queries.ts";
import { refreshAnnotations, touchAnnotation } from "./comment-refresh-queries.ts";
import { getComments } from "./get.ts";
import { type AddedComment, isoTime, isTextAvailable, rejectLargeAnnotation, untilNow } from "./new-comments.ts";
import { readTaggedGroups } from "./tagged-groups.ts";

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
    "alone. Users who are not moderators update their own comments; those of others fail with the `reason` " +
    "`access_denied`. If `actionUser` is not the author, the comment gets the `updatedByUserId`.\n\nWith " +
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
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
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
  { database, workspace, jobs, user, files }: Context,
  {
    organizationId,
    commentIds,
    updatedData,
    actionUser,
    triggerNotification,
    ...annotationRef
  }: Static<typeof Request>,
) {
  await completeUploads({ database, workspace, files }, organizationId, [updatedData]);
  const updated = await inOrganization(database, workspace, organizationId, async (scope) => {
    const annotation = await lockAnnotation(scope, user, annotationRef);
    if (!annotation) return { changed: new Set<number>(), denied: new Map() };
    const records = await selectRecords(scope, annotation.sequence, commentIds);
    const authors = [...records].map(([id, record]) => [id, { authorId: readComment(record).from.userId }] as const);
    const intended = { user, documentId: annotationRef.documentId, checkedRole: UPDATE_COMMENTS.role };
    const denied = await findDeniedChanges(scope, { ...intended, rules: [OWN_RULE] }, authors);
    for (const id of denied.keys()) records.delete(id);
    const result = { changed: new Set(records.keys()), denied };
    if (Object.keys(updatedData).length === 0) return result;
    const { createdAt, lastUpdated, isCommentTextAvailable, ...fields } = updatedData;
    const changes = [...records].map(([commentId, record]) => {
      const before = { ...toComment(parseRecord(record)), commentId };
      return { before, changed: user ? keepTags(fields, before) : fields };
    });
    const addMembers = await readTaggedGroups(
      scope,
      changes.map(({ changed }) => changed),
      user,
    );
    const merged = changes.map(({ before, changed }) => {
      return { before, after: withEditor({ ...before, ...addMembers(changed) }, actionUser?.userId) };
    });
    const named = await referenceFiles(
      scope,
      merged.map(({ after }) => ({
        owner: { annotationSequence: annotation.sequence, commentId: after.commentId },
        record: after,
      })),
      user?.userId,
    );
    const updates = merged.map(({ before }, index) => ({ before, after: named[index] ?? before }));
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
        fields.taggedUserContacts || fields.taggedUserGroups || fields.from
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
        [...records.keys()].map((commentId) => ({ commentId, userId: actionUser?.userId })),
      ),
    );
    if (triggerNotification) {
      const { location, context, visibilityConfig } = readAnnotation(annotation.record);
      const ref = { ...annotationRef, annotationSequence: annotation.sequence };
      const subject = { ...ref, locationId: location?.id, access: getAccess(context), visibilityConfig };
      await runTriggers(scope, jobs, buildTagTriggers(subject, updates, actionUser));
    }
    return result;
  });
  return toIdentifiedItems(updated, { changed: "Comment updated.", missing: "Comment not found." }, commentIds);
}

/** Returns a comment with the user who has changed it, if that is not its author. */
function withEditor({ updatedByUserId: _, ...comment }: AddedComment, userId: string | undefined): AddedComment {
  const isOther = userId !== undefined && userId !== comment.from.userId;
  return isOther ? { ...comment, updatedByUserId: userId } : comment;
}

function getBytes(records: Iterable<string>): number {
  return [...records].reduce((bytes, record) => bytes + Buffer.byteLength(record), 0);
}
