import Type, { type Static } from "typebox";
import { FolderId } from "../../../contract/folder-id.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { recordAccessChange } from "../../event-log/record-events.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { deleteDocumentsInFolders } from "../purge/job.ts";
import { folderNotFound } from "./folder.ts";
import { deleteFolderRows, lockFoldersForDeletion, lockFolderTree, selectSubtree } from "./folder-queries.ts";

const Request = Type.Object({ organizationId: Identifier, folderId: FolderId });

/** Deletes a folder with its subfolders and their documents at once. A job purges the data of the documents. */
export const deleteFolder = operation({
  path: "/v2/organizations/folders/delete",
  summary: "Delete a folder with everything in it",
  description:
    "Deletes the folder, its subfolders and the documents in them. A job then purges everything that was written to " +
    "these documents before the request, within seconds to minutes; until then backends still read it. Data written " +
    "after the response is kept: the next write to a document creates it again, outside of any folder.",
  message: "Folder deleted.",
  scope: "write",
  request: Request,
  deletes: ["folderId"],
  response: Type.Null(),
  audit: "folder.delete",
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", folderId: "contracts" },
  handle,
});

async function handle(
  { database, workspace, jobs, audit }: Context,
  { organizationId, folderId }: Static<typeof Request>,
) {
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await lockFolderTree(scope);
    await requireAccessible(scope);
    const folderIds = await selectSubtree(scope, folderId);
    if (folderIds.length === 0) throw folderNotFound(folderId);
    await lockFoldersForDeletion(scope, folderIds);
    await audit(scope, { organizationId, folderId });
    await recordAccessChange(scope);
    await deleteFolderRows(scope, folderIds);
    await deleteDocumentsInFolders(scope, jobs, folderIds);
  });
  return null;
}
