import { limitError } from "../../../contract/limit-error.ts";
import type { ListenedWorkspace } from "../../event-log/record-events.ts";
import { ensureDocument, ensureDocumentForManagement } from "../../implicit-creation/ensure-document.ts";
import { requireAccessible, requireNotBeingDeleted } from "../../tenancy/access-block.ts";
import type { Create } from "../../tenancy/create-flags.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import {
  countFolders,
  insertFolders,
  lockFolderAgainstDeletion,
  lockFolderTree,
  selectFolderPlaces,
} from "./folder-queries.ts";
import { placeNewFolders } from "./new-folders.ts";

interface CreateInFolder extends Create {
  createFolder?: boolean | undefined;
}

type Missing = "Organization" | "Document" | "Folder" | undefined;

/**
 * Ensures the organization, the document if there is one, and the folder unless it is null, which is locked against
 * deletion. Returns what is missing if the caller forbids its creation; nothing may then be written.
 */
export const ensureFolder = buildEnsureFolder(requireAccessible, ensureDocument);

/** Ensures them for a change of users or permissions, which a disabled organization allows. */
export const ensureFolderForManagement = buildEnsureFolder(requireNotBeingDeleted, ensureDocumentForManagement);

function buildEnsureFolder(requireUsable: typeof requireAccessible, ensure: typeof ensureDocument) {
  return async (
    scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
    documentId: string | undefined,
    folderId: string | null,
    { createFolder = true, ...create }: CreateInFolder,
  ): Promise<Missing> => {
    const isFound = folderId === null || (await lockFolderAgainstDeletion(scope, folderId));
    if (!isFound && !createFolder) {
      await requireUsable(scope);
      return "Folder";
    }
    const missing = await ensure(scope, documentId, create);
    if (!missing && !isFound) await createMissingFolder(scope, folderId);
    return missing;
  };
}

/** Creates a folder at the top level, unless another call has created it in the meantime. */
async function createMissingFolder(scope: InTransaction<OrganizationScope>, folderId: string): Promise<void> {
  await lockFolderTree(scope);
  const stored = await selectFolderPlaces(scope, [folderId]);
  if (stored.has(folderId)) return;
  const count = await countFolders(scope);
  const { rows, results } = placeNewFolders([{ folderId }], stored, count);
  const error = results.find(({ success }) => !success);
  if (error) throw limitError("folders", error.message);
  await insertFolders(scope, rows);
}
