import { expect, test } from "vitest";
import { addActivities } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/users/figures/get";
const SCOPE = { organizationId: "acme" };
const service = await startTestService();

type Request = Omit<Api[typeof PATH]["request"], "organizationId">;

async function readIds(workspace: TestWorkspace, request: Request): Promise<string[]> {
  return (await workspace.data(PATH, { ...SCOPE, ...request })).users.map(({ userId }) => userId);
}

/** Creates three users whose orders all differ. `c` has permissions on documents only. */
async function createUsers(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/users/add", {
    ...{ ...SCOPE, users: [{ userId: "a", accessRole: "viewer" }] },
  });
  await workspace.data("/v2/users/add", {
    ...SCOPE,
    users: [{ userId: "b", name: "Zoe\0", email: "Zoe@example.com", accessRole: "editor" }],
  });
  const c = { userId: "c", email: "ada@example.com", accessRole: "editor" as const };
  for (const documentId of ["one", "two"]) {
    await workspace.data("/v2/users/add", { ...SCOPE, documentId, users: [c] });
  }
  const actionUser = { userId: "b" };
  await addActivities(workspace, [{ id: "1", timestamp: 2_000, actionUser }], { ...SCOPE, documentId: "one" });
  await workspace.data("/v2/organizations/usergroups/add", {
    ...{ ...SCOPE, organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }] },
  });
  await workspace.data("/v2/organizations/usergroups/users/add", {
    ...{ ...SCOPE, organizationUserGroupId: "legal", userIds: ["a", "b"] },
  });
  return workspace;
}

test("users are returned with their role and statistics", async () => {
  const workspace = await createUsers();
  expect(await workspace.data(PATH, SCOPE)).toEqual({
    users: [
      { userId: "a", accessRole: "viewer", isInOrganization: true, documents: 0, lastActivityAt: null },
      {
        ...{ userId: "b", name: "Zoe\0", email: "Zoe@example.com" },
        ...{ accessRole: "editor", isInOrganization: true, documents: 0, lastActivityAt: 2_000 },
      },
      { userId: "c", email: "ada@example.com", isInOrganization: false, documents: 2, lastActivityAt: null },
    ],
    totalCount: 3,
  });
});

test.each([
  ["id", "desc", ["c", "b", "a"]],
  ["name", "asc", ["a", "c", "b"]],
  ["documents", "desc", ["c", "b", "a"]],
  ["lastActivityAt", "desc", ["b", "c", "a"]],
] as const)("by %s, %s, pages hold each user once, in order", async (orderBy, order, ids) => {
  const workspace = await createUsers();
  expect(await readIds(workspace, { orderBy, order })).toEqual(ids);
  const paged: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await workspace.result(PATH, {
      ...SCOPE,
      orderBy,
      order,
      pageSize: 1,
      ...(pageToken && { pageToken }),
    });
    expect(page.data.totalCount).toBe(3);
    paged.push(...page.data.users.map(({ userId }) => userId));
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  expect(paged).toEqual(ids);
});

test("filters select users by ID, group, and a part of ID, name or address", async () => {
  const workspace = await createUsers();
  expect(await readIds(workspace, { groupId: "legal" })).toEqual(["a", "b"]);
  expect(await readIds(workspace, { userIds: ["c", "A", "b"] })).toEqual(["b", "c"]);
  expect(await readIds(workspace, { userIds: ["c", "b"], groupId: "legal" })).toEqual(["b"]);
  expect(await readIds(workspace, { search: "ZO" })).toEqual(["b"]);
  expect(await readIds(workspace, { search: "zoe@" })).toEqual(["b"]);
  expect(await readIds(workspace, { search: "oe" })).toEqual(["b"]);
  expect(await readIds(workspace, { search: "Example.com" })).toEqual(["b", "c"]);
  expect(await readIds(workspace, { search: "A" })).toEqual(["a", "b", "c"]);
  expect(await workspace.data(PATH, { ...SCOPE, search: "ple", groupId: "legal" })).toMatchObject({
    users: [{ userId: "b" }],
    totalCount: 1,
  });
  expect(await workspace.data(PATH, { ...SCOPE, groupId: "none" })).toEqual({ users: [], totalCount: 0 });
});

test("permissions that have ended do not count, nor do users of other workspaces", async () => {
  const workspace = await createUsers();
  await workspace.data("/v2/users/delete", { ...SCOPE, documentId: "one", userIds: ["c"] });
  const { users } = await workspace.data(PATH, { ...SCOPE, search: "ada@" });
  expect(users).toEqual([
    { userId: "c", email: "ada@example.com", isInOrganization: false, documents: 1, lastActivityAt: null },
  ]);
  expect(await (await service.workspace()).data(PATH, SCOPE)).toEqual({ users: [], totalCount: 0 });
});

test("users of a disabled organization are returned, as it can still be managed", async () => {
  const workspace = await createUsers();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["acme"], disabled: true });
  expect(await readIds(workspace, {})).toEqual(["a", "b", "c"]);
});
