import Type from "typebox";
import { v7 as uuidv7 } from "uuid";
import { operation } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import { waitPastPurge } from "../documents/purge/queries.ts";
import { DELETE_USER_DATA } from "./deletion/job.ts";
import { finishDeletion, insertDeletion } from "./deletion/queries.ts";
import { USER_DATA } from "./kinds.ts";

/** Accepts the deletion; a job does it. Whatever is written after the answer stays. */
export const deleteUserData = operation({
  path: "/v1/users/data/delete",
  aliases: ["/v2/users/data/delete"],
  summary: "Delete everything of users",
  description:
    "Deletes what the users wrote and what is kept of them, and takes them out of what others wrote, in the " +
    "organizations named or in all of the workspace; disabled organizations and immutable activities are no " +
    "block. It is done by a job, which `/v1/users/data/delete/status` tells of by its `jobId`; what is written " +
    "after the call stays. `tasksCount` is the number of organizations to be gone through, which is all in which the " +
    "users may appear, times the kinds of data. Calling it twice does no harm; unknown users are no fault.",
  message: "User data deletion accepted.",
  isAsynchronous: true,
  request: Type.Object({
    userIds: Type.Array(Identifier, { minItems: 1, maxItems: 100 }),
    organizationIds: Type.Optional(Identifiers),
  }),
  response: Type.Object({ jobId: Type.String(), tasksCount: Type.Integer({ minimum: 0 }) }),
  example: { userIds: ["ada"], organizationIds: ["acme"] },
  async handle({ workspace, database, jobs }, { userIds, organizationIds }) {
    const id = uuidv7();
    const deletion = {
      ...{ id, workspaceId: workspace.id, userIds: [...new Set(userIds)], organizationIds },
      kinds: USER_DATA.length,
    };
    const tasksCount = await database.transaction(async (transaction) => {
      const accepted = await insertDeletion(transaction, deletion);
      if (accepted.tasksCount === 0) await finishDeletion(transaction, id);
      else await jobs.send(transaction, DELETE_USER_DATA, [{ deletionId: id }]);
      await waitPastPurge(transaction, accepted.acceptedAt);
      return accepted.tasksCount;
    });
    return { jobId: id, tasksCount };
  },
});
