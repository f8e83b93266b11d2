import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { rejectRepeatedIds } from "../../../contract/repeated-ids.ts";
import { Identifier, keyedById, perId } from "../../../contract/schema.ts";
import { recordAccessChange } from "../../event-log/record-events.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization, type OrganizationScope } from "../../tenancy/organization-scope.ts";
import { FolderResult, MAX_DEPTH, NewFolder, storedFolderId } from "./folder.ts";
import { lockFolderTree, moveFolder, renameFolders, selectFolderPlaces, selectHeight } from "./folder-queries.ts";
import { getFolders } from "./get.ts";
import { failed, TOO_DEEP } from "./new-folders.ts";

const Request = Type.Object({
  organizationId: Identifier,
  folders: Type.Array(NewFolder, { minItems: 1, maxItems: 500 }),
});

/** Renames and moves folders, one after the other. A move takes all that is in the folder along. */
export const updateFolders = operation({
  path: "/v2/organizations/folders/update",
  aliases: ["/v1/organizations/folders/update"],
  summary: "Rename or move folders",
  description:
    "`parentFolderId` moves the folder with everything in it; `root` moves it to the top level. The ancestors and " +
    "inherited access types of everything in it change at once. A folder fails alone if it or the new parent does " +
    "not exist, if the new parent is the folder itself or in it, or if the tree would have more than 32 levels.",
  message: "Folders updated.",
  scope: "write",
  audit: "folder.move",
  request: Request,
  returned: {
    by: getFolders,
    field: "folders",
    id: "folderId",
    request: ({ organizationId }) => ({ organizationId }),
  },
  response: perId(FolderResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", folders: [{ folderId: "contracts", folderName: "All contracts" }] },
  handle,
});

async function handle({ database, workspace, audit }: Context, { organizationId, folders }: Static<typeof Request>) {
  const ids = folders.map(({ folderId }) => folderId);
  rejectRepeatedIds(ids, "folders", "folderId");
  return inOrganization(database, workspace, organizationId, async (scope) => {
    await lockFolderTree(scope);
    await requireAccessible(scope);
    const results: FolderResult[] = [];
    const stored = await selectFolderPlaces(scope, ids);
    const moved: { folderId: string; parentFolderId: string }[] = [];
    for (const { folderId, parentFolderId } of folders) {
      if (!stored.has(folderId)) {
        results.push(failed(folderId, "not-found", "Folder not found."));
        continue;
      }
      const outcome = parentFolderId === undefined ? "unmoved" : await move(scope, folderId, parentFolderId);
      if (parentFolderId !== undefined && outcome === "moved") moved.push({ folderId, parentFolderId });
      results.push(typeof outcome === "string" ? updated(folderId) : outcome);
    }
    const done = new Set(results.filter(({ success }) => success).map(({ id }) => id));
    const renamed = folders.flatMap(({ folderId, folderName }) =>
      folderName !== undefined && done.has(folderId) ? [{ id: folderId, record: JSON.stringify({ folderName }) }] : [],
    );
    await renameFolders(scope, renamed);
    const folderIds = moved.map(({ folderId }) => folderId);
    const parentFolderIds = moved.map(({ parentFolderId }) => parentFolderId);
    if (moved.length > 0) {
      await audit(scope, { organizationId, folderIds, parentFolderIds });
      await recordAccessChange(scope);
    }
    return keyedById(results.map((result) => [result.id, result]));
  });
}

function updated(id: string): FolderResult {
  return { success: true, id, message: "Folder updated." };
}

/** Moves a folder that exists, in a locked tree, unless it is there already. Returns why it cannot be moved, if so. */
async function move(
  scope: OrganizationScope,
  id: string,
  parentFolderId: string,
): Promise<"moved" | "unmoved" | FolderResult> {
  const parentId = storedFolderId(parentFolderId);
  const places = await selectFolderPlaces(scope, [id, ...(parentId === null ? [] : [parentId])]);
  const path = parentId === null ? [] : places.get(parentId)?.path;
  if (!path) return failed(id, "not-found", "The parent folder does not exist.");
  if (path.includes(id)) return failed(id, "failed-precondition", "A folder cannot be moved into itself.");
  if ((places.get(id)?.path.at(-2) ?? null) === parentId) return "unmoved";
  const height = await selectHeight(scope, id);
  if (path.length + height > MAX_DEPTH) return failed(id, "failed-precondition", TOO_DEEP);
  await moveFolder(scope, id, parentId);
  return "moved";
}
