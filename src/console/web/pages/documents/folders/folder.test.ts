import { expect, test } from "vitest";
import type { Folder } from "../../../api/records.ts";
import { folderOptions, sortFolders } from "./folder.ts";

function folder(folderId: string, folderName: string): Folder {
  return {
    ...{ folderId, folderName, organizationId: "acme", apiKey: "", createdAt: 0, lastUpdated: 0 },
    ...{ parentFolderId: "root", ancestors: ["root"] },
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

test("options are sorted and labeled by name or ID, and leave out the moved folder", () => {
  const folders = [folder("d", "Delta"), folder("c", ""), folder("a", "Alpha")];
  const labels = (moved?: string) =>
    folderOptions(folders, moved).map(({ label }) => label.replaceAll(/[\u2068\u2069]/g, ""));
  expect(labels()).toEqual(["Alpha", "c", "Delta"]);
  expect(labels("c")).toEqual(["Alpha", "Delta"]);
});

test("a name with bidirectional control characters cannot reorder the label of an option", () => {
  const [option] = folderOptions([folder("a", "x\u202Ey\u2069z")]);
  expect(option?.label).toBe("\u2068x[U+202E]y[U+2069]z\u2069");
});
