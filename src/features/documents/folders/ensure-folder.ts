import { ServiceError } from "../../../contract/errors.ts";
import type { Queryable } from "../../../database/statement.ts";
import { requireAccessible } from "../../tenancy/access.ts";
import { ensureDocumentIfAllowed } from "../../tenancy/ensure-document.ts";
import type { DocumentRef } from "../../tenancy/queries.ts";
import { placeNewFolders } from "./new-folders.ts";
import { countFolders, insertFolders, lockFolder, lockFolderTree, selectFolderPlaces } from "./queries.ts";

interface Create {
  createOrganization?: boolean | undefined;
  createFolder?: boolean | undefined;
}

/**
 * Ensures the organization and the folder, unless it is null, and locks the folder against deletion. Returns what is
 * missing if the caller forbids its creation; nothing may then be written.
 */
export async function ensurePlace(
  transaction: Queryable,
  organization: DocumentRef,
  folderId: string | null,
  { createFolder = true, ...create }: Create,
): Promise<"Organization" | "Document" | "Folder" | undefined> {
  const { organizationKey, organizationId } = organization;
  const isFound = folderId === null || (await lockFolder(transaction, organizationKey, folderId));
  if (!isFound && !createFolder) {
    await requireAccessible(transaction, organizationKey, organizationId);
    return "Folder";
  }
  const missing = await ensureDocumentIfAllowed(transaction, organization, create);
  if (!missing && !isFound) await createMissingFolder(transaction, organizationKey, folderId);
  return missing;
}

/** Creates a folder at the top level, unless another call has created it in the meantime. */
async function createMissingFolder(transaction: Queryable, organizationKey: string, folderId: string): Promise<void> {
  await lockFolderTree(transaction, organizationKey);
  const stored = await selectFolderPlaces(transaction, organizationKey, [folderId]);
  if (stored.has(folderId)) return;
  const count = await countFolders(transaction, organizationKey);
  const { rows, results } = placeNewFolders([{ folderId }], stored, count);
  const refusal = results.find(({ success }) => !success);
  if (refusal) throw new ServiceError("limit_reached", refusal.message);
  await insertFolders(transaction, organizationKey, rows);
}
