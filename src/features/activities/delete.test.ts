import { expect, test } from "vitest";
import { addActivities, copyActivity, readActivities, readActivityIds, SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { size } from "../../../test/sizes.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { CHUNK_ROWS, MAX_IDS_RETURNED } from "../tenancy/record-queries.ts";

const PATH = "/v2/activities/delete";
const { organizationId } = SCOPE;
const DELETED = { success: true, message: "Activity deleted." };
const NOT_FOUND = { success: false, message: "Activity not found." };
const service = await startTestService();

function remove(workspace: TestWorkspace, filters: Partial<Api[typeof PATH]["request"]>) {
  return workspace.data(PATH, { organizationId, ...filters });
}

/** Adds two documents with two targets each, as `<document> <target>`, and a record without a target in each. */
async function workspaceWithActivities(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const documentId of ["d1", "d2"]) {
    const targets = ["t1", "t2"].map((targetEntityId) => ({ id: `${documentId} ${targetEntityId}`, targetEntityId }));
    await addActivities(workspace, [...targets, documentId], { documentId });
  }
  return workspace;
}

const ALL = ["d1 t1", "d1 t2", "d1", "d2 t1", "d2 t2", "d2"];

test.each([
  ["one id", { activityIds: ["d1"] }, ["d1"]],
  ["several ids", { activityIds: ["d2", "d1 t1"] }, ["d2", "d1 t1"]],
  ["a document", { documentId: "d1" }, ["d1 t1", "d1 t2", "d1"]],
  ["a target", { targetEntityId: "t1" }, ["d1 t1", "d2 t1"]],
  ["a document and a target", { documentId: "d2", targetEntityId: "t2" }, ["d2 t2"]],
  ["a document without records", { documentId: "d3" }, []],
])("%s: matching records are deleted and listed in the response, others stay", async (_title, filters, ids) => {
  const workspace = await workspaceWithActivities();
  expect(await remove(workspace, filters)).toEqual(Object.fromEntries(ids.map((id) => [id, DELETED])));
  expect(await readActivityIds(workspace)).toEqual(ALL.filter((id) => !ids.includes(id)));
});

test.each([
  ["a document", { documentId: "d1" }, "d1 t1"],
  ["a target", { targetEntityId: "t2" }, "d2 t2"],
  ["both", { documentId: "d1", targetEntityId: "t2" }, "d1 t2"],
])(
  "ids with %s delete only records that match both, and the response lists each id",
  async (_title, filters, match) => {
    const workspace = await workspaceWithActivities();
    const activityIds = ["d1 t1", "d1 t2", "d2 t2"].filter((id) => id === match || !matches(id, filters));
    const response = await remove(workspace, { ...filters, activityIds });
    expect(response).toEqual(Object.fromEntries(activityIds.map((id) => [id, id === match ? DELETED : NOT_FOUND])));
    expect(await readActivityIds(workspace)).toEqual(ALL.filter((id) => id !== match));
  },
);

function matches(
  id: string,
  { documentId = "", targetEntityId = "" }: { documentId?: string; targetEntityId?: string },
) {
  return id.startsWith(documentId) && id.endsWith(targetEntityId);
}

test("a missing id fails alone", async () => {
  const workspace = await workspaceWithActivities();
  const response = await remove(workspace, { activityIds: ["missing", "d1"] });
  expect(response).toEqual({ missing: NOT_FOUND, d1: DELETED });
  expect(await readActivityIds(workspace)).toEqual(ALL.filter((id) => id !== "d1"));
});

test("an id that was deleted before is not found", async () => {
  const workspace = await workspaceWithActivities();
  await remove(workspace, { activityIds: ["d1"] });
  expect(await remove(workspace, { activityIds: ["d1"] })).toEqual({ d1: NOT_FOUND });
});

test("a repeated id has one result in the response", async () => {
  const workspace = await workspaceWithActivities();
  expect(await remove(workspace, { activityIds: ["d1", "d1"] })).toEqual({ d1: DELETED });
});

test("the records of other organizations stay", async () => {
  const workspace = await workspaceWithActivities();
  await addActivities(workspace, ["d1"], { organizationId: "globex", documentId: "d1" });
  await remove(workspace, { documentId: "d1", activityIds: ["d1"] });
  await remove(workspace, { documentId: "d1" });
  expect(await readActivityIds(workspace, { organizationId: "globex" })).toEqual(["d1"]);
});

test.each([{}, { activityIds: [] }, { documentId: "" }, { targetEntityId: null }])(
  "%j without a document, target or id is INVALID_ARGUMENT and nothing is deleted",
  async (filters) => {
    const workspace = await workspaceWithActivities();
    expect(await workspace.error(PATH, { organizationId, ...filters })).toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(await readActivityIds(workspace)).toEqual(ALL);
  },
);

test("the message of a request without filters names the required fields", async () => {
  const { message } = await (await service.workspace()).error(PATH, { organizationId });
  expect(message).toBe("data must have at least one of documentId, targetEntityId, activityIds");
});

test("1,000 ids are deleted, 1,001 are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const activityIds = Array.from({ length: 1001 }, (_, index) => `activity-${index}`);
  await addActivities(workspace, activityIds.slice(0, 500));
  expect(await workspace.error(PATH, { organizationId, activityIds })).toMatchObject({ status: "INVALID_ARGUMENT" });
  const response = await remove(workspace, { activityIds: activityIds.slice(0, 1000) });
  expect(Object.values(response)).toEqual([...Array(500).fill(DELETED), ...Array(500).fill(NOT_FOUND)]);
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("a deleted id can be used again for a new record", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b"]);
  await remove(workspace, { activityIds: ["a"] });
  await addActivities(workspace, ["a"]);
  expect(await readActivityIds(workspace)).toEqual(["b", "a"]);
});

test("all matches are deleted by as many statements as it takes, and the first 50,000 are listed", async () => {
  const workspace = await service.workspace();
  const matches = size({ usual: CHUNK_ROWS + 1, long: MAX_IDS_RETURNED + 1 });
  await addActivities(workspace, ["copied"], { documentId: "large" });
  await addActivities(workspace, ["stays"]);
  await copyActivity(service.database, organizationKey(workspace.id, organizationId), "copied", matches - 1);
  expect(await readActivities(workspace, { activityIds: ["copied-1", `copied-${matches - 1}`] })).toHaveLength(2);
  const response = await remove(workspace, { documentId: "large" });
  expect(Object.keys(response)).toHaveLength(Math.min(matches, MAX_IDS_RETURNED));
  expect(new Set(Object.values(response).map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify(DELETED)]),
  );
  expect(await readActivityIds(workspace)).toEqual(["stays"]);
});
