import { expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { addFolders, folderNamed, inFolders, setFolderAccess } from "../../../../test/folders.ts";
import { startTestService } from "../../../../test/harness.ts";
import { DOCUMENTS, readRecords, writeRecords } from "../../../../test/organizations.ts";
import { ownedWorkspace } from "../../../../test/sessions.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const GET = "/v2/workspace/apikeyconfig/get";
const PATH = "/v2/workspace/apikeyconfig/update";
const service = await startTestService();
const second = await service.secondProcess();

test("a new workspace has no owner, no plan to buy, documents for their organizations and no switches", async () => {
  const workspace = await service.workspace();
  expect(await workspace.data(GET, {})).toEqual({
    ...{ ownerEmail: null, planInfo: { type: "self-hosted" }, defaultDocumentAccessType: "organizationPrivate" },
    ...{
      isPrivateCommentsEnabled: false,
      requireJwtToken: false,
      requireAutoOrgUser: false,
      isContextEnabled: false,
      showUserEmails: false,
      automaticVersionMinutes: 30,
      automaticVersionDays: 30,
    },
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

test("each switch is stored, returned under its name and changed alone", async () => {
  const workspace = await service.workspace();
  const names = [
    "enablePrivateComments",
    "requireJwtToken",
    "requireAutoOrgUser",
    "isContextEnabled",
    "showUserEmails",
  ] as const;
  const expected: Record<string, unknown> = await workspace.data(GET, {});
  for (const name of names) {
    expect(await workspace.data(PATH, { [name]: true })).toEqual({ [name]: true });
    expected[name === "enablePrivateComments" ? "isPrivateCommentsEnabled" : name] = true;
    expect(await workspace.data(GET, {})).toEqual(expected);
  }
  expect(await workspace.data(PATH, { requireJwtToken: false })).toEqual({ requireJwtToken: false });
  expect(await workspace.data(GET, {})).toEqual({ ...expected, requireJwtToken: false });
});

test("an update without a setting, and with an unknown one, is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  for (const settings of [{}, { requireJwtToken: true, requireJwt: true }]) {
    expect(await workspace.error(PATH, settings)).toMatchObject({ status: "INVALID_ARGUMENT" });
  }
  expect(await workspace.data(GET, {})).toMatchObject({ requireJwtToken: false });
});

test("with requireJwtToken, pages call with user tokens only, and backends as before", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/domains/add", { domains: ["app.example.com"] });
  await writeRecords(workspace, DOCUMENTS, "add", ["d"]);
  const headers = { origin: "https://app.example.com" };
  const getStatus = async () => (await workspace.call(GET, {}, headers)).httpStatus;
  const { apiKey, authToken } = workspace;
  const tokenFromPage = () =>
    callWith("", `${service.address}/v1/auth/token/get`, { apiKey, authToken, userId: "ada" }, headers);
  expect([await getStatus(), (await tokenFromPage()).httpStatus]).toEqual([200, 200]);
  const token = await tokenFor(workspace, "ada");
  await workspace.data(PATH, { requireJwtToken: true });
  const rejected = { httpStatus: 403, body: { error: { details: { reason: "user_token_required" } } } };
  expect(await workspace.call(GET, {}, headers)).toMatchObject(rejected);
  expect(await tokenFromPage()).toMatchObject(rejected);
  expect((await workspace.call(GET, {})).httpStatus).toBe(200);
  const path = "/v2/organizations/documents/get";
  const response = await callWith(token, `${service.address}${path}`, { organizationId: "acme" }, headers);
  expect(response.httpStatus).toBe(200);
});
