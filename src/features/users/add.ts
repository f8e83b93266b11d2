import Type from "typebox";
import { withTexts } from "../../contract/json-text.ts";
import { operation } from "../../contract/operation.ts";
import { refuseRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { writeGrants } from "../access/grants/queries.ts";
import { ensurePlaceForManagement } from "../documents/folders/ensure-folder.ts";
import { createFlag } from "../tenancy/ensure-document.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { userKey } from "../tenancy/user-key.ts";
import { LEVEL, levelOf } from "./level.ts";
import { writeUsers } from "./queries.ts";
import { NewUser, OMITTED_FIELDS } from "./user.ts";

/** Adds users to an organization, a folder or a document; overwrites those that exist. */
export const addUsers = operation({
  path: "/v2/users/add",
  aliases: ["/v1/users/add"],
  summary: "Add users to an organization, folder or document",
  description:
    "Gives the users permission, by default as `editor`, on the folder or document, or else on the organization. " +
    "Those of a folder or document do not become users of the organization. The record of a user who exists is " +
    "overwritten as a whole, so the request can be repeated; an organization keeps one for each user. Further fields " +
    "are metadata, stored as sent: up to 64 KiB of JSON per user. The `id` of each item is the user key: 32 " +
    "hexadecimal digits, the first 16 bytes of SHA-256 over the user ID. What is missing is created, a folder at " +
    "the top level, unless `createOrganization`, `createFolder` or `createDocument` is `false`; then every item " +
    "fails and nothing is written.",
  message: "Users added.",
  scope: "write",
  request: Type.Object({
    organizationId: Identifier,
    users: Type.Array(NewUser, { minItems: 1, maxItems: 500 }),
    ...LEVEL,
    createOrganization: createFlag("organization", "every item fails"),
    createFolder: createFlag("folder", "every item fails"),
    createDocument: createFlag("document", "every item fails"),
  }),
  response: perId(Type.Interface([ItemResult], { id: Type.String() })),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com", accessRole: "editor", team: "legal" }],
  },
  async handle({ workspace, database }, { organizationId, users, documentId, folderId, ...create }) {
    const ids = users.map(({ userId }) => userId);
    refuseRepeatedIds(ids, "users", "userId");
    const level = levelOf({ documentId, folderId });
    const key = organizationKey(workspace.id, organizationId);
    const document = {
      organizationKey: key,
      workspaceId: workspace.id,
      organizationId,
      ...(documentId && { documentId }),
    };
    const rows = await withTexts(users.map((user) => ({ id: user.userId, record: { ...user, ...OMITTED_FIELDS } })));
    const grants = users.map(({ userId, accessRole = "editor" }) => ({ ...level, userId, accessRole }));
    const missing = await database.transaction(async (transaction) => {
      const found = await ensurePlaceForManagement(transaction, document, folderId ?? null, create);
      if (found) return found;
      await writeUsers(transaction, key, rows);
      await writeGrants(transaction, key, grants);
      return undefined;
    });
    const outcome = missing
      ? { success: false, message: `${missing} not found.` }
      : { success: true, message: "User added." };
    return keyedById(ids.map((userId) => [userId, { ...outcome, id: userKey(userId) }]));
  },
});
