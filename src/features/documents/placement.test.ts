import { expect, test } from "vitest";
import { addActivities, readActivityIds, SCOPE } from "../../../test/factories.ts";
import { addFolders, flatFolders, folderNamed, inFolders, moveFolder, setFolderAccess } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, ORGANIZATIONS, readRecordIds, readRecords, writeRecords } from "../../../test/organizations.ts";
import type { Api } from "../../operations.ts";

const service = await startTestService();
const ORGANIZATION = { organizationId: "acme" };
const MOVE = "/v2/organizations/documents/move";
const ACCESS = "/v2/organizations/documents/access/update";

function move(workspace: TestWorkspace, documentIds: string[], folderId: string) {
  return workspace.result(MOVE, { ...ORGANIZATION, documentIds, folderId });
}

function setAccess(
  workspace: TestWorkspace,
  documentIds: string[],
  access: Pick<Api[typeof ACCESS]["request"], "accessType" | "inheritFromParent">,
) {
  return workspace.data(ACCESS, { ...ORGANIZATION, documentIds, ...access });
}

/** Reads the folder and the access type of each document, by ID. */
async function getPlaces(workspace: TestWorkspace): Promise<object> {
  const documents = await readRecords(workspace, DOCUMENTS);
  return Object.fromEntries(documents.map(({ id, folderId = "-", accessType }) => [id, `${folderId} ${accessType}`]));
}

test("a document made by a write is outside of any folder", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["a"]);
  expect(await getPlaces(workspace)).toEqual({ "contract-7": "- public" });
});

test("documents are added to a folder, which is created at the top level if it is missing", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a"));
  await writeRecords(workspace, DOCUMENTS, "add", ["in b"], { folderId: "b" });
  await writeRecords(workspace, DOCUMENTS, "add", ["in new"], { folderId: "new" });
  await writeRecords(workspace, DOCUMENTS, "add", ["outside"]);
  await writeRecords(workspace, DOCUMENTS, "add", ["at root"], { folderId: "root" });
  expect(await getPlaces(workspace)).toEqual({
    ...{ "in b": "b public", "in new": "new public", outside: "- public", "at root": "- public" },
  });
  expect(await flatFolders(workspace)).toEqual({ a: "root", b: "root/a", new: "root" });
});

test("createFolder false fails every document if the folder is missing, and creates nothing", async () => {
  const workspace = await service.publicWorkspace();
  const scope = { folderId: "missing", createFolder: false };
  const results = await writeRecords(workspace, DOCUMENTS, "add", ["a", "b"], scope);
  const error = { success: false, message: "Folder not found." };
  expect(results).toMatchObject({ a: error, b: error });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual([]);
});

test("adding an existing document moves it if a folder is named, and else leaves it where it is", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "a" });
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "d", documentName: "D" }]);
  await writeRecords(workspace, DOCUMENTS, "update", [{ documentId: "d", pages: 2 }]);
  expect(await getPlaces(workspace)).toEqual({ d: "a public" });
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "b" });
  expect(await getPlaces(workspace)).toEqual({ d: "b public" });
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "root" });
  expect(await getPlaces(workspace)).toEqual({ d: "- public" });
});

test("of concurrent adds to a missing folder each succeeds, and the folder is created once", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 12 }, (_, index) => `d${10 + index}`);
  await Promise.all(ids.map((id) => writeRecords(workspace, DOCUMENTS, "add", [id], { folderId: "new" })));
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "new" })).toEqual(ids);
});

test("documents are filtered by the folder that they are directly in, in pages", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a"));
  await writeRecords(workspace, DOCUMENTS, "add", ["1", "3", "5"], { folderId: "a" });
  await writeRecords(workspace, DOCUMENTS, "add", ["2"], { folderId: "b" });
  await writeRecords(workspace, DOCUMENTS, "add", ["4", "6"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "a", pageSize: 1 })).toEqual(["1", "3", "5"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "b" })).toEqual(["2"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "root", pageSize: 1 })).toEqual(["4", "6"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "a", documentIds: ["2", "3"] })).toEqual(["3"]);
  expect(await readRecordIds(workspace, DOCUMENTS, { folderId: "missing" })).toEqual([]);
});

test("documents move together or, if one or the folder is missing, not at all", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a"));
  await writeRecords(workspace, DOCUMENTS, "add", ["x", "y"]);
  for (const [documentIds, folderId] of [
    [["x", "missing"], "a"],
    [["x", "y"], "missing"],
  ] as const) {
    const error = await workspace.error(MOVE, { ...ORGANIZATION, documentIds, folderId });
    expect(error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining('"missing"') });
  }
  expect(await getPlaces(workspace)).toEqual({ x: "- public", y: "- public" });
  await move(workspace, ["x", "y", "x"], "a");
  expect(await getPlaces(workspace)).toEqual({ x: "a public", y: "a public" });
  await move(workspace, ["x"], "root");
  expect(await getPlaces(workspace)).toEqual({ x: "- public", y: "a public" });
});

test("the type of a document is its own, else that of the nearest folder that has one, else the default", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, [...inFolders("a", "b a"), { folderId: "open", accessType: "public" }]);
  await writeRecords(workspace, DOCUMENTS, "add", ["own", "inherits"], { folderId: "b" });
  expect(await setAccess(workspace, ["own", "missing"], { accessType: "organizationPrivate" })).toEqual({
    own: { success: true, message: "Document access updated.", accessType: "organizationPrivate" },
    missing: { success: false, code: "not-found", message: "Document not found." },
  });
  await setFolderAccess(workspace, ["a"], { accessType: "restricted" });
  expect(await getPlaces(workspace)).toEqual({ own: "b organizationPrivate", inherits: "b restricted" });
  await moveFolder(workspace, "b", "open");
  expect(await getPlaces(workspace)).toEqual({ own: "b organizationPrivate", inherits: "b public" });
  expect(await setAccess(workspace, ["own"], { inheritFromParent: true })).toEqual({
    own: { success: true, message: "Document access updated.", accessType: null, inheritFromParent: true },
  });
  await move(workspace, ["own"], "a");
  expect(await getPlaces(workspace)).toEqual({ own: "a restricted", inherits: "b public" });
  for (const access of [{}, { inheritFromParent: false }, { accessType: "public", inheritFromParent: true }]) {
    const error = await workspace.error(ACCESS, { ...ORGANIZATION, documentIds: ["own"], ...access });
    expect(error.status).toBe("INVALID_ARGUMENT");
  }
});

test("a document that is deleted and written again is outside of any folder, with the default type", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["contract-7"], { folderId: "a" });
  await setAccess(workspace, ["contract-7"], { accessType: "restricted" });
  await workspace.data("/v2/organizations/documents/delete", { ...ORGANIZATION, documentIds: ["contract-7"] });
  await addActivities(workspace, ["a"]);
  expect(await getPlaces(workspace)).toEqual({ "contract-7": "- public" });
  expect(await readActivityIds(workspace, { documentId: SCOPE.documentId })).toEqual(["a"]);
});

test("a move waits for a deletion of its folder, and then fails", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["x"]);
  for (let round = 0; round < 5; round++) {
    await addFolders(workspace, inFolders("a"));
    const [, moved] = await Promise.all([
      workspace.data("/v2/organizations/folders/delete", { ...ORGANIZATION, folderId: "a" }),
      workspace.call(MOVE, { ...ORGANIZATION, documentIds: ["x"], folderId: "a" }),
    ]);
    const places = await getPlaces(workspace);
    // The move came first and the document is deleted with the folder, or it failed.
    expect(places).toEqual(moved.httpStatus === 200 ? {} : { x: "- public" });
    await writeRecords(workspace, DOCUMENTS, "add", ["x"]);
  }
  expect(await flatFolders(workspace)).toEqual({});
  expect(await folderNamed(workspace, "a").catch(() => "gone")).toBe("gone");
});
