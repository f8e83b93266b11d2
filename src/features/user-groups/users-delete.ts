import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireNotBeingDeleted } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { GroupId } from "./user-group.ts";
import { deleteMembers } from "./user-group-queries.ts";

const DeleteRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    organizationUserGroupId: GroupId,
    userIds: Type.Optional(Identifiers),
    deleteAll: Type.Optional(Type.Boolean({ default: false, description: "Removes all users of the group." })),
  }),
  ({ userIds, deleteAll }) => (userIds === undefined) === (deleteAll === true),
  () => "must have either userIds, or deleteAll as true",
);

/** Removes users from a group. Users and group stay; a user who is not a member fails alone. */
export const deleteGroupUsers = operation({
  path: "/v2/organizations/usergroups/users/delete",
  aliases: ["/v1/organizations/usergroups/users/delete"],
  summary: "Remove users from a user group",
  description:
    "The users and the user group are kept. A user who is not a member fails alone. With `deleteAll` instead of " +
    "`userIds` the response has an item for each removed user.",
  message: "Users removed from the user group.",
  scope: "write",
  request: DeleteRequest,
  deletes: ["userIds", "organizationUserGroupId"],
  response: perId(Type.Interface([ItemResult], { organizationUserGroupId: Type.String() })),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroupId: "legal", userIds: ["grace"] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, organizationUserGroupId, userIds }: Static<typeof DeleteRequest>,
) {
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireNotBeingDeleted(scope);
    return deleteMembers(scope, organizationUserGroupId, userIds);
  });
  return keyedById(
    [...(userIds ?? deleted)].map((id) => [
      id,
      deleted.has(id)
        ? { success: true, organizationUserGroupId, message: "User removed from the user group." }
        : { success: false, organizationUserGroupId, message: "User is not in the user group." },
    ]),
  );
}
