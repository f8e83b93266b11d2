import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, keyedById, perId } from "../../contract/schema.ts";
import { mergeFields } from "../../json/record-texts.ts";
import { ensureDocumentForManagement } from "../implicit-creation/ensure-document.ts";
import { createFlag } from "../tenancy/create-flags.ts";
import { IdentifiedResult } from "../tenancy/metadata.ts";
import { recordKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { getGroups } from "./get.ts";
import { groupRecord } from "./user-group.ts";
import { writeGroups } from "./user-group-queries.ts";

const NewGroup = Type.Object({
  groupId: Identifier,
  groupName: Type.Optional(Type.String({ description: "Empty until it is set." })),
});

const Request = Type.Object({
  organizationId: Identifier,
  organizationUserGroups: Type.Array(NewGroup, { minItems: 1, maxItems: 500 }),
  createOrganization: createFlag("organization", "every item fails"),
});

/** Adds user groups. One that exists gets the name and keeps its members. */
export const addGroups = operation({
  path: "/v2/organizations/usergroups/add",
  aliases: ["/v1/organizations/usergroups/add"],
  summary: "Add user groups to an organization",
  description:
    "A user group that exists gets the new name and keeps its members, so the request can be repeated. A missing " +
    "organization is created unless `createOrganization` is `false`; then every item fails. The `id` of each item " +
    "is the key of the user group: 32 hexadecimal digits, the first 16 bytes of SHA-256 over workspace ID, U+0000, " +
    "organization ID, U+0000, group ID.",
  message: "User groups added.",
  scope: "write",
  request: Request,
  returned: {
    by: getGroups,
    field: "organizationUserGroups",
    id: "groupId",
    request: ({ organizationId }, organizationUserGroupIds) => ({ organizationId, organizationUserGroupIds }),
  },
  response: perId(IdentifiedResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, organizationUserGroups, ...create }: Static<typeof Request>,
) {
  const ids = organizationUserGroups.map(({ groupId }) => groupId);
  rejectRepeatedIds(ids, "organizationUserGroups", "groupId");
  const rows = mergeFields(organizationUserGroups.map((fields) => ({ ...groupRecord(fields.groupId), fields })));
  const missing = await inOrganization(database, workspace, organizationId, async (scope) => {
    const found = await ensureDocumentForManagement(scope, undefined, create);
    if (found) return found;
    await writeGroups(scope, rows);
    return undefined;
  });
  const outcome = missing
    ? { success: false, message: `${missing} not found.` }
    : { success: true, message: "User group added." };
  return keyedById(ids.map((id) => [id, { ...outcome, id: recordKey(workspace.id, organizationId, id) }]));
}
