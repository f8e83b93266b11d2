import type { Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { ItemResult } from "../../../contract/schema.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { REACT } from "../end-user-rules.ts";
import { lockComment, ReactionRequest, recordReaction, resizeAnnotation } from "./reaction.ts";
import { insertReaction, selectReactions } from "./reaction-queries.ts";
import { findSameReaction } from "./same-reaction.ts";

/** Adds a reaction. Adding one that exists succeeds, so a call can be retried. */
export const addReaction = operation({
  path: "/v2/reactions/add",
  summary: "Add a reaction to a comment",
  description:
    "A user can add several reactions to a comment, each once. Adding a reaction again is a success and changes " +
    "nothing. `from` is returned with the reaction as it is sent. Reactions that look alike, such as U+2764 with and " +
    "without U+FE0F, are the same: the first one added to the comment is kept.",
  message: "Reaction added.",
  scope: "write",
  endUsers: REACT,
  request: ReactionRequest,
  response: ItemResult,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationId: "annotation-1",
    commentId: 1,
    reaction: "👍",
    from: { userId: "grace", name: "Grace Hopper" },
  },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { reaction, from, organizationId, ...commentRef }: Static<typeof ReactionRequest>,
) {
  await inOrganization(database, workspace, organizationId, async (scope) => {
    const reacted = await lockComment(scope, user, commentRef);
    const stored = findSameReaction(await selectReactions(scope, reacted), reaction);
    const given = { reaction: stored, userId: from.userId, record: JSON.stringify(from) };
    const addedBytes = await insertReaction(scope, reacted, given);
    if (addedBytes === undefined) return;
    await resizeAnnotation(scope, reacted, addedBytes);
    await recordReaction(scope, "comment.reaction_add", commentRef, { reaction: stored, from });
  });
  return { success: true, message: "Reaction added." };
}
