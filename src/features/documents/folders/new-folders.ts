import type { AccessType } from "../../../contract/access-type.ts";
import { ROOT } from "../../../contract/folder-id.ts";
import { type FolderResult, MAX_DEPTH, MAX_FOLDERS, storedFolderId } from "./folder.ts";
import type { FolderPlace, NewFolderRow } from "./folder-queries.ts";

interface NewFolder {
  folderId: string;
  folderName?: string;
  parentFolderId?: string;
  accessType?: AccessType;
}

const TOP: FolderPlace = { path: [], effectiveType: null, definerDepth: null };

/** Returns the rows of the folders that can be added, and a result for each. Parents may come after their children. */
export function placeNewFolders(
  folders: NewFolder[],
  stored: ReadonlyMap<string, FolderPlace>,
  storedCount: number,
): { rows: NewFolderRow[]; results: FolderResult[] } {
  const given = new Map(folders.map((folder) => [folder.folderId, folder]));
  const outcomes = new Map<string, NewFolderRow | FolderResult>();
  let count = storedCount;

  function toOutcome(folder: NewFolder): NewFolderRow | FolderResult {
    const undecided: NewFolder[] = [];
    for (let next: NewFolder | undefined = folder; next && !outcomes.has(next.folderId); ) {
      undecided.push(next);
      // Holds until the folder is placed, so that a cycle of parents ends here.
      outcomes.set(next.folderId, parentMissing(next.folderId));
      next = given.get(next.parentFolderId ?? ROOT);
    }
    for (const each of undecided.toReversed()) outcomes.set(each.folderId, place(each));
    return outcomes.get(folder.folderId) ?? parentMissing(folder.folderId);
  }

  function place(folder: NewFolder): NewFolderRow | FolderResult {
    const { folderId: id, folderName = "", accessType: ownType = null } = folder;
    if (stored.has(id)) return failed(id, "already-exists", "Folder exists already.");
    const parentId = storedFolderId(folder.parentFolderId);
    const parent = parentId === null ? TOP : getPlace(parentId);
    if (!parent) return parentMissing(id);
    const path = [...parent.path, id];
    if (path.length > MAX_DEPTH) return failed(id, "failed-precondition", TOO_DEEP);
    if (count >= MAX_FOLDERS) {
      return failed(id, "failed-precondition", `The organization has ${MAX_FOLDERS} folders, which is the maximum.`);
    }
    count++;
    const record = JSON.stringify({ folderName });
    const inherited = { effectiveType: parent.effectiveType, definerDepth: parent.definerDepth };
    const own = { effectiveType: ownType, definerDepth: path.length };
    return { id, record, parentId, path, ownType, ...(ownType === null ? inherited : own) };
  }

  function getPlace(id: string): FolderPlace | undefined {
    const outcome = stored.get(id) ?? outcomes.get(id);
    return outcome && "path" in outcome ? outcome : undefined;
  }

  const all = folders.map(toOutcome);
  return {
    rows: all.filter((outcome) => "path" in outcome),
    results: all.map((outcome) =>
      "path" in outcome ? { success: true, id: outcome.id, message: "Folder added." } : outcome,
    ),
  };
}

export const TOO_DEEP = `The folder would be deeper than ${MAX_DEPTH} levels.`;

export function failed(id: string, code: NonNullable<FolderResult["code"]>, message: string): FolderResult {
  return { success: false, id, code, message };
}

function parentMissing(id: string): FolderResult {
  return failed(id, "not-found", "The parent folder does not exist.");
}
