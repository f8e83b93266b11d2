import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { removeTokenGrants, revokeGrants } from "../access/grant-queries.ts";
import { Resources } from "../access/resource.ts";
import { recordAccessChange } from "../event-log/record-events.ts";
import { requireNotBeingDeleted, requireNotMigrating } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { REMOVE, requireModerator } from "./moderation.ts";
import { auditTarget, getIds, grantsByOrganization } from "./resource.ts";

const Request = Type.Object({ userId: Identifier, permissions: Type.Object({ resources: Resources }) });

/** Removes a user's permissions on exactly the resources named, also those that tokens carry. */
export const removePermissions = operation({
  path: "/v2/auth/permissions/remove",
  summary: "Remove permissions of a user",
  description:
    "Removes the user's permissions on exactly the resources named, also those in tokens that were issued until now. " +
    "Permissions that are added and tokens that are issued after the response count. The user may still have access " +
    "by a permission on another resource, such as the organization. Removing a permission that does not exist " +
    "succeeds. A user who moderates documents may call it for these documents alone, and keeps what their own token " +
    "carries.",
  message: "Permissions removed.",
  scope: "write",
  request: Request,
  deletes: ["userId"],
  audit: "permission.remove",
  errors: ["FAILED_PRECONDITION"],
  endUsers: REMOVE,
  example: {
    userId: "grace",
    permissions: { resources: [{ type: "document", id: "contract-7", organizationId: "acme" }] },
  },
  handle,
});

async function handle(
  { database, workspace, user: caller, audit }: Context,
  { userId, permissions }: Static<typeof Request>,
) {
  const organizations = grantsByOrganization(workspace.id, permissions.resources);
  await database.transaction(async (transaction) => {
    for (const { organizationId, grants } of organizations) {
      const scope = openOrganization(transaction, workspace, organizationId);
      await requireModerator(scope, caller, getIds(grants, "document"));
      await requireNotBeingDeleted(scope);
      await requireNotMigrating(scope, getIds(grants, "document"));
      await revokeGrants(scope, userId, grants);
      // A user who ended the bounds of their own token would do more with it than it allows.
      if (userId !== caller?.userId) await removeTokenGrants(scope, { userIds: [userId], resources: grants });
      await recordAccessChange(scope);
    }
    await audit(transaction, auditTarget(organizations));
  });
  return undefined;
}
