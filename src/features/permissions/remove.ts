import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { deleteGrants } from "../access/grants/queries.ts";
import { Resources } from "../access/resource.ts";
import { requireNotBeingDeleted } from "../tenancy/access.ts";
import { auditTarget, byOrganization } from "./resource.ts";

/** Removes a user's permissions on exactly the resources named. */
export const removePermissions = operation({
  path: "/v2/auth/permissions/remove",
  summary: "Remove permissions of a user",
  description:
    "Removes the user's permissions on exactly the resources named. The user may still have access by a permission " +
    "on another one, such as the organization. A permission that does not exist is no error.",
  message: "Permissions removed.",
  scope: "write",
  request: Type.Object({ userId: Identifier, permissions: Type.Object({ resources: Resources }) }),
  audit: "permission.remove",
  errors: ["FAILED_PRECONDITION"],
  example: {
    userId: "grace",
    permissions: { resources: [{ type: "document", id: "contract-7", organizationId: "acme" }] },
  },
  async handle({ workspace, database, audit }, { userId, permissions }) {
    const organizations = byOrganization(workspace.id, permissions.resources);
    await database.transaction(async (transaction) => {
      let removed = 0;
      for (const { organizationKey, organizationId, grants } of organizations) {
        await requireNotBeingDeleted(transaction, organizationKey, organizationId);
        removed += (await deleteGrants(transaction, organizationKey, [userId], grants)).length;
      }
      if (removed > 0) await audit(transaction, auditTarget(organizations));
    });
    return undefined;
  },
});
