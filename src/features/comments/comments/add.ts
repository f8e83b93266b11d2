import Type from "typebox";
import { ServiceError } from "../../../http/errors.ts";
import { operation } from "../../../http/operation.ts";
import { Identifier } from "../../../http/schema.ts";
import { organizationKey } from "../../organizations/organization-key.ts";
import { readAnnotation } from "../annotation.ts";
import { announce } from "../announce.ts";
import { NewComments } from "../comment.ts";
import { eventsOfComments } from "../comment-events.ts";
import { annotationNotFound, lockAnnotation } from "../locked-annotation.ts";
import { addToAnnotations, refuseRepeatedCommentIds } from "../new-comments.ts";
import { selectParticipants } from "../queries.ts";
import { selectRecords } from "./queries.ts";

/** Writes all comments or none. */
export const addComments = operation({
  path: "/v2/commentannotations/comments/add",
  summary: "Add comments to an annotation",
  description:
    "All comments are kept or none. A comment id is an integer, unique in the annotation; one that is left out is " +
    "one more than the largest there has been. One that exists is ALREADY_EXISTS, so a call with ids may be sent " +
    "again. An annotation that would be larger than 8 MiB with its comments is " +
    "FAILED_PRECONDITION.\n\n`triggerActivities` and `triggerNotification` are those of " +
    "`/v2/commentannotations/add`.",
  message: "Comments added.",
  request: Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    annotationId: Identifier,
    commentData: NewComments,
  }),
  response: Type.Array(Type.Integer(), { description: "The comment ids, in the order given." }),
  errors: ["NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationId: "annotation-1",
    commentData: [{ commentId: 2, commentText: "Yes, thirty days.", from: { userId: "grace", name: "Grace Hopper" } }],
  },
  async handle({ workspace, database }, { commentData, ...address }) {
    refuseRepeatedCommentIds(commentData, "data.commentData");
    const key = organizationKey(workspace.id, address.organizationId);
    return database.transaction(async (transaction) => {
      const annotation = await lockAnnotation(transaction, workspace, address);
      if (!annotation) throw annotationNotFound();
      const given = commentData.flatMap(({ commentId }) => commentId ?? []);
      if (given.length > 0) {
        const [existing] = (await selectRecords(transaction, key, annotation.sequence, given)).keys();
        if (existing !== undefined) throw commentExists(existing);
      }
      const isAnnounced = commentData.some((one) => one.triggerActivities || one.triggerNotification);
      const taking = isAnnounced ? await selectParticipants(transaction, key, [annotation.sequence]) : new Map();
      const [added = []] = await addToAnnotations(transaction, key, [{ annotation, commentData }]);
      if (isAnnounced) {
        const { organizationId, documentId, annotationId } = address;
        const fields = readAnnotation(annotation.record);
        const participants = taking.get(annotation.sequence) ?? [];
        const events = eventsOfComments({ annotationId, fields, participants, isNew: false }, commentData, added);
        await announce(transaction, { workspace, organizationId, documentId }, events);
      }
      return added.map(({ commentId }) => commentId);
    });
  },
});

function commentExists(commentId: number): ServiceError {
  return new ServiceError("ALREADY_EXISTS", `The annotation has a comment ${commentId} already; nothing was added.`);
}
