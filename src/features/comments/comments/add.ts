import Type from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { effortOf } from "../../../json/record-texts.ts";
import { endUserScope } from "../../access/organization-scope.ts";
import { verifyUserPermissionsFlag } from "../../access/permitted-users/find-permitted-users.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { createFlag, findMissing } from "../../tenancy/create-flags.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { selectExistence } from "../../tenancy/queries.ts";
import { annotationNotFound } from "../annotations/locked-annotation.ts";
import { ADD_COMMENTS } from "../end-user-rules.ts";
import { findDenied } from "../verify-authors.ts";
import { addCommentsBatched } from "./additions.ts";
import { refuseUnknownAgents } from "./agent.ts";
import { hasOneList, newCommentFields, newCommentsIn, ONE_LIST } from "./comment.ts";
import { refuseRepeatedCommentIds } from "./new-comments.ts";

const AddRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    annotationId: Identifier,
    ...newCommentFields,
    createOrganization: createFlag("organization", "the request is NOT_FOUND"),
    createDocument: createFlag("document", "the request is NOT_FOUND"),
    verifyUserPermissions: verifyUserPermissionsFlag("Whether each author must be permitted to write in the document."),
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
    "nothing if a user in a `from` has no write access to the document.",
  message: "Comments added.",
  scope: "write",
  endUsers: ADD_COMMENTS,
  request: AddRequest,
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
  async handle(
    { workspace, database, jobs, brands, user },
    { verifyUserPermissions, createOrganization, createDocument, ...request },
  ) {
    const { commentData: _d, comments: _c, ...address } = request;
    const { list, given: commentData } = newCommentsIn(request);
    refuseRepeatedCommentIds(commentData, list);
    refuseUnknownAgents(commentData, list, brands);
    const key = organizationKey(workspace.id, address.organizationId);
    if (verifyUserPermissions) {
      const [isDenied] = await findDenied(database, workspace, address, [commentData]);
      if (isDenied) throw new ServiceError("access_denied", "A user in a `from` may not write in the document.");
    }
    const seenBy = endUserScope(workspace, address.organizationId, user);
    const bytes = effortOf(commentData, Infinity);
    const result = await database.run(
      addCommentsBatched({ ...address, workspace, jobs, organizationKey: key, seenBy, commentData, bytes }),
    );
    if ("commentIds" in result) return result.commentIds;
    if (result.refusal === "exists") throw commentExists(result.commentId);
    if (result.refusal === "block") assertAccessible(result.block, address.organizationId);
    const existence = await selectExistence(database, key, address.documentId);
    assertAccessible(existence.block, address.organizationId);
    const missing = findMissing(existence, { createOrganization, createDocument });
    throw missing ? new ServiceError("not_found", `${missing} not found.`) : annotationNotFound();
  },
});

function commentExists(commentId: number): ServiceError {
  return new ServiceError("already_exists", `The annotation has a comment ${commentId} already; nothing was added.`);
}
