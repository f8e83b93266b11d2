import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, perId } from "../../contract/schema.ts";
import { setRoles } from "../access/grant-queries.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { completeUploads } from "../files/complete-uploads.ts";
import { referencePhotos } from "../files/reference-files.ts";
import { requireNotBeingDeleted, requireNotMigrating } from "../tenancy/access-block.ts";
import { IgnoredCreate } from "../tenancy/create-flags.ts";
import { mergeRecords, RecordResult } from "../tenancy/metadata.ts";
import { userKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { buildUserEvents } from "./event-log.ts";
import { getResource, RESOURCE_FIELDS, resourceFields } from "./resource.ts";
import { NewUser, OMITTED_FIELDS } from "./user.ts";
import { lockUserRecords, replaceUserRecords } from "./user-queries.ts";

const MERGING = { noun: "User", getKey: userKey, omitted: OMITTED_FIELDS };

const Request = Type.Object({
  organizationId: Identifier,
  users: Type.Array(NewUser, { minItems: 1, maxItems: 500 }),
  ...RESOURCE_FIELDS,
  createOrganization: IgnoredCreate,
  createFolder: IgnoredCreate,
  createDocument: IgnoredCreate,
});

/** Replaces each field that is sent as a whole and keeps the rest. A missing user fails alone. */
export const updateUsers = operation({
  path: "/v2/users/update",
  aliases: ["/v1/users/update"],
  summary: "Update users of an organization",
  description:
    "Replaces each field that is sent as a whole, metadata also with `null`, and keeps the others. `accessRole` " +
    "gives or replaces the role on the folder or document named, or else on the organization. Someone who is not one " +
    "of its users, or whose record would exceed 64 KiB, fails alone.",
  message: "Users updated.",
  scope: "write",
  audit: "user.update",
  request: Request,
  response: perId(RecordResult),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", users: [{ userId: "ada", accessRole: "viewer", team: null }] },
  handle,
});

async function handle(
  { database, workspace, audit, files }: Context,
  { organizationId, users, documentId, folderId }: Static<typeof Request>,
) {
  const ids = users.map(({ userId }) => userId);
  rejectRepeatedIds(ids, "users", "userId");
  const resource = getResource({ documentId, folderId });
  await completeUploads({ database, workspace, files }, organizationId, users);
  return inOrganization(database, workspace, organizationId, async (scope) => {
    await requireNotBeingDeleted(scope);
    if (documentId !== undefined) await requireNotMigrating(scope, [documentId]);
    const found = await lockUserRecords(scope, ids, resource);
    const named = await referencePhotos(scope, users);
    const updates = named.map((fields) => ({ id: fields.userId, fields }));
    const { results } = await mergeRecords(MERGING, updates, found, (merged) => replaceUserRecords(scope, merged));
    const roles = users.flatMap(({ userId, accessRole }) =>
      accessRole && results[userId]?.success ? [{ userId, accessRole }] : [],
    );
    await setRoles(scope, resource, roles);
    const target = { organizationId, ...resourceFields({ documentId, folderId }), users: roles.length };
    if (roles.length > 0) {
      await audit(scope, target);
      await recordAccessChange(scope);
    }
    const place = { documentId, folderId };
    await recordEvents(
      scope,
      buildUserEvents(
        place,
        ids.filter((id) => results[id]?.success),
      ),
    );
    return results;
  });
}
