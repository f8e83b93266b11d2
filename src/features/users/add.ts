import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, keyedById, perId } from "../../contract/schema.ts";
import { withTexts } from "../../json/record-texts.ts";
import { addUsersTo } from "../access/grant-queries.ts";
import { ensureFolderForManagement } from "../documents/folders/ensure-folder.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { completeUploads } from "../files/complete-uploads.ts";
import { referencePhotos } from "../files/reference-files.ts";
import { requireNotMigrating } from "../tenancy/access-block.ts";
import { createFlag } from "../tenancy/create-flags.ts";
import { RecordResult } from "../tenancy/metadata.ts";
import { userKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { buildUserEvents } from "./event-log.ts";
import { getResource, RESOURCE_FIELDS, resourceFields } from "./resource.ts";
import { NewUser, OMITTED_FIELDS } from "./user.ts";
import { writeUsers } from "./user-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  users: Type.Array(NewUser, { minItems: 1, maxItems: 500 }),
  ...RESOURCE_FIELDS,
  createOrganization: createFlag("organization", "every item fails"),
  createFolder: createFlag("folder", "every item fails"),
  createDocument: createFlag("document", "every item fails"),
});

/** Adds users to an organization, a folder or a document, with the role that is sent; overwrites those that exist. */
export const addUsers = operation({
  path: "/v2/users/add",
  aliases: ["/v1/users/add"],
  summary: "Add users to an organization, folder or document",
  description:
    "Makes them users of the folder or document named, or else of the organization. `accessRole` gives a permission " +
    "on it; without one, new users get no permission, and those who have one keep it. Those of a folder or document " +
    "do not become users of the organization. The record of a user who exists is " +
    "overwritten as a whole, so the request can be repeated; an organization keeps one for each user. Further fields " +
    "are metadata, stored as sent: up to 64 KiB of JSON per user. The `id` of each item is the user key: 32 " +
    "hexadecimal digits, the first 16 bytes of SHA-256 over the user ID. What is missing is created, a folder at " +
    "the top level, unless `createOrganization`, `createFolder` or `createDocument` is `false`; then every item " +
    "fails and nothing is written.",
  message: "Users added.",
  scope: "write",
  audit: "user.add",
  request: Request,
  response: perId(RecordResult),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com", accessRole: "editor", team: "legal" }],
  },
  handle,
});

async function handle(
  { database, workspace, audit, files }: Context,
  { organizationId, users, documentId, folderId, ...create }: Static<typeof Request>,
) {
  const ids = users.map(({ userId }) => userId);
  rejectRepeatedIds(ids, "users", "userId");
  const resource = getResource({ documentId, folderId });
  await completeUploads({ database, workspace, files }, organizationId, users);
  const missing = await inOrganization(database, workspace, organizationId, async (scope) => {
    const found = await ensureFolderForManagement(scope, documentId, folderId ?? null, create);
    if (found) return found;
    if (documentId !== undefined) await requireNotMigrating(scope, [documentId]);
    const named = await referencePhotos(scope, users);
    await writeUsers(
      scope,
      withTexts(named.map((user) => ({ id: user.userId, record: { ...user, ...OMITTED_FIELDS } }))),
    );
    await addUsersTo(
      scope,
      resource,
      users.map(({ userId, accessRole }) => ({ userId, accessRole })),
    );
    await audit(scope, { organizationId, ...resourceFields({ documentId, folderId }), users: ids.length });
    await recordAccessChange(scope);
    await recordEvents(scope, buildUserEvents({ documentId, folderId }, ids));
    return undefined;
  });
  const outcome = missing
    ? { success: false, code: "not-found" as const, message: `${missing} not found.` }
    : { success: true, message: "User added." };
  return keyedById(ids.map((userId) => [userId, { ...outcome, id: userKey(userId) }]));
}
