import { expect, test } from "vitest";
import type { Folder } from "../../../api/records.ts";
import { folderOptions, sortFolders } from "./folder.ts";

function folder(folderId: string, folderName: string, ...ancestors: string[]): Folder {
  return {
    ...{ folderId, folderName, organizationId: "acme", apiKey: "", createdAt: 0, lastUpdated: 0 },
    ...{ parentFolderId: ancestors.at(-1) ?? "root", ancestors: ["root", ...ancestors] },
    ...{ accessType: "public", inheritAccessFromParent: true },
  };
}

test("folders are sorted by name, or by ID without one, with numbers in numeric order", () => {
  const sorted = sortFolders([
    folder("a", "Folder 10"),
    folder("Folder 9", ""),
    folder("b", "Älteste"),
    folder("c", "Z"),
  ]);
  expect(sorted.map(({ folderId }) => folderId)).toEqual(["b", "Folder 9", "a", "c"]);
});

test("options are labeled by path, and leave out the moved folder with the folders in it", () => {
  const folders = [folder("a", "Alpha"), folder("b", "Beta", "a"), folder("c", "", "a", "b"), folder("d", "Delta")];
  const labels = (moved?: string) =>
    folderOptions(folders, moved).map(({ label }) => label.replaceAll(/[\u2068\u2069]/g, ""));
  expect(labels()).toEqual(["Top level", "Alpha", "Alpha / Beta", "Alpha / Beta / c", "Delta"]);
  expect(labels("b")).toEqual(["Top level", "Alpha", "Delta"]);
});

test("a name with bidirectional control characters cannot reorder the label of an option", () => {
  const [, option] = folderOptions([folder("a", "x\u202Ey\u2069z")]);
  expect(option?.label).toBe("\u2068x[U+202E]y[U+2069]z\u2069");
});
