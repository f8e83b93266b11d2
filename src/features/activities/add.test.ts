import { expect, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import {
  type ActivityFilters,
  activity,
  addActivities,
  readActivities,
  readActivityIds,
  SCOPE,
} from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { setActivityService } from "../workspaces/workspaces.ts";

const PATH = "/v2/activities/add";
const service = await startTestService();

/** An activity with every field that a record can have. */
const FULL = {
  id: "activity-1",
  featureType: "custom" as const,
  actionType: "clause.edit",
  actionUser: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", photoUrl: "ada.png" },
  targetEntityId: "clause-3",
  targetSubEntityId: "sentence-1",
  changes: { title: { from: "Payment", to: "Terms of payment" } },
  entityData: { length: 3 },
  entityTargetData: ["any", { value: null }],
  displayMessageTemplate: "{{user}} renamed a clause",
  displayMessageTemplateData: { user: { userId: "ada" } },
  actionIcon: "https://example.com/icon.svg",
  isActivityResolverUsed: true,
};

test("a record is read back with all sent fields, its metadata and a timestamp in milliseconds", async () => {
  const workspace = await service.workspace();
  const before = Date.now();
  await addActivities(workspace, [FULL]);
  const metadata = { ...SCOPE, apiKey: workspace.apiKey };
  const [record, ...others] = await readActivities(workspace);
  expect(record).toEqual({ ...FULL, metadata, timestamp: expect.any(Number) });
  expect(record?.timestamp).toBeGreaterThanOrEqual(before);
  expect(record?.timestamp).toBeLessThanOrEqual(Date.now());
  expect(others).toEqual([]);
});

test("omitted fields are absent, not null", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["plain"]);
  const names = ["actionType", "actionUser", "featureType", "id", "metadata", "timestamp"];
  expect((await readActivities(workspace)).map((record) => Object.keys(record).sort())).toEqual([names]);
});

test("the response has a status and a message", async () => {
  const workspace = await service.workspace();
  expect(await addActivities(workspace, ["a", "b"])).toEqual({ success: true, message: "2 activities added." });
  expect(await addActivities(workspace, ["c"])).toEqual({ success: true, message: "1 activity added." });
});

test("a record without an id gets a UUID of version 7", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{}, {}]);
  const ids = await readActivityIds(workspace);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)));
});

test("the service sets the timestamp and the metadata, and rejects metadata of the caller", async () => {
  const workspace = await service.workspace();
  const before = Date.now();
  await addActivities(workspace, ["a"]);
  const activities = [{ ...activity({ id: "b" }), metadata: { apiKey: "another" } }];
  expect(await workspace.error(PATH, { ...SCOPE, activities })).toMatchObject({ details: { reason: "unknown_field" } });
  const [record, ...others] = await readActivities(workspace);
  expect(others).toEqual([]);
  expect(record?.timestamp).toBeGreaterThanOrEqual(before);
  expect(record?.metadata).toEqual({ ...SCOPE, apiKey: workspace.apiKey });
});

test("overwriting an activity replaces it as a whole, and keeps its timestamp and position", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["first", FULL, "last"]);
  const before = await readActivities(workspace);
  await addActivities(workspace, [{ id: FULL.id, actionType: "comment.add", entityData: "new" }]);
  const after = await readActivities(workspace);
  const replaced = { ...activity({ id: FULL.id, entityData: "new" }), metadata: before[1]?.metadata };
  expect(after).toEqual([before[0], { ...replaced, timestamp: before[1]?.timestamp }, before[2]]);
});

test.each<[ActivityFilters, ActivityFilters, Parameters<typeof activity>[0]]>([
  [{ documentId: SCOPE.documentId }, { documentId: "other" }, {}],
  [{ targetEntityId: "entity" }, { targetEntityId: "other" }, { targetEntityId: "other" }],
  [{ userId: "ada" }, { userId: "other" }, { actionUser: { userId: "other" } }],
  [{ featureTypes: ["comment"] }, { featureTypes: ["reaction"] }, { featureType: "reaction" }],
  [{ actionTypes: ["comment.add"] }, { actionTypes: ["other"] }, { actionType: "other" }],
])("an activity overwritten where %j matched is found by %j", async (oldFilter, newFilter, fields) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "moved", targetEntityId: "entity" }]);
  const { documentId = SCOPE.documentId } = newFilter;
  await addActivities(workspace, [{ id: "moved", ...fields }], { documentId });
  expect(await readActivityIds(workspace, oldFilter)).toEqual([]);
  expect(await readActivityIds(workspace, newFilter)).toEqual(["moved"]);
});

test("repeating a call leaves one record of each id", async () => {
  const workspace = await service.workspace();
  for (let attempt = 0; attempt < 3; attempt++) await addActivities(workspace, ["a", "b"]);
  expect(await readActivityIds(workspace)).toEqual(["a", "b"]);
});

test("the same id in two organizations is two records", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "same", entityData: 1 }]);
  await addActivities(workspace, [{ id: "same", entityData: 2 }], { organizationId: "globex" });
  expect(await readActivities(workspace)).toMatchObject([{ entityData: 1 }]);
  expect(await readActivities(workspace, { organizationId: "globex" })).toMatchObject([{ entityData: 2 }]);
});

test("the 500 records of a call are read in the order of the call", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 500 }, (_, index) => `${(index * 7919) % 500}`);
  await addActivities(workspace, ids);
  expect(await readActivityIds(workspace)).toEqual(ids);
});

test("the records of each of many concurrent calls are read in the order of their call", async () => {
  const workspace = await service.workspace();
  const calls = Array.from({ length: 40 }, (_, call) => Array.from({ length: 20 }, (_, item) => `${call} ${item}`));
  await Promise.all(calls.map((ids) => addActivities(workspace, ids)));
  const ids = await readActivityIds(workspace);
  expect(calls.map(([first = ""]) => ids.filter((id) => id.split(" ")[0] === first.split(" ")[0]))).toEqual(calls);
});

test.each([0, 501])("%i activities in a call are INVALID_ARGUMENT", async (count) => {
  const workspace = await service.workspace();
  const activities = Array.from({ length: count }, () => activity());
  const error = await workspace.error(PATH, { ...SCOPE, activities });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.activities must have/),
  });
});

test("a call with one invalid record stores none of its records", async () => {
  const workspace = await service.workspace();
  const activities = [activity({ id: "good" }), { ...activity({ id: "bad" }), featureType: "unknown" }];
  const error = await workspace.error(PATH, { ...SCOPE, activities });
  expect(error.message).toMatch(
    /^data\.activities\[1\]\.featureType must be one of comment, reaction, recorder, crdt, custom/,
  );
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("a repeated id in a call is INVALID_ARGUMENT and nothing is stored", async () => {
  const workspace = await service.workspace();
  const activities = ["same", "other", "same", "other"].map((id) => activity({ id }));
  const error = await workspace.error(PATH, { ...SCOPE, activities });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.activities[2].id is repeated in this request",
    details: {
      issues: [2, 3].map((at) => ({ path: `data.activities[${at}].id`, message: "is repeated in this request" })),
    },
  });
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("a custom record needs targetEntityId", async () => {
  const workspace = await service.workspace();
  const custom = activity({ featureType: "custom" });
  const activities = [activity({ targetEntityId: "entity" }), custom, custom];
  const error = await workspace.error(PATH, { ...SCOPE, activities });
  expect(error.status).toBe("INVALID_ARGUMENT");
  const message = "is required if featureType is custom";
  expect(error.message).toBe(`data.activities[1].targetEntityId ${message}`);
  const issues = [1, 2].map((at) => ({ path: `data.activities[${at}].targetEntityId`, message }));
  expect(error.details).toEqual({ reason: "field_invalid", issues });
});

test.each(["comment", "reaction", "recorder", "crdt"] as const)(
  "a %s record needs no targetEntityId",
  async (featureType) => {
    const workspace = await service.workspace();
    await addActivities(workspace, [{ featureType }]);
    expect(await readActivities(workspace)).toMatchObject([{ featureType }]);
  },
);

test("the first record creates its organization, without a name", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  const organizations = await workspace.data("/v1/organizations/get", {});
  expect(organizations).toEqual([{ id: SCOPE.organizationId, organizationName: "", disabled: false }]);
});

test("while the activity service is off, adding is INVALID_ARGUMENT and says how to turn it on", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const error = await workspace.error(PATH, { ...SCOPE, activities: [activity()] });
  expect(error).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
  for (const place of ["console", "colloquy activity enable", "/v2/workspace/activityconfig/update"]) {
    expect(error.message).toContain(place);
  }
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("records can be read, updated and deleted while the activity service is off", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b"]);
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { isEnabled: false } });
  await workspace.error(PATH, { ...SCOPE, activities: [activity()] });
  const organizationId = SCOPE.organizationId;
  const update = { organizationId, activities: [{ id: "a", actionIcon: "new" }] };
  expect(await workspace.data("/v2/activities/update", update)).toMatchObject({ a: { success: true } });
  expect(await workspace.data("/v2/activities/delete", { organizationId, activityIds: ["b"] })).toMatchObject({
    b: { success: true },
  });
  expect(await workspace.data("/v2/activities/get", { organizationId })).toMatchObject([
    { id: "a", actionIcon: "new" },
  ]);
});

test("turning the activity service on takes effect without a restart", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  await workspace.error(PATH, { ...SCOPE, activities: [activity()] });
  await setActivityService(service.database, workspace.id, true);
  await eventually(() => addActivities(workspace, ["a"]));
  expect(await readActivityIds(workspace)).toEqual(["a"]);
});
