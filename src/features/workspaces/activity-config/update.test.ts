import { expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { addActivities, readActivityIds } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import type { Api } from "../../../operations.ts";
import { setActivityService } from "../workspaces.ts";

const GET = "/v2/workspace/activityconfig/get";
const PATH = "/v2/workspace/activityconfig/update";
const service = await startTestService();
const second = await service.secondProcess();

type Update = Api[typeof PATH]["request"]["activityServiceConfig"];

async function update(workspace: TestWorkspace, activityServiceConfig: Update) {
  return (await workspace.data(PATH, { activityServiceConfig })).activityServiceConfig;
}

async function read(workspace: TestWorkspace) {
  return (await workspace.data(GET, {})).activityServiceConfig;
}

test("a new workspace has the activity service off, activities mutable and no triggers", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  expect(await read(workspace)).toEqual({ isEnabled: false, immutable: false, triggers: {} });
});

test("a workspace that was created with the activity service on has its creation time as enabledTime", async () => {
  const begun = Date.now();
  const { isEnabled, enabledTime } = await read(await service.workspace());
  expect(isEnabled).toBe(true);
  expect(Math.abs(Number(enabledTime) - begun)).toBeLessThan(10_000);
});

test("switching the activity service takes effect with the response, and soon on other processes", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const other = workspace.at(second.address);
  await expect(addActivities(other, ["rejected"])).rejects.toThrow();
  expect(await update(workspace, { isEnabled: true })).toMatchObject({ isEnabled: true });
  await addActivities(workspace, ["activity-1"]);
  await expect
    .poll(() => addActivities(other, ["activity-2"]).catch(() => "rejected"), BEFORE_CACHE_EXPIRY)
    .not.toBe("rejected");
  await update(workspace, { isEnabled: false });
  const error = await workspace.error("/v2/activities/add", {
    organizationId: "acme",
    documentId: "d",
    activities: [{ featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" } }],
  });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "activity_service_disabled" } });
  expect(await readActivityIds(workspace)).toEqual(["activity-1", "activity-2"]);
});

test("each field can be set alone, the others stay, and the response is what is read afterwards", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const expected = await read(workspace);
  for (const change of [{ immutable: true }, { triggers: { comment: { added: true } } }, { immutable: false }]) {
    Object.assign(expected, change);
    expect(await update(workspace, change)).toEqual(expected);
    expect(await read(workspace)).toEqual(expected);
  }
});

test("enabledTime is the time of the last change from off to on", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const first = (await update(workspace, { isEnabled: true })).enabledTime;
  expect(first).toEqual(expect.any(Number));
  expect((await update(workspace, { isEnabled: true, immutable: true })).enabledTime).toBe(first);
  expect((await update(workspace, { isEnabled: false })).enabledTime).toBe(first);
  expect((await update(workspace, { isEnabled: true })).enabledTime).toBeGreaterThan(Number(first));
});

test("a sent enabledTime is stored, with and without turning the service on", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const first = { isEnabled: true, enabledTime: 1_600_000_000_123 };
  expect(await update(workspace, first)).toMatchObject(first);
  expect(await update(workspace, { enabledTime: 0 })).toMatchObject({ isEnabled: true, enabledTime: 0 });
  expect(await read(workspace)).toMatchObject({ isEnabled: true, enabledTime: 0 });
});

test("flat names of events are read nested, and name the same switches", async () => {
  const workspace = await service.workspace();
  const flat = {
    "comment.add": true,
    "comment_annotation.add": true,
    "crdt.update_data": false,
    "recorder.done": true,
  };
  expect(await update(workspace, { triggers: flat })).toMatchObject({
    triggers: { comment: { added: true, newlyAdded: true }, crdt: { updateData: false }, recorder: { done: true } },
  });
  await update(workspace, { triggers: { comment: { added: false }, "recorder.done": false } });
  const triggers = {
    comment: { added: false, newlyAdded: true },
    crdt: { updateData: false },
    recorder: { done: false },
  };
  expect((await read(workspace)).triggers).toEqual(triggers);
});

test("triggers that an earlier version stored under flat names are read nested", async () => {
  const workspace = await service.workspace();
  const stored = { "comment.add": true, "comment_annotation.assign": false, other: true };
  await runSql(service.database, "update workspaces set activity_triggers = $2 where id = $1", [
    workspace.id,
    JSON.stringify(stored),
  ]);
  const nested = { comment: { added: true, assigned: false }, other: true };
  expect((await read(workspace)).triggers).toEqual(nested);
  expect((await update(workspace, { triggers: { comment: { deleted: true } } })).triggers).toEqual({
    ...nested,
    comment: { ...nested.comment, deleted: true },
  });
});

test("a workspace has at most 100 triggers, nested ones included", async () => {
  const workspace = await service.workspace();
  const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`trigger-${number}`, true]));
  await update(workspace, { triggers: { comment: hundred } });
  const error = await workspace.error(PATH, { activityServiceConfig: { triggers: { crdt: { updateData: true } } } });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringContaining("data.activityServiceConfig.triggers would have more than 100 names"),
  });
  expect((await read(workspace)).triggers).toEqual({ comment: hundred });
});

test("triggers merge by name, and every name is stored", async () => {
  const workspace = await service.workspace();
  await update(workspace, { triggers: { a: true, b: true } });
  await workspace.call(
    PATH,
    '{"data":{"activityServiceConfig":{"triggers":{"b":false,"__proto__":true,"c\\nd":true}}}}',
  );
  const { body } = await workspace.call(GET, {});
  expect(JSON.stringify(body)).toContain('"triggers":{"a":true,"b":false,"__proto__":true,"c\\nd":true}');
});

test.each([
  ["nothing", {}, "data.activityServiceConfig is required"],
  [
    "no field",
    { activityServiceConfig: {} },
    "data.activityServiceConfig must have at least one of isEnabled, immutable, enabledTime, triggers",
  ],
  [
    "an unknown field",
    { activityServiceConfig: { isenabled: true } },
    "data.activityServiceConfig.isenabled is not a field of this operation. Did you mean isEnabled?",
  ],
  ["null", { activityServiceConfig: null }, "data.activityServiceConfig must be an object"],
  [
    "a text for isEnabled",
    { activityServiceConfig: { isEnabled: "yes" } },
    "data.activityServiceConfig.isEnabled must be a boolean",
  ],
  [
    "null for immutable",
    { activityServiceConfig: { immutable: null } },
    "data.activityServiceConfig.immutable must be a boolean",
  ],
  [
    "a number as a trigger",
    { activityServiceConfig: { triggers: { a: 1 } } },
    "data.activityServiceConfig.triggers.a must be a boolean",
  ],
])("%s is INVALID_ARGUMENT and changes nothing", async (_title, data, message) => {
  const workspace = await service.workspace();
  const before = await read(workspace);
  const error = await workspace.error(PATH, data);
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
  expect(await read(workspace)).toEqual(before);
});

test("concurrent updates are all stored", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const names = Array.from({ length: 20 }, (_, index) => `trigger-${index}`);
  const changes = [...names.map((name) => ({ triggers: { [name]: true } })), { isEnabled: true }, { immutable: true }];
  await Promise.all(changes.map((change) => update(workspace, change)));
  const { isEnabled, immutable, triggers } = await read(workspace);
  expect([isEnabled, immutable, Object.keys(triggers).toSorted()]).toEqual([true, true, names.toSorted()]);
});

test("the command line changes the same setting, and keeps the others", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  await update(workspace, { immutable: true, triggers: { a: true } });
  await setActivityService(service.database, workspace.id, true);
  const enabled = { isEnabled: true, immutable: true, enabledTime: expect.any(Number), triggers: { a: true } };
  expect(await read(workspace)).toEqual(enabled);
  await setActivityService(service.database, workspace.id, false);
  expect(await read(workspace)).toEqual({ ...enabled, isEnabled: false });
});

test("the settings of another workspace stay", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  const before = await read(theirs);
  await update(mine, { isEnabled: false, immutable: true, triggers: { a: true } });
  expect(await read(theirs)).toEqual(before);
});
