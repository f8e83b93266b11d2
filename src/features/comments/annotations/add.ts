import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { rejectRepeatedIds } from "../../../contract/repeated-ids.ts";
import { Identifier, keyedById, perId } from "../../../contract/schema.ts";
import { verifyUserPermissionsFlag } from "../../access/permitted-users/find-permitted-users.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { completeUploads } from "../../files/complete-uploads.ts";
import { ensureDocument } from "../../implicit-creation/ensure-document.ts";
import { createFlag } from "../../tenancy/create-flags.ts";
import { inOrganization, openOrganization } from "../../tenancy/organization-scope.ts";
import { rejectUnknownAgents } from "../comments/agent.ts";
import { newCommentsIn } from "../comments/comment.ts";
import { rejectRepeatedCommentIds } from "../comments/new-comments.ts";
import { ADD_ANNOTATIONS } from "../end-user-rules.ts";
import { buildAnnotationEvent, buildCommentEvents, getAddedCommentCauses } from "../event-log.ts";
import { buildCommentTriggers } from "../triggers/build-triggers.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import { findDenied } from "../verify-authors.ts";
import { AddResult, denied, failed, succeeded } from "./add-result.ts";
import { EXAMPLE_ANCHOR } from "./annotation-anchor.ts";
import { getCommentAnnotations } from "./get.ts";
import { identify, NewAnnotation, rejectSuggestionsOfOtherTypes } from "./new-annotation.ts";
import { insertNewAnnotations } from "./new-annotations.ts";
import { rejectOtherOrganizations } from "./visibility.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  commentAnnotations: Type.Array(NewAnnotation, { minItems: 1, maxItems: 500 }),
  createOrganization: createFlag("organization", "every item fails"),
  createDocument: createFlag("document", "every item fails"),
  verifyUserPermissions: verifyUserPermissionsFlag("Whether each author must be permitted to comment in the document."),
});

/** Adds annotations with their comments. An id that exists fails alone, so a call can be retried. */
export const addCommentAnnotations = operation({
  path: "/v2/commentannotations/add",
  aliases: ["/v1/commentannotations/add"],
  summary: "Add comment annotations",
  description:
    "Adds annotations with their first comments. The author of the first comment becomes the annotation's " +
    "`from`. Without an `annotationId` an annotation gets a UUID, which the response contains. An annotation that " +
    "exists in the organization fails alone and is not changed, so the request can be repeated. Comment IDs are " +
    "integers, unique in their annotation; without a `commentId` a comment gets the largest ID ever used plus " +
    "one. Without a `status` it is `OPEN`, of type `default`. `createdAt` is the time of the request unless an " +
    "earlier time is sent. With `type` `suggestion` the annotation has a pending `suggestion`. If the first comment " +
    "has an `agent`, the annotation has it too, and its item in the response has the `findingId` of the agent's " +
    "reason.\n\nWith `triggerActivities` a comment writes an activity: `comment_annotation.add` " +
    "for the first comment, `comment.add` for the others. With `triggerNotification` it notifies the tagged " +
    "users, the assignee and the authors of earlier comments. Mails to these users depend only on the email " +
    "configuration of the workspace.\n\nA missing organization or document is created unless " +
    "`createOrganization` or `createDocument` is `false`; then every item fails and nothing is written.\n\nWith " +
    "`verifyUserPermissions`, an annotation fails if a user in a `from` of its comments may not comment in the " +
    "document. The request is then PERMISSION_DENIED, and `details` has the items: those with `success` were " +
    "written. A denied annotation without an `annotationId` has the key `__denied:` and its index in the request.",
  message: "Comment annotations added.",
  scope: "write",
  endUsers: ADD_ANNOTATIONS,
  request: Request,
  returned: {
    by: getCommentAnnotations,
    field: "commentAnnotations",
    id: "annotationId",
    request: ({ organizationId, documentId }, annotationIds) => ({ organizationId, documentId, annotationIds }),
  },
  response: perId(AddResult),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    commentAnnotations: [
      {
        annotationId: "annotation-1",
        location: { id: "page-2", locationName: "Page 2" },
        anchor: EXAMPLE_ANCHOR,
        commentData: [
          {
            commentId: 1,
            commentText: "Should this say thirty days, @Grace?",
            from: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
            taggedUserContacts: [{ text: "@Grace", userId: "grace" }],
          },
        ],
      },
    ],
  },
  handle,
});

async function handle(
  { database, workspace, jobs, headerPrefixes, user, files }: Context,
  { verifyUserPermissions, ...request }: Static<typeof Request>,
) {
  const { organizationId, documentId, commentAnnotations, ...create } = request;
  const given = commentAnnotations.map(({ annotationId }) => annotationId);
  rejectRepeatedIds(given, "commentAnnotations", "annotationId");
  rejectSuggestionsOfOtherTypes(commentAnnotations);
  for (const [index, annotation] of commentAnnotations.entries()) {
    const path = `data.commentAnnotations[${index}].visibility`;
    rejectOtherOrganizations(annotation.visibility, organizationId, path);
    const { list, given: comments } = newCommentsIn(annotation);
    rejectRepeatedCommentIds(comments, `commentAnnotations[${index}].${list}`);
    rejectUnknownAgents(comments, `commentAnnotations[${index}].${list}`, headerPrefixes);
  }
  const comments = commentAnnotations.map((annotation) => newCommentsIn(annotation).given);
  await completeUploads({ database, workspace, files }, organizationId, comments.flat());
  const organization = openOrganization(database, workspace, organizationId);
  const isDenied = verifyUserPermissions ? await findDenied(organization, documentId, comments) : [];
  const annotations = commentAnnotations.filter((_, index) => !isDenied[index]).map(identify);
  const results = await inOrganization(database, workspace, organizationId, async (scope) => {
    if (annotations.length === 0) return [];
    const missing = await ensureDocument(scope, documentId, create);
    if (missing) return annotations.map((annotation) => failed(annotation, `${missing} not found.`));
    const added = await insertNewAnnotations(scope, documentId, annotations, user);
    await recordEvents(
      scope,
      added.flatMap(({ annotation: { annotationId, commentData }, comments }) => {
        const changed = { documentId, annotationId };
        const [first, ...others] = getAddedCommentCauses(commentData, comments);
        return [
          buildAnnotationEvent(changed, "comment_annotation.add", first),
          ...buildCommentEvents(changed, "comment.add", others),
        ];
      }),
    );
    const triggers = added.flatMap(({ annotation: { annotationId, commentData, ...fields }, position, comments }) => {
      const ref = { documentId, annotationId, annotationSequence: position.sequence };
      return buildCommentTriggers({ ...ref, fields, participants: [], isNew: true }, commentData, comments);
    });
    await runTriggers(scope, jobs, triggers);
    const commentIds = new Map(
      added.map(({ annotation, comments }) => [annotation, comments.map(({ commentId }) => commentId)]),
    );
    return annotations.map((annotation) => {
      const ids = commentIds.get(annotation);
      return ids ? succeeded(annotation, ids) : failed(annotation, "An annotation with this ID exists already.");
    });
  });
  const denials = commentAnnotations.flatMap((one, index) => (isDenied[index] ? [denied(one, index)] : []));
  if (denials.length === 0) return keyedById(results);
  throw new ServiceError("access_denied", "Some users may not comment; `details` has the items.", {
    details: keyedById([...results, ...denials]),
    keepsChanges: true,
  });
}
