import { expect, test } from "vitest";
import {
  addAnnotations,
  addComments,
  changeAnnotations,
  comment,
  countAnnotations,
  readAnnotationIds,
  readAnnotations,
} from "../../../../test/comments.ts";
import { startTestService } from "../../../../test/harness.ts";

const UPDATED = { success: true, id: expect.any(String), message: "Annotation updated." };
const NOT_FOUND = { success: false, id: expect.any(String), message: "Annotation not found." };
const service = await startTestService();

test("an update replaces each sent field as a whole and keeps the others", async () => {
  const workspace = await service.publicWorkspace();
  const given = { annotationId: "a", location: { id: "page-1", zoom: 2 }, priority: "P1", context: { kept: true } };
  await addAnnotations(workspace, [given, "untouched"]);
  const [untouched, before] = await readAnnotations(workspace);
  const updatedData = {
    location: { id: "page-2" },
    status: { id: "DONE", type: "terminal" as const },
    priority: null,
    assignedTo: { userId: "grace" },
    targetElement: { elementId: "x\0" },
  };
  expect(await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData })).toEqual({
    a: { ...UPDATED, id: "a" },
  });
  const [other, after] = await readAnnotations(workspace);
  expect(after).toEqual({ ...before, ...updatedData, lastUpdated: expect.any(Number) });
  expect(after?.lastUpdated).toBeGreaterThanOrEqual(Number(before?.lastUpdated));
  expect(other).toEqual(untouched);
  expect(await readAnnotationIds(workspace, { statusIds: ["DONE"], locationIds: ["page-2"] })).toEqual(["a"]);
  expect(await readAnnotationIds(workspace, { locationIds: ["page-1"] })).toEqual([]);
});

test.each([
  ["ids", { annotationIds: ["a", "missing", "a"] }, { a: UPDATED, missing: NOT_FOUND }],
  ["a location", { locationIds: ["page-1"] }, { a: UPDATED, b: UPDATED }],
  ["a participant", { userIds: ["grace"] }, { b: UPDATED, c: UPDATED }],
  ["all that are given", { locationIds: ["page-1"], userIds: ["grace"] }, { b: UPDATED }],
  ["nothing but the document", {}, { a: UPDATED, b: UPDATED, c: UPDATED }],
  ["an id of another document", { annotationIds: ["elsewhere"] }, { elsewhere: NOT_FOUND }],
])("by %s: matching annotations are updated and listed in the response", async (_title, filters, expected) => {
  const workspace = await service.publicWorkspace();
  const grace = comment({ from: { userId: "grace" } });
  await addAnnotations(workspace, [
    { annotationId: "a", location: { id: "page-1" } },
    { annotationId: "b", location: { id: "page-1" }, commentData: [comment(), grace] },
    { annotationId: "c", commentData: [grace] },
  ]);
  await addAnnotations(workspace, ["elsewhere"], { documentId: "other" });
  const updatedData = { status: { id: "DONE" } };
  expect(await changeAnnotations(workspace, "update", { ...filters, updatedData })).toEqual(expected);
  const updated = Object.entries(expected).flatMap(([id, result]) => (result === UPDATED ? [id] : []));
  expect(await readAnnotationIds(workspace, { statusIds: ["DONE"] })).toEqual(updated);
});

test("all of 2,500 matching annotations are updated and listed", async () => {
  const workspace = await service.publicWorkspace();
  for (let call = 0; call < 5; call++) {
    await addAnnotations(
      workspace,
      Array.from({ length: 500 }, (_, index) => `${call}-${index}`),
    );
  }
  const result = await changeAnnotations(workspace, "update", { updatedData: { status: { id: "DONE" } } });
  expect(Object.keys(result)).toHaveLength(2_500);
  expect(await readAnnotationIds(workspace, { statusIds: ["DONE"] })).toHaveLength(2_500);
});

test("concurrent updates of different fields are both stored", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 50 }, (_, index) => `${index}`);
  await addAnnotations(workspace, ids);
  await Promise.all([
    changeAnnotations(workspace, "update", { annotationIds: ids, updatedData: { priority: "P0" } }),
    changeAnnotations(workspace, "update", { annotationIds: ids.toReversed(), updatedData: { context: { n: 1 } } }),
    ...ids.map((annotationId) => addComments(workspace, [{}], { annotationId })),
  ]);
  for (const { priority, context, comments } of await readAnnotations(workspace)) {
    expect({ priority, context, count: comments.length }).toEqual({ priority: "P0", context: { n: 1 }, count: 2 });
  }
});

test("an annotation is unread if it has a comment that is newer than the user's read marker", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a", "b"]);
  expect(await countAnnotations(workspace, "ada")).toEqual({ "contract-7": { total: 2, unread: 0 } });
  expect(await countAnnotations(workspace, "grace")).toEqual({ "contract-7": { total: 2, unread: 2 } });
  const [before] = await readAnnotations(workspace);
  await changeAnnotations(workspace, "update", {
    annotationIds: ["b"],
    updatedData: { readByUserIds: ["grace", "grace"] },
  });
  expect(await countAnnotations(workspace, "grace")).toEqual({ "contract-7": { total: 2, unread: 1 } });
  const [after] = await readAnnotations(workspace);
  expect(after).toEqual(before);
  await addComments(workspace, [{ from: { userId: "alan" } }], { annotationId: "b" });
  expect(await countAnnotations(workspace, "grace")).toMatchObject({ "contract-7": { unread: 2 } });
  expect(await countAnnotations(workspace, "ada")).toMatchObject({ "contract-7": { unread: 1 } });
  await addComments(workspace, [{ from: { userId: "grace" } }], { annotationId: "b" });
  expect(await countAnnotations(workspace, "grace")).toMatchObject({ "contract-7": { unread: 1 } });
});

test("deleting an unread comment makes its annotation read, until the next comment", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  await changeAnnotations(workspace, "update", { updatedData: { readByUserIds: ["grace"] } });
  const alan = { from: { userId: "alan" } };
  const unread = async () => (await countAnnotations(workspace, "grace"))["contract-7"]?.unread;
  const [added = 0] = await addComments(workspace, [alan]);
  expect(await unread()).toBe(1);
  const remove = { organizationId: "acme", documentId: "contract-7", annotationId: "a", commentIds: [added] };
  await workspace.data("/v2/commentannotations/comments/delete", remove);
  expect(await unread()).toBe(0);
  await addComments(workspace, [alan]);
  expect(await unread()).toBe(1);
});

test("counts include only the given documents and statuses", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a", { annotationId: "b", status: { id: "DONE" } }]);
  await addAnnotations(workspace, ["c"], { documentId: "other" });
  const documentIds = ["other", "none", "contract-7"];
  expect(await countAnnotations(workspace, "ada", { documentIds, statusIds: ["OPEN"] })).toEqual({
    other: { total: 1, unread: 0 },
    none: { total: 0, unread: 0 },
    "contract-7": { total: 1, unread: 0 },
  });
});
