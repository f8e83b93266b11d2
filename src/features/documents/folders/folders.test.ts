import { expect, test } from "vitest";
import {
  addFolders,
  flatFolders,
  folderNamed,
  inFolders,
  moveFolder,
  setFolderAccess,
} from "../../../../test/folders.ts";
import { startTestService } from "../../../../test/harness.ts";
import { ORGANIZATIONS, readRecordIds, setDisabled } from "../../../../test/organizations.ts";

const service = await startTestService();
const ORGANIZATION = { organizationId: "acme" };
const GET = "/v2/organizations/folders/get";

test("a folder is read with its place, its times and the access type that applies", async () => {
  const workspace = await service.publicWorkspace();
  const before = Date.now();
  const folders = [
    { folderId: "a", folderName: "Größe \0", accessType: "restricted" as const },
    { folderId: "b", parentFolderId: "a" },
    { folderId: "top", parentFolderId: "root" },
  ];
  const message = "Folder added.";
  expect(await addFolders(workspace, folders)).toEqual({
    a: { success: true, id: "a", message },
    b: { success: true, id: "b", message },
    top: { success: true, id: "top", message },
  });
  const time = expect.any(Number);
  const common = { organizationId: "acme", apiKey: workspace.apiKey, createdAt: time, lastUpdated: time };
  const read = await workspace.data(GET, ORGANIZATION);
  expect(read).toEqual([
    {
      ...common,
      ...{ folderId: "a", folderName: "Größe \0", parentFolderId: "root", ancestors: ["root"] },
      ...{ accessType: "restricted", inheritAccessFromParent: false },
    },
    {
      ...common,
      ...{ folderId: "b", folderName: "", parentFolderId: "a", ancestors: ["root", "a"] },
      ...{ accessType: "restricted", inheritAccessFromParent: true },
    },
    {
      ...common,
      ...{ folderId: "top", folderName: "", parentFolderId: "root", ancestors: ["root"] },
      ...{ accessType: "public", inheritAccessFromParent: true },
    },
  ]);
  expect(Math.abs(Number(read[0]?.createdAt) - before)).toBeLessThan(60_000);
});

test("parents may come after their children in a request, or be stored", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("c b", "b a", "a"));
  await addFolders(workspace, inFolders("d c"));
  expect((await folderNamed(workspace, "d"))?.ancestors).toEqual(["root", "a", "b", "c"]);
});

test("a folder that exists, has no parent, or is its own ancestor fails alone", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, [{ folderId: "a", folderName: "Old" }]);
  const results = await addFolders(workspace, inFolders("a", "b missing", "c b", "d e", "e d", "f f", "g a"));
  expect(results).toMatchObject({
    a: { success: false, id: "a", code: "already-exists" },
    b: { success: false, code: "not-found" },
    c: { success: false, code: "not-found" },
    d: { success: false, code: "not-found" },
    e: { success: false, code: "not-found" },
    f: { success: false, code: "not-found" },
    g: { success: true },
  });
  expect(await flatFolders(workspace)).toEqual({ a: "root", g: "root/a" });
  expect((await folderNamed(workspace, "a"))?.folderName).toBe("Old");
});

test("a tree has at most 32 levels, also after a move", async () => {
  const workspace = await service.publicWorkspace();
  const chain = Array.from({ length: 33 }, (_, level) => (level === 0 ? "f0" : `f${level} f${level - 1}`));
  const results = await addFolders(workspace, inFolders(...chain));
  expect(results.f31).toMatchObject({ success: true });
  expect(results.f32).toMatchObject({ success: false, code: "failed-precondition" });
  await addFolders(workspace, inFolders("x", "y x"));
  expect(await moveFolder(workspace, "x", "f30")).toMatchObject({ success: false, code: "failed-precondition" });
  expect(await moveFolder(workspace, "x", "f29")).toMatchObject({ success: true });
  expect((await folderNamed(workspace, "y"))?.ancestors).toHaveLength(32);
});

test("root is the reserved ID of the top level", async () => {
  const workspace = await service.publicWorkspace();
  const error = { status: "INVALID_ARGUMENT", message: expect.stringContaining("must not be root") };
  for (const [path, request] of [
    ["add", { folders: [{ folderId: "root" }] }],
    ["update", { folders: [{ folderId: "root" }] }],
    ["delete", { folderId: "root" }],
    ["access/update", { folderIds: ["root"], accessType: "public" }],
  ] as const) {
    expect(await workspace.error(`/v2/organizations/folders/${path}`, { ...ORGANIZATION, ...request })).toMatchObject(
      error,
    );
  }
});

test("the tree is read down to maxDepth levels below its outermost folders", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a", "c b", "d c", "z a"));
  const outline = (folders: object[]): unknown =>
    folders.map((folder) => {
      const { folderId, subFolders } = folder as { folderId: string; subFolders?: object[] };
      return subFolders ? { [folderId]: outline(subFolders) } : folderId;
    });
  const read = async (request: object) => outline(await workspace.data(GET, { ...ORGANIZATION, ...request }));
  expect(await read({})).toEqual(["a", "b", "c", "d", "z"]);
  expect(await read({ maxDepth: 1 })).toEqual([{ a: ["b", "z"] }]);
  expect(await read({ maxDepth: 99 })).toEqual([{ a: [{ b: [{ c: ["d"] }] }, "z"] }]);
  expect(await read({ folderId: "a" })).toEqual([{ a: ["b", "z"] }]);
  expect(await read({ folderId: "a", maxDepth: 2 })).toEqual([{ a: [{ b: ["c"] }, "z"] }]);
  expect(await read({ folderId: "d" })).toEqual(["d"]);
});

test("an unknown folder is NOT_FOUND, and an organization without folders has an empty list", async () => {
  const workspace = await service.publicWorkspace();
  expect(await workspace.data(GET, ORGANIZATION)).toEqual([]);
  const request = { ...ORGANIZATION, folderId: "missing" };
  for (const path of [GET, "/v2/organizations/folders/delete"]) {
    expect(await workspace.error(path, request)).toMatchObject({ httpStatus: 404, status: "NOT_FOUND" });
  }
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual([]);
});

test("createOrganization false fails every folder of a missing organization and creates nothing", async () => {
  const workspace = await service.publicWorkspace();
  const results = await addFolders(workspace, inFolders("a", "b a"), { createOrganization: false });
  const error = { success: false, code: "not-found", message: "Organization not found." };
  expect(results).toMatchObject({ a: error, b: error });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual([]);
});

test("a move takes everything in the folder along, with its inherited access types", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a", "c b", "own c", "closed"));
  await setFolderAccess(workspace, ["closed"], { accessType: "restricted" });
  await setFolderAccess(workspace, ["own"], { accessType: "organizationPrivate" });
  expect(await moveFolder(workspace, "b", "closed")).toEqual({ success: true, id: "b", message: "Folder updated." });
  expect(await flatFolders(workspace)).toEqual({
    ...{ a: "root", closed: "root", b: "root/closed", c: "root/closed/b", own: "root/closed/b/c" },
  });
  const types = (await workspace.data(GET, ORGANIZATION)).map(({ folderId, accessType }) => [folderId, accessType]);
  expect(Object.fromEntries(types)).toEqual({
    ...{ a: "public", closed: "restricted", b: "restricted", c: "restricted", own: "organizationPrivate" },
  });
  await moveFolder(workspace, "b", "root");
  expect(await folderNamed(workspace, "c")).toMatchObject({ ancestors: ["root", "b"], accessType: "public" });
});

test("a move into itself, into a descendant, to a missing parent or of a missing folder fails alone", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a", "c b"));
  const request = { ...ORGANIZATION, folders: inFolders("a c", "b b", "c missing", "missing a") };
  expect(await workspace.data("/v2/organizations/folders/update", request)).toMatchObject({
    a: { success: false, code: "failed-precondition" },
    b: { success: false, code: "failed-precondition" },
    c: { success: false, code: "not-found" },
    missing: { success: false, code: "not-found", message: "Folder not found." },
  });
  expect(await flatFolders(workspace)).toEqual({ a: "root", b: "root/a", c: "root/a/b" });
});

test("a failed move does not rename the folder, and a rename keeps its place", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a"));
  const rename = (folderId: string, more: object) =>
    workspace.uncheckedResult("/v2/organizations/folders/update", {
      ...ORGANIZATION,
      folders: [{ folderId, folderName: "New", ...more }],
    });
  await rename("a", { parentFolderId: "b" });
  await rename("b", {});
  expect(await folderNamed(workspace, "a")).toMatchObject({ folderName: "" });
  expect(await folderNamed(workspace, "b")).toMatchObject({ folderName: "New", parentFolderId: "a" });
});

test("of two concurrent moves into each other one fails, so that no circle is made", async () => {
  const workspace = await service.publicWorkspace();
  for (let round = 0; round < 5; round++) {
    const [a, b] = [`a${round}`, `b${round}`];
    await addFolders(workspace, inFolders(a, b));
    const results = await Promise.all([moveFolder(workspace, a, b), moveFolder(workspace, b, a)]);
    expect(results.filter((result) => result?.success)).toHaveLength(1);
    const moved = results[0]?.success ? a : b;
    const other = moved === a ? b : a;
    expect(await flatFolders(workspace)).toMatchObject({ [other]: "root", [moved]: `root/${other}` });
  }
});

test("of twelve concurrent adds of a folder exactly one succeeds", async () => {
  const workspace = await service.publicWorkspace();
  const adds = Array.from({ length: 12 }, () => addFolders(workspace, inFolders("a")));
  const results = await Promise.all(adds);
  expect(results.filter(({ a }) => a?.success)).toHaveLength(1);
  expect(results.filter(({ a }) => a?.code === "already-exists")).toHaveLength(11);
});

test("a folder's own type is set, inherited again, or made of the type that applies", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a"));
  const message = "Folder access updated.";
  expect(await setFolderAccess(workspace, ["a", "missing"], { accessType: "restricted" })).toEqual({
    a: { success: true, message, accessType: "restricted" },
    missing: { success: false, code: "not-found", message: "Folder not found." },
  });
  expect(await setFolderAccess(workspace, ["b"], { inheritFromParent: false })).toEqual({
    b: { success: true, message, accessType: "restricted", inheritFromParent: false },
  });
  expect(await setFolderAccess(workspace, ["a"], { inheritFromParent: true })).toEqual({
    a: { success: true, message, accessType: null, inheritFromParent: true },
  });
  const audited = await workspace.data("/v2/workspace/audit/get", {});
  const changes = audited.filter(({ action }) => action === "folder_access.update");
  expect(changes.map(({ target }) => Object(target).accessType)).toEqual(["inherited", "kept", "restricted"]);
  const own = { accessType: "restricted", inheritAccessFromParent: false };
  expect(await folderNamed(workspace, "a")).toMatchObject({ accessType: "public", inheritAccessFromParent: true });
  expect(await folderNamed(workspace, "b")).toMatchObject(own);
  for (const change of [{}, { accessType: "public", inheritFromParent: true }]) {
    const request = { ...ORGANIZATION, folderIds: ["a"], ...change };
    const error = await workspace.error("/v2/organizations/folders/access/update", request);
    expect(error.status).toBe("INVALID_ARGUMENT");
  }
});

test("a folder and its descendants can be changed in one request", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a", "c b", "d c"));
  await setFolderAccess(workspace, ["d"], { accessType: "public" });
  await setFolderAccess(workspace, ["c", "a", "b"], { accessType: "restricted" });
  await setFolderAccess(workspace, ["c", "b"], { inheritFromParent: true });
  await setFolderAccess(workspace, ["a"], { accessType: "organizationPrivate" });
  const types = (await workspace.data(GET, ORGANIZATION)).map(({ accessType }) => accessType);
  expect(types).toEqual(["organizationPrivate", "organizationPrivate", "organizationPrivate", "public"]);
});

test("the folders of a disabled organization are neither read nor changed", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a"));
  await setDisabled(workspace, true);
  for (const [path, request] of [
    ["get", {}],
    ["add", { folders: [{ folderId: "b" }] }],
    ["update", { folders: [{ folderId: "a" }] }],
    ["delete", { folderId: "a" }],
    ["access/update", { folderIds: ["a"], accessType: "public" }],
  ] as const) {
    const error = await workspace.error(`/v2/organizations/folders/${path}`, { ...ORGANIZATION, ...request });
    expect(error, path).toMatchObject({ details: { reason: "organization_disabled" } });
  }
  await setDisabled(workspace, false);
  expect(await flatFolders(workspace)).toEqual({ a: "root" });
});

test("the same folder ID in two organizations is two folders", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b a"));
  await addFolders(workspace, inFolders("b", "a b"), { organizationId: "globex" });
  await workspace.data("/v2/organizations/folders/delete", { organizationId: "globex", folderId: "b" });
  expect(await flatFolders(workspace)).toEqual({ a: "root", b: "root/a" });
});
