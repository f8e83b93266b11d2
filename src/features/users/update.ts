import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { refuseRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, perId } from "../../contract/schema.ts";
import { requireNotBeingDeleted } from "../tenancy/access.ts";
import { IgnoredCreate } from "../tenancy/ensure-document.ts";
import { mergeRecords, RecordResult } from "../tenancy/metadata.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { userKey } from "../tenancy/user-key.ts";
import { lockUserRecords, replaceUserRecords } from "./queries.ts";
import { NewUser } from "./user.ts";

/** Replaces each field that is sent as a whole and keeps the rest. A missing user fails alone. */
export const updateUsers = operation({
  path: "/v2/users/update",
  aliases: ["/v1/users/update"],
  summary: "Update users of an organization",
  description:
    "Replaces each field that is sent as a whole, metadata also with `null`, and keeps the others. A user who " +
    "does not exist (with `documentId`: who is not a member of that document), or would exceed 64 KiB, fails " +
    "alone.",
  message: "Users updated.",
  scope: "write",
  request: Type.Object({
    organizationId: Identifier,
    users: Type.Array(NewUser, { minItems: 1, maxItems: 500 }),
    documentId: Type.Optional(Identifier),
    createOrganization: IgnoredCreate,
    createDocument: IgnoredCreate,
  }),
  response: perId(RecordResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", users: [{ userId: "ada", accessRole: "viewer", team: null }] },
  async handle({ workspace, database }, { organizationId, users, documentId }) {
    const ids = users.map(({ userId }) => userId);
    refuseRepeatedIds(ids, "users", "userId");
    const key = organizationKey(workspace.id, organizationId);
    const updates = users.map((fields) => ({ id: fields.userId, fields }));
    return database.transaction(async (transaction) => {
      await requireNotBeingDeleted(transaction, key, organizationId);
      const found = await lockUserRecords(transaction, key, ids, documentId);
      const { merged, results } = await mergeRecords({ noun: "User", keyOf: userKey }, updates, found);
      await replaceUserRecords(transaction, key, merged);
      return results;
    });
  },
});
