import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { ensureDocumentForManagement } from "../implicit-creation/ensure-document.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { buildUserEvents } from "../users/event-log.ts";
import { GroupId, groupRecord } from "./user-group.ts";
import { writeMembers } from "./user-group-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  organizationUserGroupId: GroupId,
  userIds: Identifiers,
});

/** Adds users to a group. Creates the group and the users if missing; adding a user twice succeeds. */
export const addGroupUsers = operation({
  path: "/v2/organizations/usergroups/users/add",
  aliases: ["/v1/organizations/usergroups/users/add"],
  summary: "Add users to a user group",
  description:
    "A missing organization, user group or user is created; `/v2/organizations/usergroups/add` and " +
    "`/v2/users/add` set their names. Adding a user who is a member already is a success. New members become users " +
    "of the organization, without permission on it unless they have one.",
  message: "Users added to the user group.",
  scope: "write",
  request: Request,
  response: perId(Type.Interface([ItemResult], { organizationUserGroupId: Type.String() })),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroupId: "legal", userIds: ["ada", "grace"] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, organizationUserGroupId, userIds }: Static<typeof Request>,
) {
  const ids = [...new Set(userIds)];
  const users = ids.map((userId) => ({ id: userId, record: JSON.stringify({ userId }) }));
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await ensureDocumentForManagement(scope);
    const added = await writeMembers(scope, groupRecord(organizationUserGroupId), users);
    await recordEvents(scope, buildUserEvents({}, added));
  });
  const outcome = { success: true, organizationUserGroupId, message: "User added to the user group." };
  return keyedById(ids.map((id) => [id, outcome]));
}
