import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireNotBeingDeleted } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { deleteDocumentUsers, deleteUserRows, lockUserRecords } from "./queries.ts";

/** Deletes users with their group memberships and document access, or only removes them from the document named. */
export const deleteUsers = operation({
  path: "/v2/users/delete",
  aliases: ["/v1/users/delete"],
  summary: "Delete users from an organization or a document",
  description:
    "Deletes the records of the users and their memberships in user groups and documents. With `documentId` only " +
    "their membership in that document is deleted. Records that they wrote are kept; use `/v2/users/data/delete` " +
    "to delete those. A user who does not exist, or is not a member of the document, fails alone.",
  message: "Users deleted.",
  scope: "write",
  audit: "user.delete",
  request: Type.Object({
    organizationId: Identifier,
    userIds: Identifiers,
    documentId: Type.Optional(Identifier),
  }),
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userIds: ["grace"] },
  async handle({ workspace, database, audit }, { organizationId, userIds, documentId }) {
    const key = organizationKey(workspace.id, organizationId);
    const found = await database.transaction(async (transaction) => {
      await requireNotBeingDeleted(transaction, key, organizationId);
      const records = await lockUserRecords(transaction, key, userIds, documentId);
      const ids = [...records.keys()];
      if (documentId === undefined) await deleteUserRows(transaction, key, ids);
      else await deleteDocumentUsers(transaction, key, documentId, ids);
      const target = { organizationId, ...(documentId !== undefined && { documentId }), users: ids.length };
      if (ids.length > 0) await audit(transaction, target);
      return records;
    });
    return keyedById(
      userIds.map((id) => [
        id,
        found.has(id) ? { success: true, message: "User deleted." } : { success: false, message: "User not found." },
      ]),
    );
  },
});
