import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireNotBeingDeleted } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { deleteMembers } from "./queries.ts";

/** Removes users from a group. Users and group stay; a user who is no member fails alone. */
export const deleteGroupUsers = operation({
  path: "/v2/organizations/usergroups/users/delete",
  summary: "Remove users from a user group",
  description: "The users and the user group are kept. A user who is not a member fails alone.",
  message: "Users removed from the user group.",
  request: Type.Object({ organizationId: Identifier, organizationUserGroupId: Identifier, userIds: Identifiers }),
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroupId: "legal", userIds: ["grace"] },
  async handle({ workspace, database }, { organizationId, organizationUserGroupId, userIds }) {
    const key = organizationKey(workspace.id, organizationId);
    const deleted = await database.transaction(async (transaction) => {
      await requireNotBeingDeleted(transaction, key, organizationId);
      return deleteMembers(transaction, key, organizationUserGroupId, userIds);
    });
    return keyedById(
      userIds.map((id) => [
        id,
        deleted.has(id)
          ? { success: true, message: "User removed from the user group." }
          : { success: false, message: "User is not in the user group." },
      ]),
    );
  },
});
