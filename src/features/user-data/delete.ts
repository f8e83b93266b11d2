import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import { newId } from "../../database/new-id.ts";
import { waitPast } from "../../database/time.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { revokeUserTokens } from "../user-tokens/revoke-user-tokens.ts";
import { DELETE_USER_DATA } from "./deletion/job.ts";
import { countOrganizations, insertDeletion } from "./deletion/user-deletion-queries.ts";
import { PURGED_KINDS, PURGED_OR_EXPORTED_KINDS } from "./kinds.ts";

const Request = Type.Object({
  userIds: Type.Array(Identifier, { minItems: 1, maxItems: 100 }),
  organizationIds: Type.Optional(Identifiers),
});

/** Deletes everything of users by a job. Data written after the request is not deleted. */
export const deleteUserData = operation({
  path: "/v1/users/data/delete",
  aliases: ["/v2/users/data/delete"],
  summary: "Delete the data of users",
  description:
    "Deletes what the users wrote and what is stored about them, and removes them from records of others, in the " +
    "named organizations or in all organizations of the workspace, also in disabled organizations and for " +
    "immutable activities. A job does the work; `/v1/users/data/delete/status` reports its progress by `jobId`. " +
    "Data written after the request is not deleted. `tasksCount` is the number of organizations to search times " +
    "the number of kinds of data. All user tokens of the users are revoked. The request can be repeated; unknown " +
    "users are not an error.",
  message: "User data deletion accepted.",
  isAsynchronous: true,
  audit: "user_data.delete",
  scope: "admin",
  request: Request,
  deletes: ["userIds"],
  response: Type.Object({ jobId: Type.String(), tasksCount: Type.Integer({ minimum: 0 }) }),
  example: { userIds: ["ada"], organizationIds: ["acme"] },
  handle,
});

async function handle(
  { database, workspace, actor, earlyReads, jobs, audit, workspaceChanged }: Context,
  { userIds, organizationIds }: Static<typeof Request>,
) {
  const id = newId();
  // Citus changes no reference table in a transaction that has read all shards.
  const organizations = await countOrganizations(acrossOrganizations(earlyReads), workspace.id, organizationIds);
  const tasksCount = organizations * PURGED_OR_EXPORTED_KINDS.length;
  const named = { userIds: [...new Set(userIds)], organizationIds };
  const deletion = { id, workspaceId: workspace.id, ...named, tasksCount, requestedBy: actor, kinds: PURGED_KINDS };
  await database.transaction(async (transaction) => {
    const acceptedAt = await insertDeletion(transaction, deletion);
    await jobs.send(transaction, DELETE_USER_DATA, [{ deletionId: id }]);
    await revokeUserTokens(transaction, { workspaceId: workspace.id, userIds });
    // The audit log must not keep what is being deleted, such as the IDs of the users. The list of deletions does.
    await audit(transaction, {
      jobId: id,
      users: deletion.userIds.length,
      ...(organizationIds && { organizationIds }),
    });
    await waitPast(transaction, acceptedAt);
  });
  workspaceChanged();
  return { jobId: id, tasksCount };
}
