import Type, { type Static } from "typebox";
import { FolderId, ROOT } from "../../../contract/folder-id.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { Folder, folderNotFound, MAX_DEPTH } from "./folder.ts";
import { type FolderRow, selectFolders, selectFoldersIn } from "./folder-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  folderId: Type.Optional(FolderId),
  maxDepth: Type.Optional(Type.Integer({ minimum: 1, description: "Number of levels of `subFolders`." })),
});

/** Reads all folders as a list, the tree of all, or one folder with those in it. */
export const getFolders = operation({
  path: "/v2/organizations/folders/get",
  aliases: ["/v1/organizations/folders/get"],
  summary: "Read folders",
  description:
    "With `folderId`, returns that folder with `maxDepth` levels of `subFolders`, one by default. Without it, " +
    "returns all folders as a list, or with `maxDepth` those of the top level with so many levels of " +
    "`subFolders`. Folders are ordered by ID. `accessType` is the type that applies: its own, else that of the " +
    "nearest ancestor that has one, else the default of the workspace.",
  message: "Folders retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(Folder),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", maxDepth: 2 },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, folderId, maxDepth }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  await requireAccessible(scope);
  const levels = maxDepth === undefined ? undefined : Math.min(maxDepth, MAX_DEPTH);
  const rows =
    folderId === undefined
      ? await selectFolders(scope, levels === undefined ? undefined : levels + 1)
      : await selectFoldersIn(scope, folderId, levels ?? 1);
  const toFolder = ({ id, record, parentId, path, ownType, effectiveType, ...times }: FolderRow): Folder => ({
    folderId: id,
    folderName: record.folderName,
    organizationId,
    parentFolderId: parentId ?? ROOT,
    apiKey: workspace.apiKey,
    createdAt: times.createdAt,
    lastUpdated: times.updatedAt,
    ancestors: [ROOT, ...path.slice(0, -1)],
    accessType: effectiveType ?? workspace.defaultDocumentAccessType,
    inheritAccessFromParent: ownType === null,
  });
  const folders = rows.map(toFolder);
  if (folderId === undefined)
    return maxDepth === undefined ? folders : nested(folders, ({ parentFolderId }) => parentFolderId === ROOT);
  if (folders.length === 0) throw folderNotFound(folderId);
  return nested(folders, (folder) => folder.folderId === folderId);
}

/** Puts folders into those that contain them. Returns the outermost ones. */
function nested(folders: Folder[], isOutermost: (folder: Folder) => boolean): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.folderId, folder]));
  for (const folder of folders) {
    const parent = isOutermost(folder) ? undefined : byId.get(folder.parentFolderId);
    if (!parent) continue;
    parent.subFolders ??= [];
    parent.subFolders.push(folder);
  }
  return folders.filter(isOutermost);
}
