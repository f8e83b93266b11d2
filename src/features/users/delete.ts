import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, perId } from "../../contract/schema.ts";
import { ALL_RESOURCES, deleteGrants, deleteUserGrants, removeTokenGrants } from "../access/grant-queries.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { requireNotBeingDeleted, requireNotMigrating } from "../tenancy/access-block.ts";
import { deletionResults, RecordResult } from "../tenancy/metadata.ts";
import { userKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { buildUserEvents } from "./event-log.ts";
import { getResource, RESOURCE_FIELDS, resourceFields } from "./resource.ts";
import { deleteUserRows, lockAllUserRecords } from "./user-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  userIds: Identifiers,
  ...RESOURCE_FIELDS,
});

/** Deletes users with their group memberships and permissions, or only removes them from the resource named. */
export const deleteUsers = operation({
  path: "/v2/users/delete",
  aliases: ["/v1/users/delete"],
  summary: "Delete users from an organization, folder or document",
  description:
    "Deletes the records of the users, their memberships in user groups, and all their permissions in the " +
    "organization. With `folderId` or `documentId` they are only removed from that, with their permission on it. " +
    "Permissions that user tokens carry end with them. Records that they wrote " +
    "are kept; use `/v2/users/data/delete` to delete those. Someone who is not a user of the organization, folder or " +
    "document fails alone.",
  message: "Users deleted.",
  scope: "write",
  audit: "user.delete",
  request: Request,
  deletes: ["userIds"],
  response: perId(RecordResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userIds: ["grace"] },
  handle,
});

async function handle(
  { database, workspace, audit }: Context,
  { organizationId, userIds, documentId, folderId }: Static<typeof Request>,
) {
  const resource = getResource({ documentId, folderId });
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireNotBeingDeleted(scope);
    if (documentId !== undefined) await requireNotMigrating(scope, [documentId]);
    const records = await lockAllUserRecords(scope, userIds);
    const isOrganization = resource.type === "organization";
    if (isOrganization) await deleteUserRows(scope, [...records.keys()]);
    const holders = isOrganization
      ? await deleteUserGrants(scope, userIds)
      : await deleteGrants(scope, userIds, resource);
    const resources = isOrganization ? [ALL_RESOURCES] : [resource];
    await removeTokenGrants(scope, { userIds, resources });
    await recordAccessChange(scope);
    const deleted = new Set([...(isOrganization ? records.keys() : []), ...holders]);
    const target = resourceFields({ documentId, folderId });
    await recordEvents(scope, buildUserEvents({ documentId, folderId }, deleted, "user.delete"));
    if (deleted.size > 0) await audit(scope, { organizationId, ...target, users: deleted.size });
    return deleted;
  });
  return deletionResults({ noun: "User", getKey: userKey }, userIds, found);
}
