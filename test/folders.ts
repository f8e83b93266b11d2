import type { Api } from "../src/operations.ts";
import type { TestWorkspace } from "./harness.ts";

type NewFolder = Api["/v2/organizations/folders/add"]["request"]["folders"][number];
type FolderAccess = Omit<Api["/v2/organizations/folders/access/update"]["request"], "organizationId" | "folderIds">;

/** Returns new folders, each given as its ID or as its ID and that of its parent: `b a`. */
export function inFolders(...folders: string[]): NewFolder[] {
  return folders.map((text) => {
    const [folderId = "", parentFolderId] = text.split(" ");
    return parentFolderId === undefined ? { folderId } : { folderId, parentFolderId };
  });
}

export function addFolders(workspace: TestWorkspace, folders: NewFolder[], more: object = {}) {
  return workspace.data("/v2/organizations/folders/add", { organizationId: "acme", folders, ...more });
}

/** Moves a folder. Returns its result. */
export async function moveFolder(workspace: TestWorkspace, folderId: string, parentFolderId: string) {
  const folders = [{ folderId, parentFolderId }];
  const results = await workspace.data("/v2/organizations/folders/update", { organizationId: "acme", folders });
  return results[folderId];
}

export function setFolderAccess(workspace: TestWorkspace, folderIds: string[], access: FolderAccess) {
  return workspace.data("/v2/organizations/folders/access/update", { organizationId: "acme", folderIds, ...access });
}

/** Reads the ancestors of each folder, as a path, by ID. */
export async function flatFolders(workspace: TestWorkspace): Promise<{ [folderId: string]: string }> {
  const folders = await workspace.data("/v2/organizations/folders/get", { organizationId: "acme" });
  return Object.fromEntries(folders.map(({ folderId, ancestors }) => [folderId, ancestors.join("/")]));
}

export async function folderNamed(workspace: TestWorkspace, folderId: string) {
  const [folder] = await workspace.data("/v2/organizations/folders/get", { organizationId: "acme", folderId });
  return folder;
}
