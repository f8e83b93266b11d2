import type { Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { ItemResult } from "../../../contract/schema.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { REACT } from "../end-user-rules.ts";
import { lockComment, ReactionRequest, recordReaction, resizeAnnotation } from "./reaction.ts";
import { deleteReactionRow, selectReactions } from "./reaction-queries.ts";
import { findSameReaction } from "./same-reaction.ts";

/** Deletes a reaction. Returns `success` false if it does not exist. */
export const deleteReaction = operation({
  path: "/v2/reactions/delete",
  summary: "Delete a reaction from a comment",
  description: "Deletes the reaction of the user in `from`. If it does not exist, the response has `success` false.",
  message: "Reaction deleted.",
  scope: "write",
  endUsers: REACT,
  request: ReactionRequest,
  deletes: ["commentId"],
  response: ItemResult,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationId: "annotation-1",
    commentId: 1,
    reaction: "👍",
    from: { userId: "grace" },
  },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { reaction, from, organizationId, ...commentRef }: Static<typeof ReactionRequest>,
) {
  return inOrganization(database, workspace, organizationId, async (scope) => {
    const reacted = await lockComment(scope, user, commentRef);
    const stored = findSameReaction(await selectReactions(scope, reacted), reaction);
    const removedBytes = await deleteReactionRow(scope, reacted, stored, from.userId);
    if (removedBytes === undefined) return { success: false, message: "Reaction not found." };
    await resizeAnnotation(scope, reacted, -removedBytes);
    await recordReaction(scope, "comment.reaction_delete", commentRef, { reaction: stored, from });
    return { success: true, message: "Reaction deleted." };
  });
}
