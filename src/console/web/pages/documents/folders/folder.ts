import type { Folder } from "../../../api/records.ts";
import { revealBidiControls } from "../../../components/bidi.ts";

/** Reserved ID of the top level. */
export const ROOT = "root";

const BY_LABEL = new Intl.Collator(undefined, { numeric: true });

/** Returns the name of a folder, or its ID if it has none. */
export function folderLabel({ folderId, folderName }: Pick<Folder, "folderId" | "folderName">): string {
  return folderName || folderId;
}

/** Returns folders sorted by label, with numbers in numeric order. */
export function sortFolders(folders: Folder[]): Folder[] {
  return folders.toSorted((one, other) => BY_LABEL.compare(folderLabel(one), folderLabel(other)));
}

export interface FolderOption {
  value: string;
  /** Labels of the folder and its ancestors, outermost first. */
  label: string;
}

/**
 * Returns the folders as options sorted by path, after the top level. Leaves out the folder `moved` and the folders in
 * it, which cannot contain it.
 */
export function folderOptions(folders: Folder[], moved?: string): FolderOption[] {
  const labels = new Map(folders.map((folder) => [folder.folderId, folderLabel(folder)]));
  const options = folders
    .filter(({ folderId, ancestors }) => moved === undefined || ![folderId, ...ancestors].includes(moved))
    .map(({ folderId, ancestors }) => ({
      value: folderId,
      label: [...ancestors.slice(1), folderId].map((id) => isolated(labels.get(id) ?? id)).join(" / "),
    }));
  return [
    { value: ROOT, label: "Top level" },
    ...options.toSorted((one, other) => BY_LABEL.compare(one.label, other.label)),
  ];
}

/** Isolates a name, so that it cannot reorder the text around it where markup is impossible. */
function isolated(name: string): string {
  return `\u2068${revealBidiControls(name)}\u2069`;
}
