import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { deleteGrants, deleteGrantsOf } from "../access/grants/queries.ts";
import { requireNotBeingDeleted } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { LEVEL, levelOf } from "./level.ts";
import { deleteUserRows, lockAllUserRecords } from "./queries.ts";

/** Deletes users with their group memberships and permissions, or only removes them from the level named. */
export const deleteUsers = operation({
  path: "/v2/users/delete",
  aliases: ["/v1/users/delete"],
  summary: "Delete users from an organization, folder or document",
  description:
    "Deletes the records of the users, their memberships in user groups, and all their permissions in the " +
    "organization. With `folderId` or `documentId` only their permission on that is deleted. Records that they wrote " +
    "are kept; use `/v2/users/data/delete` to delete those. A user who does not exist, or has no permission on the " +
    "folder or document, fails alone.",
  message: "Users deleted.",
  scope: "write",
  audit: "user.delete",
  request: Type.Object({
    organizationId: Identifier,
    userIds: Identifiers,
    ...LEVEL,
  }),
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userIds: ["grace"] },
  async handle({ workspace, database, audit }, { organizationId, userIds, documentId, folderId }) {
    const level = levelOf({ documentId, folderId });
    const key = organizationKey(workspace.id, organizationId);
    const found = await database.transaction(async (transaction) => {
      await requireNotBeingDeleted(transaction, key, organizationId);
      const records = await lockAllUserRecords(transaction, key, userIds);
      const isWhole = level.type === "organization";
      if (isWhole) await deleteUserRows(transaction, key, [...records.keys()]);
      const holders = isWhole
        ? await deleteGrantsOf(transaction, key, userIds)
        : await deleteGrants(transaction, key, userIds, [level]);
      const deleted = new Set([...(isWhole ? records.keys() : []), ...holders]);
      const target = { ...(documentId !== undefined && { documentId }), ...(folderId !== undefined && { folderId }) };
      if (deleted.size > 0) await audit(transaction, { organizationId, ...target, users: deleted.size });
      return deleted;
    });
    return keyedById(
      userIds.map((id) => [
        id,
        found.has(id) ? { success: true, message: "User deleted." } : { success: false, message: "User not found." },
      ]),
    );
  },
});
