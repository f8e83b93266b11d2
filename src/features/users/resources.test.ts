import { expect, test } from "vitest";
import { addFolders, flatFolders, inFolders } from "../../../test/folders.ts";
import { startTestService } from "../../../test/harness.ts";
import {
  addToGroup,
  deleteRecords,
  ORGANIZATIONS,
  readGroups,
  readPages,
  readRecordIds,
  readRecords,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";
import { getAccess, grant } from "../../../test/permissions.ts";

const service = await startTestService();
const ADDED = { success: true };
const NOT_FOUND = { success: false, message: "User not found." };
const IN_DOCUMENT = { documentId: "d" };
const IN_FOLDER = { folderId: "a" };
const ASKED = { documentIds: ["d"], folderIds: ["a"] };
const DENIED = "permission_denied";

/** Makes everything that has no type of its own private. */
async function privateWorkspace() {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addFolders(workspace, inFolders("a"));
  return workspace;
}

test("users get the permission at the level named only, and are users of that level only", async () => {
  const workspace = await privateWorkspace();
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", accessRole: "viewer" }]);
  await writeRecords(workspace, USERS, "add", [{ userId: "alan", accessRole: "editor" }], IN_DOCUMENT);
  await writeRecords(workspace, USERS, "add", [{ userId: "grace", accessRole: "viewer" }], IN_FOLDER);
  const [document, folder] = ["document d", "folder a"];
  const denied = { organization: DENIED, [folder]: `${DENIED} organizationPrivate` };
  expect(await getAccess(workspace, "ada", ASKED)).toEqual({
    ...{ organization: "viewer", [folder]: "viewer organizationPrivate", [document]: "viewer organizationPrivate" },
  });
  expect(await getAccess(workspace, "alan", ASKED)).toEqual({ ...denied, [document]: "editor organizationPrivate" });
  expect(await getAccess(workspace, "grace", ASKED)).toEqual({
    ...{ organization: DENIED, [folder]: "viewer organizationPrivate", [document]: `${DENIED} organizationPrivate` },
  });
  expect(await readRecords(workspace, USERS)).toEqual([{ userId: "ada", accessRole: "viewer" }]);
  expect(await readRecords(workspace, USERS, IN_DOCUMENT)).toEqual([{ userId: "alan", accessRole: "editor" }]);
  expect(await readRecords(workspace, USERS, IN_FOLDER)).toEqual([{ userId: "grace", accessRole: "viewer" }]);
});

test("a user has one record, and at each level the role given there", async () => {
  const workspace = await privateWorkspace();
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", name: "Ada", accessRole: "viewer" }]);
  await writeRecords(
    workspace,
    USERS,
    "add",
    [{ userId: "ada", name: "Ada Lovelace", accessRole: "editor" }],
    IN_DOCUMENT,
  );
  const record = { userId: "ada", name: "Ada Lovelace", initial: "A" };
  expect(await readRecords(workspace, USERS)).toEqual([{ ...record, accessRole: "viewer" }]);
  expect(await readRecords(workspace, USERS, IN_DOCUMENT)).toEqual([{ ...record, accessRole: "editor" }]);
});

test("an update changes the record, and the role at the level named only", async () => {
  const workspace = await privateWorkspace();
  const ada = { userId: "ada", accessRole: "editor" };
  for (const scope of [{}, IN_DOCUMENT, IN_FOLDER]) await writeRecords(workspace, USERS, "add", [ada], scope);
  const change = { userId: "ada", name: "Ada", accessRole: "viewer" };
  expect(await writeRecords(workspace, USERS, "update", [change], IN_FOLDER)).toMatchObject({ ada: ADDED });
  expect(await readRecords(workspace, USERS, IN_FOLDER)).toEqual([{ ...change, initial: "A" }]);
  for (const scope of [{}, IN_DOCUMENT]) {
    expect(await readRecords(workspace, USERS, scope)).toEqual([{ ...change, initial: "A", accessRole: "editor" }]);
  }
  await writeRecords(workspace, USERS, "update", [{ userId: "ada", name: "Countess" }], IN_FOLDER);
  expect(await readRecords(workspace, USERS, IN_FOLDER)).toMatchObject([{ name: "Countess", accessRole: "viewer" }]);
});

test("an update of somebody who is not a user of that level fails alone and changes nothing", async () => {
  const workspace = await privateWorkspace();
  await writeRecords(workspace, USERS, "add", ["ada"], IN_DOCUMENT);
  await writeRecords(workspace, USERS, "add", ["grace"]);
  const updates = ["ada", "grace"].map((userId) => ({ userId, accessRole: "viewer", seen: true }));
  const results = await writeRecords(workspace, USERS, "update", updates);
  expect(results).toMatchObject({ ada: { ...NOT_FOUND, code: "not-found" }, grace: ADDED });
  expect(await readRecords(workspace, USERS, IN_DOCUMENT)).toEqual([{ userId: "ada" }]);
});

test("a deletion at a level deletes the permission there, also of a user without a record", async () => {
  const workspace = await privateWorkspace();
  for (const scope of [{}, IN_DOCUMENT, IN_FOLDER]) await writeRecords(workspace, USERS, "add", ["ada"], scope);
  await grant(workspace, "guest", "folder a");
  const results = await deleteRecords(workspace, USERS, ["ada", "guest", "nobody"], IN_FOLDER);
  expect(results).toMatchObject({ ada: ADDED, guest: ADDED, nobody: NOT_FOUND });
  expect(await readRecordIds(workspace, USERS, IN_FOLDER)).toEqual([]);
  expect(await readRecordIds(workspace, USERS, IN_DOCUMENT)).toEqual(["ada"]);
  expect(await readRecordIds(workspace, USERS)).toEqual(["ada"]);
  expect((await getAccess(workspace, "guest", ASKED))["folder a"]).toContain(DENIED);
});

test("a deletion from the organization deletes all permissions, groups and the record, and nobody else's", async () => {
  const workspace = await privateWorkspace();
  await addToGroup(workspace, "legal", ["ada", "grace"]);
  for (const scope of [IN_DOCUMENT, IN_FOLDER]) await writeRecords(workspace, USERS, "add", ["ada", "grace"], scope);
  await grant(workspace, "guest", "document d");
  const results = await deleteRecords(workspace, USERS, ["ada", "guest"]);
  expect(results).toMatchObject({ ada: ADDED, guest: ADDED });
  for (const scope of [{}, IN_DOCUMENT, IN_FOLDER])
    expect(await readRecordIds(workspace, USERS, scope)).toEqual(["grace"]);
  expect(await readGroups(workspace)).toEqual({ legal: ["grace"] });
  for (const userId of ["ada", "guest"]) {
    const exported = await workspace.data("/v2/users/data/get", { organizationId: "acme", userId });
    expect(exported).toMatchObject({ permissions: [], users: [], userGroups: [] });
  }
});

test("users of a group are users of the organization, and a role that they have stays", async () => {
  const workspace = await privateWorkspace();
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", accessRole: "viewer" }]);
  await addToGroup(workspace, "legal", ["ada", "grace"]);
  expect(await readRecords(workspace, USERS, { organizationUserGroupIds: ["legal"] })).toEqual([
    ...[{ userId: "ada", accessRole: "viewer" }],
    ...[{ userId: "grace" }],
  ]);
});

test("a missing folder is created at the top level, or fails every user with createFolder false", async () => {
  const workspace = await service.workspace();
  const results = await writeRecords(workspace, USERS, "add", ["ada"], { ...IN_FOLDER, createFolder: false });
  expect(results).toMatchObject({ ada: { success: false, message: "Folder not found." } });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual([]);
  await writeRecords(workspace, USERS, "add", ["ada"], IN_FOLDER);
  expect(await flatFolders(workspace)).toEqual({ a: "root" });
});

test.each([
  ["add", { users: [{ userId: "ada" }] }],
  ["update", { users: [{ userId: "ada" }] }],
  ["delete", { userIds: ["ada"] }],
  ["get", {}],
])("users/%s at two levels is INVALID_ARGUMENT", async (verb, request) => {
  const workspace = await service.workspace();
  const levels = { organizationId: "acme", ...IN_DOCUMENT, ...IN_FOLDER };
  const error = await workspace.error(`/v2/users/${verb}`, { ...levels, ...request });
  expect(error).toMatchObject({
    ...{ status: "INVALID_ARGUMENT", message: "data.folderId must not be sent together with documentId" },
  });
});

test.each([{ allDocuments: true, ...IN_DOCUMENT }, { allDocuments: true, ...IN_FOLDER }, { groupByDocumentId: true }])(
  "reading users with %j is INVALID_ARGUMENT",
  async (request) => {
    const workspace = await service.workspace();
    const error = await workspace.error("/v2/users/get", { organizationId: "acme", ...request });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("allDocuments") });
  },
);

test("users of all documents are read by document, with their roles, in pages", async () => {
  const workspace = await privateWorkspace();
  await writeRecords(workspace, USERS, "add", ["ada", "of the organization"]);
  await writeRecords(workspace, USERS, "add", ["alan", { userId: "grace", name: "Éa", accessRole: "editor" }], {
    documentId: "__proto__",
  });
  await writeRecords(workspace, USERS, "add", [{ userId: "grace", name: "Éa", accessRole: "viewer" }], IN_DOCUMENT);
  await writeRecords(workspace, USERS, "add", ["in a folder"], IN_FOLDER);
  const request = { organizationId: "acme", allDocuments: true };
  const grace = { userId: "grace", name: "Éa", initial: "É" };
  const inDocument = [{ ...grace, accessRole: "viewer" }];
  const inOther = [{ userId: "alan" }, { ...grace, accessRole: "editor" }];
  const grouped = await workspace.data("/v2/users/get", { ...request, groupByDocumentId: true });
  expect(Object.entries(grouped)).toEqual([
    ["__proto__", inOther],
    ["d", inDocument],
  ]);
  const pages = await readPages(workspace, "/v2/users/get", { ...request, groupByDocumentId: true, pageSize: 1 });
  expect(pages.flatMap((page) => Object.entries(page))).toEqual([
    ["__proto__", inOther.slice(0, 1)],
    ["__proto__", inOther.slice(1)],
    ["d", inDocument],
  ]);
  expect(await workspace.data("/v2/users/get", request)).toEqual([{ userId: "alan" }, grace]);
});

test("the initial is the first letter of the name, unless one is sent", async () => {
  const workspace = await service.workspace();
  const names = { a: "Ünal", b: "😀 Smile", c: "", d: "\u0000Zero" };
  const users = Object.entries(names).map(([userId, name]) => ({ userId, name }));
  await writeRecords(workspace, USERS, "add", [...users, { userId: "e", name: "Eve", initial: "XY" }]);
  const read = await readRecords(workspace, USERS);
  expect(read.map(({ initial }) => initial)).toEqual(["Ü", "😀", undefined, "Z", "XY"]);
});
