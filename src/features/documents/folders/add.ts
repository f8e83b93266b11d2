import Type, { type Static } from "typebox";
import { AccessType } from "../../../contract/access-type.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { rejectRepeatedIds } from "../../../contract/repeated-ids.ts";
import { Identifier, keyedById, perId } from "../../../contract/schema.ts";
import { ensureDocument } from "../../implicit-creation/ensure-document.ts";
import { createFlag } from "../../tenancy/create-flags.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { FolderResult, NewFolder } from "./folder.ts";
import { countFolders, insertFolders, lockFolderTree, selectFolderPlaces } from "./folder-queries.ts";
import { getFolders } from "./get.ts";
import { placeNewFolders } from "./new-folders.ts";

const Request = Type.Object({
  organizationId: Identifier,
  folders: Type.Array(Type.Interface([NewFolder], { accessType: Type.Optional(AccessType) }), {
    minItems: 1,
    maxItems: 500,
  }),
  createOrganization: createFlag("organization", "every item fails"),
});

/** Adds folders. One that exists fails alone and stays unchanged. */
export const addFolders = operation({
  path: "/v2/organizations/folders/add",
  aliases: ["/v1/organizations/folders/add"],
  summary: "Add folders",
  description:
    "The parent of a folder exists or is part of the same request, in any order. Without `parentFolderId`, or with " +
    "`root`, a folder is at the top level. A folder without `accessType` inherits that of its parent. A folder that " +
    "exists, has no parent, or would be deeper than 32 levels fails alone. An organization has at most 10,000 " +
    "folders. A missing organization is created unless `createOrganization` is `false`; then every item fails.",
  message: "Folders added.",
  scope: "write",
  request: Request,
  returned: {
    by: getFolders,
    field: "folders",
    id: "folderId",
    request: ({ organizationId }) => ({ organizationId }),
  },
  response: perId(FolderResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    folders: [{ folderId: "contracts", folderName: "Contracts", accessType: "organizationPrivate" }],
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, folders, ...create }: Static<typeof Request>,
) {
  const ids = folders.map(({ folderId }) => folderId);
  rejectRepeatedIds(ids, "folders", "folderId");
  const named = [...ids, ...folders.flatMap(({ parentFolderId }) => parentFolderId ?? [])];
  return inOrganization(database, workspace, organizationId, async (scope) => {
    const missing = await ensureDocument(scope, undefined, create);
    if (missing) {
      const failed = { success: false, code: "not-found" as const, message: `${missing} not found.` };
      return keyedById(ids.map((id) => [id, { ...failed, id }]));
    }
    await lockFolderTree(scope);
    const stored = await selectFolderPlaces(scope, named);
    const { rows, results } = placeNewFolders(folders, stored, await countFolders(scope));
    await insertFolders(scope, rows);
    return keyedById(results.map((result) => [result.id, result]));
  });
}
