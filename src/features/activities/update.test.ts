import { expect, test } from "vitest";
import {
  activity,
  addActivities,
  readActivities,
  readActivityIds,
  readActivityPages,
  SCOPE,
} from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { MIB_BEFORE_MULTIPLYING, multiplyRecordBytes } from "../../../test/record-bytes.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/activities/update";
const { organizationId } = SCOPE;
const UPDATED = { success: true, message: "Activity updated." };
const NOT_FOUND = { success: false, message: "Activity not found." };
const service = await startTestService();

/** Fields that can be replaced, each with a value before and one after. */
const CHANGES = [
  ["changes", { title: { from: 1, to: 2 } }, { body: { from: 3, to: 4 } }],
  ["entityData", { deep: { kept: 1 } }, { deep: { other: 2 } }],
  ["entityTargetData", ["a", "list"], "a text"],
  ["displayMessageTemplate", "{{user}} wrote", "{{user}} rewrote"],
  ["displayMessageTemplateData", { user: { userId: "ada" } }, { place: "here" }],
  ["messageKey", "clause.write", "clause.rewrite"],
  ["actionIcon", "https://example.com/old.svg", "https://example.com/new.svg"],
] as const;
const BEFORE = activity({ id: "activity-1", ...Object.fromEntries(CHANGES.map(([name, before]) => [name, before])) });

function update(workspace: TestWorkspace, activities: Api[typeof PATH]["request"]["activities"]) {
  return workspace.data(PATH, { organizationId, activities });
}

/** Returns the key with a new template, which removes it otherwise. */
function kept(name: string) {
  return name === "displayMessageTemplate" ? { messageKey: "clause.write" } : {};
}

test.each(CHANGES)("updating %s replaces it as a whole and keeps the other fields", async (name, _before, after) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [BEFORE]);
  const [record] = await readActivities(workspace);
  expect(await update(workspace, [{ id: "activity-1", [name]: after, ...kept(name) }])).toEqual({
    "activity-1": UPDATED,
  });
  expect(await readActivities(workspace)).toEqual([{ ...record, [name]: after }]);
});

test.each(CHANGES)("null replaces %s and is stored", async (name) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [BEFORE]);
  const [record] = await readActivities(workspace);
  await update(workspace, [{ id: "activity-1", [name]: null, ...kept(name) }]);
  expect(await readActivities(workspace)).toEqual([{ ...record, [name]: null }]);
});

test("a new template without a key removes the key, whose translations say something else", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [BEFORE]);
  await update(workspace, [{ id: "activity-1", displayMessageTemplate: "{{user}} signed" }]);
  expect((await readActivities(workspace))[0]).not.toHaveProperty("messageKey");
  await update(workspace, [{ id: "activity-1", displayMessageTemplate: "{{user}} sealed", messageKey: "seal" }]);
  expect(await readActivities(workspace)).toMatchObject([{ messageKey: "seal" }]);
});

test("a field that the record did not have is added", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["plain"]);
  const [record] = await readActivities(workspace);
  await update(workspace, [{ id: "plain", entityData: 1 }]);
  expect(await readActivities(workspace)).toEqual([{ ...record, entityData: 1 }]);
});

test("an item with only an id succeeds and changes nothing", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [BEFORE]);
  const before = await readActivities(workspace);
  expect(await update(workspace, [{ id: "activity-1" }])).toEqual({ "activity-1": UPDATED });
  expect(await readActivities(workspace)).toEqual(before);
});

test("a missing id fails alone", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b"]);
  const response = await update(workspace, [
    { id: "a", actionIcon: "new" },
    { id: "missing", actionIcon: "new" },
    { id: "b", actionIcon: "new" },
  ]);
  expect(response).toEqual({ a: UPDATED, missing: NOT_FOUND, b: UPDATED });
  expect(await readActivities(workspace)).toMatchObject([{ actionIcon: "new" }, { actionIcon: "new" }]);
});

test("a missing id is not created, nor is its organization", async () => {
  const workspace = await service.workspace();
  expect(await update(workspace, [{ id: "missing", actionIcon: "new" }])).toEqual({ missing: NOT_FOUND });
  expect(await readActivityIds(workspace)).toEqual([]);
  expect(await workspace.data("/v1/organizations/get", {})).toEqual([]);
});

test("a record of the same id in another organization stays unchanged", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "same", actionIcon: "old" }], { organizationId: "globex" });
  expect(await update(workspace, [{ id: "same", actionIcon: "new" }])).toEqual({ same: NOT_FOUND });
  expect(await readActivities(workspace, { organizationId: "globex" })).toMatchObject([{ actionIcon: "old" }]);
});

test.each([
  ...["featureType", "actionType", "actionUser", "targetEntityId", "targetSubEntityId", "isActivityResolverUsed"],
  ...["documentId", "metadata", "timestamp"],
])("%s cannot be changed: the request is INVALID_ARGUMENT and changes nothing", async (name) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [BEFORE]);
  const before = await readActivities(workspace);
  const activities = [{ id: "activity-1", actionIcon: "new", [name]: "other" }];
  const error = await workspace.error(PATH, { organizationId: SCOPE.organizationId, activities });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "unknown_field" } });
  expect(await readActivities(workspace)).toEqual(before);
});

test("an updated record keeps its position", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b", "c"]);
  await update(workspace, [{ id: "a", actionIcon: "new" }]);
  expect(await readActivityIds(workspace)).toEqual(["a", "b", "c"]);
});

test("a repeated id is INVALID_ARGUMENT and nothing is changed", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "a", actionIcon: "old" }]);
  const activities = ["new", "newer"].map((actionIcon) => ({ id: "a", actionIcon }));
  const error = await workspace.error(PATH, { organizationId, activities });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/activities\[1\]\.id /) });
  expect(await readActivities(workspace)).toMatchObject([{ actionIcon: "old" }]);
});

test("a call can update 500 items, 501 are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const items = Array.from({ length: 501 }, (_, index) => ({ id: `activity-${index}`, actionIcon: "new" }));
  await addActivities(
    workspace,
    items.slice(0, 500).map(({ id }) => id),
  );
  expect(await workspace.error(PATH, { organizationId, activities: items })).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.activities must have at most 500 items",
  });
  const response = await update(workspace, items.slice(0, 500));
  expect(response).toEqual(Object.fromEntries(items.slice(0, 500).map(({ id }) => [id, UPDATED])));
  expect(new Set((await readActivities(workspace)).map(({ actionIcon }) => actionIcon))).toEqual(new Set(["new"]));
});

test("a page ends at 8 MiB also if updates have made its records larger", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 9 }, (_, index) => `activity-${index}`);
  await addActivities(workspace, ids);
  for (const id of ids) await update(workspace, [{ id, entityData: "x".repeat(MIB_BEFORE_MULTIPLYING) }]);
  await multiplyRecordBytes(service.database, workspace, "activities");
  expect((await readActivityPages(workspace)).map((page) => page.length)).toEqual([8, 1]);
});
