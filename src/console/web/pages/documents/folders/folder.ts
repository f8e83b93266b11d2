import type { Folder } from "../../../api/records.ts";
import { revealBidiControls } from "../../../components/bidi.ts";
import { nameOrId } from "../../../components/display-text.ts";
import { LOCALE } from "../../../components/locale.ts";

/** Reserved ID of the top level. */
export const ROOT = "root";

const BY_LABEL = new Intl.Collator(LOCALE, { numeric: true });

/** Returns the name of a folder, or its ID if it has none. */
export function folderLabel({ folderId, folderName }: Pick<Folder, "folderId" | "folderName">): string {
  return nameOrId(folderName, folderId);
}

/** Returns folders sorted by label, with numbers in numeric order. */
export function sortFolders(folders: Folder[]): Folder[] {
  return folders.toSorted((one, other) => BY_LABEL.compare(folderLabel(one), folderLabel(other)));
}

export interface FolderOption {
  value: string;
  label: string;
}

/** Returns the folders of a level as sorted options, without the folder `moved`, which cannot contain itself. */
export function folderOptions(folders: Folder[], moved?: string): FolderOption[] {
  return sortFolders(folders.filter(({ folderId }) => folderId !== moved)).map((folder) => ({
    value: folder.folderId,
    label: isolated(folderLabel(folder)),
  }));
}

/** Isolates a name, so that it cannot reorder the text around it where markup is impossible. */
export function isolated(name: string): string {
  return `\u2068${revealBidiControls(name)}\u2069`;
}
