import { expect, test } from "vitest";
import { MAX_DEPTH, MAX_FOLDERS } from "./folder.ts";
import { placeNewFolders } from "./new-folders.ts";

test("a chain of as many folders as an organization may have, children first, is placed to the maximum depth", () => {
  const chain = Array.from({ length: MAX_FOLDERS }, (_, index) => ({
    folderId: `folder-${index}`,
    parentFolderId: index === MAX_FOLDERS - 1 ? "root" : `folder-${index + 1}`,
  }));
  const { rows, results } = placeNewFolders(chain, new Map(), 0);
  expect(rows.map(({ id }) => id)).toEqual(chain.slice(-MAX_DEPTH).map(({ folderId }) => folderId));
  expect(results.filter(({ success }) => success)).toHaveLength(MAX_DEPTH);
  expect(results[MAX_FOLDERS - MAX_DEPTH - 1]).toMatchObject({ code: "failed-precondition" });
});
