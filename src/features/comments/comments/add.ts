import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { verifyUserPermissionsFlag } from "../../access/permitted-users/find-permitted-users.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { completeUploads } from "../../files/complete-uploads.ts";
import { isMailed } from "../../mails/queue-mails.ts";
import { createFlag, findMissing } from "../../tenancy/create-flags.ts";
import { inOrganization, openOrganization } from "../../tenancy/organization-scope.ts";
import { selectExistence } from "../../tenancy/tenancy-queries.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { selectParticipants } from "../annotations/annotation-queries.ts";
import { annotationNotFound, lockAnnotation } from "../annotations/locked-annotation.ts";
import { ADD_COMMENTS } from "../end-user-rules.ts";
import { buildCommentEvents, getAddedCommentCauses } from "../event-log.ts";
import { buildCommentTriggers } from "../triggers/build-triggers.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import { findDenied } from "../verify-authors.ts";
import { rejectUnknownAgents } from "./agent.ts";
import { hasOneList, newCommentFields, newCommentsIn, ONE_LIST } from "./comment.ts";
import { selectExistingId } from "./comment-queries.ts";
import { getComments } from "./get.ts";
import { insertNewComments, rejectRepeatedCommentIds } from "./new-comments.ts";

const AddRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    annotationId: Identifier,
    ...newCommentFields,
    createOrganization: createFlag("organization", "the request is NOT_FOUND"),
    createDocument: createFlag("document", "the request is NOT_FOUND"),
    verifyUserPermissions: verifyUserPermissionsFlag(
      "Whether each author must be permitted to comment in the document.",
    ),
  }),
  hasOneList,
  () => ONE_LIST,
);

/** Adds comments to an annotation, all or none. */
export const addComments = operation({
  path: "/v2/commentannotations/comments/add",
  aliases: ["/v1/commentannotations/comments/add"],
  summary: "Add comments to an annotation",
  description:
    "Adds all comments or none. A comment ID is an integer, unique in the annotation; without one a comment gets " +
    "the largest ID ever used plus one. An ID that exists is ALREADY_EXISTS, so a request with IDs can be " +
    "repeated. An annotation that would exceed 8 MiB with its comments is FAILED_PRECONDITION. A missing " +
    "annotation is NOT_FOUND; the error names the organization or document instead if that is missing and " +
    "`createOrganization` or `createDocument` is `false`.\n\n`triggerActivities` and `triggerNotification` work " +
    "as in `/v2/commentannotations/add`. With `verifyUserPermissions` the request is PERMISSION_DENIED and writes " +
    "nothing if a user in a `from` may not comment in the document.",
  message: "Comments added.",
  scope: "write",
  endUsers: ADD_COMMENTS,
  request: AddRequest,
  returned: {
    by: getComments,
    field: "commentData",
    id: "commentId",
    request: ({ organizationId, documentId, annotationId }, commentIds) => ({
      organizationId,
      documentId,
      annotationId,
      commentIds,
    }),
  },
  response: Type.Array(Type.Integer(), {
    description: "The comment IDs, in the order of the request.",
    examples: [[2]],
  }),
  errors: ["NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationId: "annotation-1",
    commentData: [{ commentId: 2, commentText: "Yes, thirty days.", from: { userId: "grace", name: "Grace Hopper" } }],
  },
  handle,
});

async function handle(
  { database, workspace, jobs, headerPrefixes, user, files }: Context,
  { organizationId, verifyUserPermissions, createOrganization, createDocument, ...request }: Static<typeof AddRequest>,
) {
  const { commentData: _d, comments: _c, ...annotationRef } = request;
  const { list, given: commentData } = newCommentsIn(request);
  rejectRepeatedCommentIds(commentData, list);
  rejectUnknownAgents(commentData, list, headerPrefixes);
  await completeUploads({ database, workspace, files }, organizationId, commentData);
  if (verifyUserPermissions) {
    const organization = openOrganization(database, workspace, organizationId);
    const [isDenied] = await findDenied(organization, annotationRef.documentId, [commentData]);
    if (isDenied) throw new ServiceError("access_denied", "A user in a `from` may not comment in the document.");
  }
  return inOrganization(database, workspace, organizationId, async (scope) => {
    const annotation = await lockAnnotation(scope, user, annotationRef);
    if (!annotation) {
      const existence = await selectExistence(scope, annotationRef.documentId);
      const missing = findMissing(existence, { createOrganization, createDocument });
      throw missing ? new ServiceError("not_found", `${missing} not found.`) : annotationNotFound();
    }
    const givenIds = commentData.flatMap(({ commentId }) => commentId ?? []);
    const existingId = await selectExistingId(scope, annotation.sequence, givenIds);
    if (existingId !== undefined) throw commentExists(existingId);
    const isTriggering =
      isMailed(workspace, "comment.add") ||
      commentData.some(({ triggerActivities, triggerNotification }) => triggerActivities || triggerNotification);
    const participants = isTriggering ? await selectParticipants(scope, [annotation.sequence]) : undefined;
    const [added = []] = await insertNewComments(scope, [{ annotation, commentData }], {
      isNew: false,
      user,
    });
    await recordEvents(
      scope,
      buildCommentEvents(annotationRef, "comment.add", getAddedCommentCauses(commentData, added)),
    );
    if (participants) {
      const subject = {
        ...annotationRef,
        annotationSequence: annotation.sequence,
        fields: readAnnotation(annotation.record),
        participants: participants.get(annotation.sequence) ?? [],
        isNew: false,
      };
      await runTriggers(scope, jobs, buildCommentTriggers(subject, commentData, added));
    }
    return added.map(({ commentId }) => commentId);
  });
}

function commentExists(commentId: number): ServiceError {
  return new ServiceError("already_exists", `The annotation has a comment ${commentId} already; nothing was added.`);
}
