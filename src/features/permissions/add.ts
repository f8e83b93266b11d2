import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { writeGrants } from "../access/grant-queries.ts";
import { GrantedResources } from "../access/resource.ts";
import { folderNotFound } from "../documents/folders/folder.ts";
import { lockFoldersAgainstDeletion } from "../documents/folders/folder-queries.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { buildCreationEvents } from "../implicit-creation/creation-events.ts";
import { ensureDocumentForManagement } from "../implicit-creation/ensure-document.ts";
import { requireNotMigrating } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { insertMissingDocuments } from "../tenancy/tenancy-queries.ts";
import { ADD, rejectLongerGrants, rejectOwnGrants, requireModerator } from "./moderation.ts";
import { auditTarget, getIds, grantsByOrganization } from "./resource.ts";

const Request = Type.Object({
  user: Type.Object({ userId: Identifier }),
  permissions: Type.Object({ resources: GrantedResources }),
});

/** Gives a user permissions, all or none. Replaces role and end of those that the user has. */
export const addPermissions = operation({
  path: "/v2/auth/permissions/add",
  summary: "Give a user permissions",
  description:
    "Gives the user a role on organizations, folders and documents until `expiresAt`, if there is one. A permission " +
    "on the same resource is replaced. A past `expiresAt` is accepted, and gives no access. Missing organizations " +
    "and documents are created; if a folder is missing, nothing is written. The user needs no record, and none is " +
    "created. A user who moderates documents may call it for these documents and other users alone, with an " +
    "`expiresAt` that is not after the end of the caller's own permission.",
  message: "Permissions added.",
  scope: "write",
  request: Request,
  audit: "permission.add",
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  endUsers: ADD,
  example: {
    user: { userId: "grace" },
    permissions: {
      resources: [{ type: "document", id: "contract-7", organizationId: "acme", accessRole: "viewer" }],
    },
  },
  handle,
});

async function handle(
  { database, workspace, user: caller, audit }: Context,
  { user: { userId }, permissions }: Static<typeof Request>,
) {
  const organizations = grantsByOrganization(workspace.id, permissions.resources);
  rejectOwnGrants(caller, userId);
  await database.transaction(async (transaction) => {
    for (const { organizationId, grants } of organizations) {
      const scope = openOrganization(transaction, workspace, organizationId);
      const documentIds = getIds(grants, "document");
      rejectLongerGrants(await requireModerator(scope, caller, documentIds), grants);
      const folderIds = getIds(grants, "folder");
      const found = await lockFoldersAgainstDeletion(scope, folderIds);
      const missing = folderIds.find((id) => !found.has(id));
      if (missing !== undefined) throw folderNotFound(missing);
      await ensureDocumentForManagement(scope);
      const created = await insertMissingDocuments(scope, documentIds);
      await recordEvents(
        scope,
        buildCreationEvents(organizationId, { isOrganizationCreated: false, documentIds: created }),
      );
      await requireNotMigrating(scope, documentIds);
      await writeGrants(
        scope,
        grants.map((one) => ({ ...one, userId })),
      );
      await recordAccessChange(scope);
    }
    await audit(transaction, auditTarget(organizations));
  });
  return undefined;
}
