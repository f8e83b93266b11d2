import { expect, test } from "vitest";
import { activity, addActivities, readActivities, readActivityIds, SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";

const ADD = "/v2/activities/add";
const UPDATE = "/v2/activities/update";
const DELETE = "/v2/activities/delete";
const { organizationId } = SCOPE;
const IMMUTABLE = { success: false, message: expect.stringContaining("immutable") };
const NOT_FOUND = { success: false, message: "Activity not found." };
const service = await startTestService();

async function setImmutable(workspace: TestWorkspace, immutable: boolean): Promise<void> {
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { immutable } });
}

/** Creates a workspace with two records of one document and one of another, and makes its activities immutable. */
async function immutableWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "a", targetEntityId: "t" }, "b"]);
  await addActivities(workspace, ["c"], { documentId: "other" });
  await setImmutable(workspace, true);
  return workspace;
}

function add(workspace: TestWorkspace, activities: object[]) {
  return workspace.call(ADD, { ...SCOPE, activities });
}

test("an update fails for each record with a message that names the cause, and changes nothing", async () => {
  const workspace = await immutableWorkspace();
  const before = await readActivities(workspace);
  const activities = ["a", "missing", "b"].map((id) => ({ id, actionIcon: "new" }));
  const response = await workspace.data(UPDATE, { organizationId, activities });
  expect(response).toEqual({ a: IMMUTABLE, missing: NOT_FOUND, b: IMMUTABLE });
  expect(await readActivities(workspace)).toEqual(before);
});

test.each([
  ["ids", { activityIds: ["a", "missing"] }, { a: IMMUTABLE, missing: NOT_FOUND }],
  ["a document", { documentId: SCOPE.documentId }, { a: IMMUTABLE, b: IMMUTABLE }],
  ["a target", { targetEntityId: "t" }, { a: IMMUTABLE }],
  ["ids of another document", { documentId: "other", activityIds: ["a", "c"] }, { a: NOT_FOUND, c: IMMUTABLE }],
  ["a document without records", { documentId: "empty" }, {}],
])("a delete by %s fails for each matching record, and deletes nothing", async (_title, filters, expected) => {
  const workspace = await immutableWorkspace();
  expect(await workspace.data(DELETE, { organizationId, ...filters })).toEqual(expected);
  expect(await readActivityIds(workspace)).toEqual(["a", "b", "c"]);
});

test("new records can be added, with and without ids", async () => {
  const workspace = await immutableWorkspace();
  expect(await add(workspace, [activity({ id: "d" }), activity()])).toMatchObject({ httpStatus: 200 });
  expect(await readActivities(workspace)).toHaveLength(5);
});

test("repeating a call succeeds and changes nothing, even with its fields in another order", async () => {
  const workspace = await service.workspace();
  await setImmutable(workspace, true);
  const sent = activity({ id: "a", entityData: { x: [1, { ["__proto__"]: null }], y: "\ud800\0" }, actionIcon: null });
  await add(workspace, [sent, activity({ id: "b" })]);
  const before = await readActivities(workspace);
  const reordered = Object.fromEntries(Object.entries(sent).toReversed());
  for (const again of [[sent, activity({ id: "b" })], [reordered]]) {
    expect(await add(workspace, again)).toMatchObject({ httpStatus: 200 });
  }
  expect(await add(workspace, [sent, activity({ id: "c" })])).toMatchObject({ httpStatus: 200 });
  expect((await readActivities(workspace)).slice(1)).toEqual(before);
});

test.each([
  ["another field", { entityData: 1 }, {}],
  ["another user", { actionUser: { userId: "eve" } }, {}],
  ["another document", {}, { documentId: "other" }],
])("an id that exists with %s is ALREADY_EXISTS, and nothing of the call is stored", async (_title, fields, scope) => {
  const workspace = await immutableWorkspace();
  const before = await readActivities(workspace);
  const activities = [activity({ id: "new" }), activity({ id: "b", ...fields })];
  expect(await workspace.error(ADD, { ...SCOPE, ...scope, activities })).toMatchObject({
    httpStatus: 409,
    status: "ALREADY_EXISTS",
    details: { reason: "activities_immutable" },
  });
  expect(await readActivities(workspace)).toEqual(before);
});

test("of different concurrent records with one id, one is stored and the others are ALREADY_EXISTS", async () => {
  const workspace = await service.workspace();
  await setImmutable(workspace, true);
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, number) => add(workspace, [activity({ id: "same", entityData: number })])),
  );
  const kept = responses.findIndex(({ httpStatus }) => httpStatus === 200);
  expect(responses.map(({ httpStatus }) => httpStatus).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  expect(await readActivities(workspace)).toMatchObject([{ id: "same", entityData: kept }]);
});

test("equal concurrent calls all succeed and store the record once", async () => {
  const workspace = await service.workspace();
  await setImmutable(workspace, true);
  const responses = await Promise.all(Array.from({ length: 8 }, () => add(workspace, [activity({ id: "same" })])));
  expect(responses.map(({ httpStatus }) => httpStatus)).toEqual(Array(8).fill(200));
  expect(await readActivityIds(workspace)).toEqual(["same"]);
});

test("a disabled organization is rejected before its records are compared", async () => {
  const workspace = await immutableWorkspace();
  await workspace.data("/v2/organizations/access/disablestate/update", {
    organizationIds: [organizationId],
    disabled: true,
  });
  for (const [path, data] of [
    [ADD, { ...SCOPE, activities: [activity({ id: "b", entityData: 1 })] }],
    [UPDATE, { organizationId, activities: [{ id: "a" }] }],
    [DELETE, { organizationId, activityIds: ["a"] }],
  ] as const) {
    expect(await workspace.error(path, data)).toMatchObject({ details: { reason: "organization_disabled" } });
  }
});

test("records can be changed and deleted again once the setting is off", async () => {
  const workspace = await immutableWorkspace();
  await setImmutable(workspace, false);
  await workspace.data(UPDATE, { organizationId, activities: [{ id: "a", actionIcon: "new" }] });
  await workspace.data(DELETE, { organizationId, activityIds: ["b"] });
  expect(await add(workspace, [activity({ id: "a", entityData: 2 })])).toMatchObject({ httpStatus: 200 });
  expect(await readActivityIds(workspace)).toEqual(["a", "c"]);
});

test("the setting does not affect another workspace", async () => {
  const [other] = await Promise.all([service.workspace(), immutableWorkspace()]);
  await addActivities(other, ["a"]);
  expect(await other.data(DELETE, { organizationId, activityIds: ["a"] })).toMatchObject({ a: { success: true } });
});
