import { expect, test } from "vitest";
import { addActivities } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/workspace/users/figures/get";
const service = await startTestService();

type Request = Api[typeof PATH]["request"];

async function readPlaces(workspace: TestWorkspace, request: Request = {}): Promise<string[]> {
  const { users } = await workspace.data(PATH, request);
  return users.map(({ organizationId, userId }) => `${organizationId}/${userId}`);
}

/** Creates three users of three organizations: `ada` is in all of them. */
async function createUsers(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const ada = { userId: "ada", name: "Ada\0 Lovelace" };
  const grace = { userId: "grace", name: "Grace Hopper", email: "Admiral@example.com" };
  const add = (organizationId: string, users: { userId: string; name?: string; accessRole?: "viewer" }[]) =>
    workspace.data("/v2/users/add", { organizationId, users });
  await add("globex", [ada, grace]);
  await add("initech", [ada]);
  await add("acme", [{ userId: "zoe", accessRole: "viewer" }, ada]);
  return workspace;
}

test("each user of each organization has the statistics of that organization", async () => {
  const workspace = await createUsers();
  const actionUser = { userId: "ada" };
  await addActivities(workspace, [{ id: "1", timestamp: 2_000, actionUser }], { organizationId: "globex" });
  const users = [{ userId: "ada", name: "Ada" }];
  await workspace.data("/v2/users/add", { organizationId: "initech", documentId: "one", users });
  const all = await workspace.data(PATH, {});
  expect(all.users.map(({ organizationId, userId }) => `${organizationId}/${userId}`)).toEqual([
    "acme/ada",
    "acme/zoe",
    "globex/ada",
    "globex/grace",
    "initech/ada",
  ]);
  expect(all.totalCount).toBe(5);
  for (const organizationId of ["acme", "globex", "initech"]) {
    const ofOne = await workspace.data("/v2/users/figures/get", { organizationId });
    const expected = ofOne.users.map((user) => ({ organizationId, ...user }));
    expect(all.users.filter((user) => user.organizationId === organizationId)).toEqual(expected);
  }
});

test.each([
  ["organization", "asc", ["acme/ada", "acme/zoe", "globex/ada", "globex/grace", "initech/ada"]],
  ["organization", "desc", ["initech/ada", "globex/grace", "globex/ada", "acme/zoe", "acme/ada"]],
  ["id", "asc", ["acme/ada", "globex/ada", "initech/ada", "globex/grace", "acme/zoe"]],
  ["id", "desc", ["acme/zoe", "globex/grace", "initech/ada", "globex/ada", "acme/ada"]],
] as const)("by %s, %s, pages of any size hold each user once, in order", async (orderBy, order, places) => {
  const workspace = await createUsers();
  for (const pageSize of [1, 2, 3, 5]) {
    const paged: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await workspace.result(PATH, { orderBy, order, pageSize, ...(pageToken && { pageToken }) });
      expect(page.data.totalCount).toBe(5);
      paged.push(...page.data.users.map(({ organizationId, userId }) => `${organizationId}/${userId}`));
      pageToken = page.pageToken;
    } while (pageToken !== undefined);
    expect(paged).toEqual(places);
  }
});

test("users are found by a part of name, address and ID, in pages", async () => {
  const workspace = await createUsers();
  expect(await readPlaces(workspace, { search: "ad" })).toEqual([
    ...["acme/ada", "globex/ada", "globex/grace", "initech/ada"],
  ]);
  expect(await readPlaces(workspace, { search: "GRACE h" })).toEqual(["globex/grace"]);
  expect(await readPlaces(workspace, { search: "ad", orderBy: "id", order: "desc" })).toEqual([
    ...["globex/grace", "initech/ada", "globex/ada", "acme/ada"],
  ]);
  const first = await workspace.result(PATH, { search: "ad", pageSize: 3 });
  expect(first.data.totalCount).toBe(4);
  const { pageToken = "" } = first;
  expect(await readPlaces(workspace, { search: "ad", pageSize: 3, pageToken })).toEqual(["initech/ada"]);
});

test("users of disabled organizations are returned, those of deleted ones and other workspaces are not", async () => {
  const workspace = await createUsers();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["globex"], disabled: true });
  await workspace.data("/v2/organizations/delete", { organizationIds: ["acme"] });
  for (const orderBy of ["organization", "id"] as const) {
    const places = await readPlaces(workspace, { orderBy });
    expect(places.sort()).toEqual(["globex/ada", "globex/grace", "initech/ada"]);
  }
  expect(await (await service.workspace()).data(PATH, {})).toEqual({ users: [], totalCount: 0 });
  expect(await (await service.workspace()).data(PATH, { search: "ada" })).toEqual({ users: [], totalCount: 0 });
});
