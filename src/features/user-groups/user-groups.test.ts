import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import {
  addToGroup,
  ORGANIZATIONS,
  readGroups,
  readPages,
  readRecordIds,
  readRecords,
  setDisabled,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";
import { grant } from "../../../test/permissions.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/organizations/usergroups";
const service = await startTestService();
const organizationId = "acme";
type Request = Api["/v2/organizations/usergroups/add"]["request"];

function addGroups(
  workspace: TestWorkspace,
  groups: (Request["organizationUserGroups"][number] | string)[],
  scope: Partial<Request> = {},
) {
  const organizationUserGroups = groups.map((group) => (typeof group === "string" ? { groupId: group } : group));
  return workspace.data(`${PATH}/add`, { organizationId, organizationUserGroups, ...scope });
}

function takeOut(workspace: TestWorkspace, organizationUserGroupId: string, userIds: string[]) {
  return workspace.data(`${PATH}/users/delete`, { organizationId, organizationUserGroupId, userIds });
}

function readAll(workspace: TestWorkspace, request = {}) {
  return workspace.data(`${PATH}/get`, { organizationId, ...request });
}

test("the response lists each user with the group's id", async () => {
  const workspace = await service.workspace();
  const outcome = { success: true, organizationUserGroupId: "legal", message: "User added to the user group." };
  const results = await addToGroup(workspace, "legal", ["ada", "__proto__", "ada"]);
  expect(Object.entries(results)).toEqual([
    ["ada", outcome],
    ["__proto__", outcome],
  ]);
});

test("missing organizations, groups and users are created", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["grace", "ada"]);
  expect(await readAll(workspace)).toEqual([{ groupId: "legal", groupName: "", userIds: ["ada", "grace"] }]);
  expect(await readRecords(workspace, USERS)).toEqual([USERS.minimal("ada"), USERS.minimal("grace")]);
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual(["acme"]);
});

test("adding twice is a success and changes nothing", async () => {
  const workspace = await service.workspace();
  await addGroups(workspace, [{ groupId: "legal", groupName: "Legal" }]);
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", name: "Ada", team: 7 }]);
  const first = await addToGroup(workspace, "legal", ["ada"]);
  expect(await addToGroup(workspace, "legal", ["ada"])).toEqual(first);
  expect(await readAll(workspace)).toEqual([{ groupId: "legal", groupName: "Legal", userIds: ["ada"] }]);
  expect(await readRecords(workspace, USERS)).toEqual([{ ...USERS.minimal("ada", "Ada"), name: "Ada", team: 7 }]);
});

test("a new member is a user of the organization, whose permission stays as it is, also an expired one", async () => {
  const workspace = await service.workspace();
  const now = Math.floor(Date.now() / 1000);
  await writeRecords(workspace, USERS, "add", ["grace", "alan"], { documentId: "d" });
  await grant(workspace, "grace", "organization", "viewer", { expiresAt: now - 60 });
  await grant(workspace, "alan", "organization", "viewer", { expiresAt: now + 3_600 });
  expect(await readRecordIds(workspace, USERS)).toEqual(["alan"]);
  await addToGroup(workspace, "legal", ["grace", "alan"]);
  expect(await readRecordIds(workspace, USERS)).toEqual(["alan", "grace"]);
  const request = { organizationId, userIds: ["grace", "alan"] };
  const permissions = await workspace.data("/v2/auth/permissions/get", request);
  expect([permissions.grace?.organization, permissions.alan?.organization]).toEqual([
    { acme: expect.objectContaining({ errorCode: "permission_denied" }) },
    { acme: { accessRole: "viewer", expiresAt: now + 3_600 } },
  ]);
});

test("adding a group again changes its name and keeps its members", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["ada"]);
  const name = 'Legal "\0" \ud800';
  const results = await addGroups(workspace, [{ groupId: "legal", groupName: name }, "empty"]);
  const ADDED = { success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/), message: "User group added." };
  expect(results).toEqual({ legal: ADDED, empty: ADDED });
  expect(await readAll(workspace)).toEqual([
    { groupId: "empty", groupName: "", userIds: [] },
    { groupId: "legal", groupName: name, userIds: ["ada"] },
  ]);
});

test("createOrganization false fails every group of a missing organization and creates nothing", async () => {
  const workspace = await service.workspace();
  const results = await addGroups(workspace, ["a", "b"], { createOrganization: false });
  const error = { success: false, id: expect.any(String), message: "Organization not found." };
  expect(results).toEqual({ a: error, b: error });
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
});

test("removing keeps the users and the group, and a user who is not a member fails alone", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["ada", "grace"]);
  await addToGroup(workspace, "sales", ["alan"]);
  expect(await takeOut(workspace, "legal", ["ada", "alan", "ada"])).toEqual({
    ada: { success: true, organizationUserGroupId: "legal", message: "User removed from the user group." },
    alan: { success: false, organizationUserGroupId: "legal", message: "User is not in the user group." },
  });
  expect(await readGroups(workspace)).toEqual({ legal: ["grace"], sales: ["alan"] });
  expect(await readRecordIds(workspace, USERS)).toEqual(["ada", "alan", "grace"]);
});

test("deleteAll removes all users of the group, and only of that one", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["ada", "grace"]);
  await addToGroup(workspace, "sales", ["ada"]);
  const request = { organizationId: "acme", organizationUserGroupId: "legal" };
  const removed = await workspace.data(`${PATH}/users/delete`, { ...request, deleteAll: true });
  expect(Object.keys(removed).sort()).toEqual(["ada", "grace"]);
  expect(await readGroups(workspace)).toEqual({ legal: [], sales: ["ada"] });
});

test.each([{}, { deleteAll: false }, { deleteAll: true, userIds: ["ada"] }])(
  "removing with %j is INVALID_ARGUMENT and removes nobody",
  async (fields) => {
    const workspace = await service.workspace();
    await addToGroup(workspace, "legal", ["ada"]);
    const request = { organizationId: "acme", organizationUserGroupId: "legal", ...fields };
    const { message } = await workspace.error(`${PATH}/users/delete`, request);
    expect(message).toBe("data must have either userIds, or deleteAll as true");
    expect(await readGroups(workspace)).toEqual({ legal: ["ada"] });
  },
);

test("removing from a missing group fails for each user and creates nothing", async () => {
  const workspace = await service.workspace();
  expect(await takeOut(workspace, "legal", ["ada"])).toMatchObject({ ada: { success: false } });
  expect(await readGroups(workspace)).toEqual({});
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
});

test("groups are returned by id in pages, and unknown ids are omitted", async () => {
  const workspace = await service.workspace();
  await addGroups(workspace, ["b", "a", "c"]);
  expect(Object.keys(await readGroups(workspace, { organizationUserGroupIds: ["c", "unknown", "a"] }))).toEqual([
    "a",
    "c",
  ]);
  const pages = await readPages(workspace, `${PATH}/get`, { organizationId, pageSize: 2 });
  expect(pages.map((page) => page.map(({ groupId }) => groupId))).toEqual([["a", "b"], ["c"]]);
});

test("the groups of another workspace are not found", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addToGroup(theirs, "legal", ["ada"]);
  expect(await readGroups(mine)).toEqual({});
  expect(await takeOut(mine, "legal", ["ada"])).toMatchObject({ ada: { success: false } });
  await addToGroup(mine, "legal", ["grace"]);
  expect(await readGroups(theirs)).toEqual({ legal: ["ada"] });
});

test("the groups of a disabled organization can be managed", async () => {
  const workspace = await service.workspace();
  await setDisabled(workspace, true);
  await addGroups(workspace, ["sales"]);
  await addToGroup(workspace, "legal", ["ada", "grace"]);
  await takeOut(workspace, "legal", ["ada"]);
  expect(await readGroups(workspace)).toEqual({ legal: ["grace"], sales: [] });
});

test("twelve concurrent calls that add the same users in any order all succeed", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 100 }, (_, index) => `user-${1000 + index}`);
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => addToGroup(workspace, "all", index % 2 ? ids : ids.toReversed())),
  );
  expect(await readGroups(workspace)).toEqual({ all: ids });
});

test("users are added to groups and to the organization at the same time without a deadlock", async () => {
  const workspace = await service.workspace();
  for (let round = 0; round < 20; round++) {
    const ids = Array.from({ length: 50 }, (_, index) => `user-${round}-${index}`);
    const users = ids.map((userId) => ({ userId }));
    const calls = [1, 2].map((group) => addToGroup(workspace, `group-${group}`, ids));
    await Promise.all([workspace.data("/v2/users/add", { organizationId, users }), ...calls]);
  }
  const { "group-1": first, "group-2": second } = await readGroups(workspace);
  expect([first, second]).toMatchObject([{ length: 1000 }, { length: 1000 }]);
});

test.each([0, 1001])("%i users in a call are INVALID_ARGUMENT", async (count) => {
  const userIds = Array.from({ length: count }, (_, index) => `user-${index}`);
  const request = { organizationId, organizationUserGroupId: "legal", userIds };
  for (const verb of ["add", "delete"]) {
    const error = await (await service.workspace()).error(`${PATH}/users/${verb}`, request);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.userIds /) });
  }
});

test("a repeated group id in a call is INVALID_ARGUMENT", async () => {
  const organizationUserGroups = ["a", "a"].map((groupId) => ({ groupId }));
  const error = await (await service.workspace()).error(`${PATH}/add`, { organizationId, organizationUserGroups });
  expect(error.message).toContain("data.organizationUserGroups[1].groupId ");
});
