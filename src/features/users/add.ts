import Type from "typebox";
import { withTexts } from "../../contract/json-text.ts";
import { operation } from "../../contract/operation.ts";
import { refuseRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { createFlag, ensureDocumentForManagement } from "../tenancy/ensure-document.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { userKey } from "../tenancy/user-key.ts";
import { writeDocumentUsers, writeUsers } from "./queries.ts";
import { NewUser } from "./user.ts";

/** Adds users; overwrites those that exist. With a document, adds them to it too. */
export const addUsers = operation({
  path: "/v2/users/add",
  aliases: ["/v1/users/add"],
  summary: "Add users to an organization",
  description:
    "The record of a user who exists is overwritten as a whole, so the request can be repeated. Further fields " +
    "are metadata, stored as sent: up to 64 KiB of JSON per user. With `documentId` the users also become " +
    "members of that document. The `id` of each item is the user key: 32 hexadecimal digits, the first 16 bytes " +
    "of SHA-256 over the user ID. A missing organization or document is created unless `createOrganization` or " +
    "`createDocument` is `false`; then every item fails and nothing is written.",
  message: "Users added.",
  scope: "write",
  request: Type.Object({
    organizationId: Identifier,
    users: Type.Array(NewUser, { minItems: 1, maxItems: 500 }),
    documentId: Type.Optional(Identifier),
    createOrganization: createFlag("organization", "every item fails"),
    createDocument: createFlag("document", "every item fails"),
  }),
  response: perId(Type.Interface([ItemResult], { id: Type.String() })),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com", accessRole: "editor", team: "legal" }],
  },
  async handle({ workspace, database }, { organizationId, users, documentId, ...create }) {
    const ids = users.map(({ userId }) => userId);
    refuseRepeatedIds(ids, "users", "userId");
    const key = organizationKey(workspace.id, organizationId);
    const document = {
      organizationKey: key,
      workspaceId: workspace.id,
      organizationId,
      ...(documentId && { documentId }),
    };
    const rows = await withTexts(users.map((user) => ({ id: user.userId, record: user })));
    const missing = await database.transaction(async (transaction) => {
      const found = await ensureDocumentForManagement(transaction, document, create);
      if (found) return found;
      await writeUsers(transaction, key, rows);
      if (documentId !== undefined) await writeDocumentUsers(transaction, key, documentId, ids);
      return undefined;
    });
    const outcome = missing
      ? { success: false, message: `${missing} not found.` }
      : { success: true, message: "User added." };
    return keyedById(ids.map((userId) => [userId, { ...outcome, id: userKey(userId) }]));
  },
});
