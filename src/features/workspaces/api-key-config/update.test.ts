import { expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { addFolders, folderNamed, inFolders, setFolderAccess } from "../../../../test/folders.ts";
import { startTestService } from "../../../../test/harness.ts";
import { DOCUMENTS, readRecords, writeRecords } from "../../../../test/organizations.ts";
import { ownedWorkspace } from "../../../../test/sessions.ts";

const GET = "/v2/workspace/apikeyconfig/get";
const PATH = "/v2/workspace/apikeyconfig/update";
const service = await startTestService();
const second = await service.secondProcess();

test("a new workspace has no owner, no plan to buy, and public documents", async () => {
  const workspace = await service.workspace();
  expect(await workspace.data(GET, {})).toEqual({
    ...{ ownerEmail: null, planInfo: { type: "self-hosted" }, defaultDocumentAccessType: "public" },
  });
});

test("ownerEmail is the address of the owner", async () => {
  const workspace = await ownedWorkspace(service, "owner@api-key-config.example");
  expect(await workspace.data(GET, {})).toMatchObject({ ownerEmail: "owner@api-key-config.example" });
});

test("the default type applies to what has none and inherits none, also on other processes", async () => {
  const workspace = await service.workspace();
  await addFolders(workspace, inFolders("a", "own"));
  await setFolderAccess(workspace, ["own"], { accessType: "public" });
  await writeRecords(workspace, DOCUMENTS, "add", ["outside"]);
  await writeRecords(workspace, DOCUMENTS, "add", ["inside"], { folderId: "a" });
  await writeRecords(workspace, DOCUMENTS, "add", ["open"], { folderId: "own" });
  const setting = { defaultDocumentAccessType: "restricted" as const };
  expect(await workspace.data(PATH, setting)).toEqual(setting);
  expect(await workspace.data(GET, {})).toMatchObject(setting);
  const types = { inside: "restricted", open: "public", outside: "restricted" };
  const read = async (caller = workspace) =>
    Object.fromEntries((await readRecords(caller, DOCUMENTS)).map(({ id, accessType }) => [id, accessType]));
  expect(await read()).toEqual(types);
  expect(await folderNamed(workspace, "a")).toMatchObject({ accessType: "restricted", inheritAccessFromParent: true });
  await expect.poll(() => read(workspace.at(second.address)), BEFORE_CACHE_EXPIRY).toEqual(types);
});

test("a folder that stops inheriting keeps the default type of that moment", async () => {
  const workspace = await service.workspace();
  await workspace.data(PATH, { defaultDocumentAccessType: "organizationPrivate" });
  await addFolders(workspace, inFolders("a"));
  await setFolderAccess(workspace, ["a"], { inheritFromParent: false });
  await workspace.data(PATH, { defaultDocumentAccessType: "public" });
  expect(await folderNamed(workspace, "a")).toMatchObject({ accessType: "organizationPrivate" });
});

test.each(["enablePrivateComments", "requireJwtToken", "requireAutoOrgUser", "isContextEnabled"])(
  "the switch %s, which has no effect yet, is refused",
  async (name) => {
    const workspace = await service.workspace();
    const error = await workspace.error(PATH, { defaultDocumentAccessType: "public", [name]: true });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "unknown_field" } });
  },
);
