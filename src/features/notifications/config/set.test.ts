import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addUsers, setConfig } from "../../../../test/notifications.ts";
import { sql, uuid } from "../../../database/sql.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const PATH = "/v2/notifications/config/set";
const organizationId = "acme";
const SET = { success: true, message: "Notification preferences set." };
const service = await startTestService();

async function configs(workspace: TestWorkspace, userId: string, documentIds?: string[]): Promise<object[]> {
  const request = { organizationId, userId, ...(documentIds ? { documentIds } : { getOrganizationConfig: true }) };
  const records = await workspace.data("/v2/notifications/config/get", request);
  return records.map(({ config }) => config);
}

test.each(["ALL", "MINE", "NONE"] as const)(
  "%s is stored for each channel, user and document, and listed in the response",
  async (level) => {
    const workspace = await service.workspace();
    const config = { inbox: level, email: level, slack: level };
    expect(await setConfig(workspace, ["grace", "__proto__", "grace"], config, ["d1", "d2", "d1"])).toEqual(
      Object.fromEntries(["grace", "__proto__"].map((userId) => [userId, { ...SET, userId, documentId: "d1" }])),
    );
    expect(await configs(workspace, "grace", ["d1", "d2"])).toEqual([config, config]);
    expect(await configs(workspace, "__proto__", ["d1", "d2"])).toEqual([config, config]);
    expect(await configs(workspace, "grace")).toEqual([{ inbox: "ALL", email: "ALL" }]);
  },
);

test("omitted channels keep their preference, at each level", async () => {
  const workspace = await service.workspace();
  for (const documentIds of [undefined, ["d1"]]) {
    await setConfig(workspace, ["grace"], { inbox: "MINE", slack: "NONE" }, documentIds);
    await setConfig(workspace, ["grace"], { inbox: "NONE", email: "MINE" }, documentIds);
    expect(await configs(workspace, "grace", documentIds)).toEqual([{ inbox: "NONE", email: "MINE", slack: "NONE" }]);
  }
});

test("null removes a preference, which then follows that for the organization, and else is ALL", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace", "alan"], { inbox: "MINE", email: "NONE" });
  await setConfig(workspace, ["grace", "alan"], { inbox: "NONE", email: "ALL", slack: "MINE" }, ["d1", "d2"]);
  const listed = async () => {
    const set = await workspace.data("/v2/notifications/config/documents/get", { organizationId, userId: "grace" });
    return Object.fromEntries(set.map(({ documentId, config }) => [documentId, config]));
  };
  await setConfig(workspace, ["grace"], { inbox: null, email: "MINE" }, ["d1"]);
  expect(await configs(workspace, "grace", ["d1", "d2"])).toEqual([
    { inbox: "MINE", email: "MINE", slack: "MINE" },
    { inbox: "NONE", email: "ALL", slack: "MINE" },
  ]);
  await setConfig(workspace, ["grace"], { inbox: null, email: null, slack: null }, ["d1", "never set"]);
  expect(await listed()).toEqual({ d2: { inbox: "NONE", email: "ALL", slack: "MINE" } });
  await setConfig(workspace, ["grace"], { inbox: "ALL" });
  await setConfig(workspace, ["grace"], { email: null });
  expect(await configs(workspace, "grace", ["d1"])).toEqual([{ inbox: "ALL", email: "ALL" }]);
  const rows = await service.database.run(
    sql`select document_id as id from notification_configs where user_id = 'grace'
      and organization_key = ${uuid(organizationKey(workspace.id, organizationId))} order by document_id`,
  );
  expect(rows).toEqual([{ id: "" }, { id: "d2" }]);
  expect(await configs(workspace, "alan", ["d1"])).toEqual([{ inbox: "NONE", email: "ALL", slack: "MINE" }]);
});

test.each([
  [{}, "data.config must have at least one of inbox, email, slack"],
  [{ push: "ALL" }, "data.config.push is not a field of this operation."],
  [{ inbox: "all" }, "data.config.inbox must be one of ALL, MINE, NONE"],
  [{ inbox: null, email: false }, "data.config.email must be one of ALL, MINE, NONE"],
  [{ slack: true }, "data.config.slack must be one of ALL, MINE, NONE"],
])("the config %j is INVALID_ARGUMENT and nothing is set", async (config, message) => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { organizationId, userIds: ["grace"], config });
  expect(error.status).toBe("INVALID_ARGUMENT");
  expect(error.message).toContain(message);
  expect(await workspace.data("/v2/organizations/get", {})).toEqual([]);
});

test.each([
  { userIds: [] },
  { userIds: Array.from({ length: 1001 }, (_, index) => `user-${index}`) },
  { documentIds: [] },
  { documentIds: Array.from({ length: 31 }, (_, index) => `d${index}`) },
])("arrays beyond their limits are INVALID_ARGUMENT (%#)", async (lists) => {
  const workspace = await service.workspace();
  const request = { organizationId, userIds: ["grace"], config: { inbox: "NONE" }, ...lists };
  const [name] = Object.keys(lists);
  expect((await workspace.error(PATH, request)).message).toMatch(new RegExp(`^data\\.${name} must have at`));
});

test("one call can set 1,000 users and 30 documents", async () => {
  const workspace = await service.workspace();
  const userIds = Array.from({ length: 1000 }, (_, index) => `user-${index}`);
  const documentIds = Array.from({ length: 30 }, (_, index) => `d${index}`);
  expect(Object.keys(Object(await setConfig(workspace, userIds, { inbox: "NONE" }, documentIds)))).toEqual(userIds);
  const config = { inbox: "NONE", email: "ALL" };
  expect(await configs(workspace, "user-999", documentIds)).toEqual(documentIds.map(() => config));
});

test("concurrent calls that set the same preferences in other orders all succeed", async () => {
  const workspace = await service.workspace();
  const userIds = Array.from({ length: 20 }, (_, index) => `user-${index}`);
  const documentIds = Array.from({ length: 20 }, (_, index) => `d${index}`);
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const isReversed = index % 2 === 1;
      return setConfig(
        workspace,
        isReversed ? userIds.toReversed() : userIds,
        isReversed ? { email: "NONE" } : { inbox: "MINE" },
        isReversed ? documentIds.toReversed() : documentIds,
      );
    }),
  );
  expect(await configs(workspace, "user-7", ["d7"])).toEqual([{ inbox: "MINE", email: "NONE" }]);
});

test("setting preferences keeps existing user records, and gives no permission", async () => {
  const workspace = await service.workspace();
  await addUsers(workspace, ["ada"]);
  const users = [{ userId: "ada", name: "Ada Lovelace" }];
  await workspace.data("/v2/users/add", { organizationId, users });
  await setConfig(workspace, ["ada", "grace"], { inbox: "ALL" });
  expect(await workspace.data("/v2/users/get", { organizationId })).toMatchObject(users);
});
