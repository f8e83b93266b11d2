import { operation } from "../../../contract/operation.ts";
import { ItemResult } from "../../../contract/schema.ts";
import { insertReaction } from "./queries.ts";
import { lockComment, ReactionRequest, replaceReactions } from "./reaction.ts";

/** Adds a reaction. Adding one that exists succeeds, so a call can be retried. */
export const addReaction = operation({
  path: "/v2/reactions/add",
  summary: "Add a reaction to a comment",
  description:
    "A user can add several reactions to a comment, each once. Adding a reaction again is a success and changes " +
    "nothing.",
  message: "Reaction added.",
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
  async handle({ workspace, database }, { reaction, from, ...address }) {
    await database.transaction(async (transaction) => {
      const reacted = await lockComment(transaction, workspace, address);
      if (!(await insertReaction(transaction, reacted, reaction, from.userId))) return;
      const { reactions } = reacted.comment;
      const isThere = reactions.some((one) => one.reaction === reaction);
      const more = reactions.map((one) =>
        one.reaction === reaction ? { ...one, userIds: [...one.userIds, from.userId] } : one,
      );
      const changed = isThere ? more : [...reactions, { reaction, userIds: [from.userId] }];
      await replaceReactions(transaction, reacted, changed);
    });
    return { success: true, message: "Reaction added." };
  },
});
