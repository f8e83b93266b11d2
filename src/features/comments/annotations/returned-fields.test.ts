import { expect, test } from "vitest";
import {
  addAnnotations,
  addComments,
  changeAnnotations,
  comment,
  readAnnotationPages,
  readAnnotations,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";

const ADD = "/v2/commentannotations/add";
const service = await startTestService();

/** Returns the numbers of the annotations by ID. */
async function buildNumbers(workspace: TestWorkspace, documentId = SCOPE.documentId): Promise<Record<string, number>> {
  const records = await readAnnotations(workspace, { documentId });
  return Object.fromEntries(records.map(({ annotationId, annotationNumber }) => [annotationId, annotationNumber]));
}

test("annotations are numbered by document in the order of the requests, whatever their createdAt is", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["z", "a"]);
  await addAnnotations(workspace, ["elsewhere"], { documentId: "other" });
  await addAnnotations(workspace, [{ annotationId: "old", createdAt: 1 }]);
  expect(await buildNumbers(workspace)).toEqual({ z: 1, a: 2, old: 3 });
  expect(await buildNumbers(workspace, "other")).toEqual({ elsewhere: 1 });
});

test("a number stays with its annotation, and that of a deleted annotation is not used again", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a", "b", "c"]);
  await changeAnnotations(workspace, "delete", { annotationIds: ["a", "c"] });
  await changeAnnotations(workspace, "update", { updatedData: { priority: "P0" } });
  await addAnnotations(workspace, ["c"]);
  expect(await buildNumbers(workspace)).toEqual({ b: 2, c: 4 });
});

test("a repeated request takes no numbers", async () => {
  const workspace = await service.workspace();
  for (const ids of [
    ["a", "b"],
    ["a", "b"],
    ["b", "c", "a", "d"],
  ])
    await addAnnotations(workspace, ids);
  expect(await buildNumbers(workspace)).toEqual({ a: 1, b: 2, c: 3, d: 4 });
});

test("concurrent requests give each annotation of a document its own number, without gaps", async () => {
  const workspace = await service.workspace();
  const calls = Array.from({ length: 20 }, (_, call) => [0, 1, 2].map((item) => `${call}-${item}`));
  await Promise.all(calls.map((ids) => addAnnotations(workspace, ids)));
  const numbers = Object.values(await buildNumbers(workspace)).sort((one, other) => one - other);
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

test("annotationIndex is the place in the list, across its pages and in either order", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a", "b", "c", "d", "e"]);
  for (const order of ["asc", "desc"] as const) {
    const pages = await readAnnotationPages(workspace, { order, pageSize: 2 });
    expect(pages.map((page) => page.map(({ annotationIndex }) => annotationIndex))).toEqual([[1, 2], [3, 4], [5]]);
  }
  const [only] = await readAnnotations(workspace, { annotationIds: ["d"] });
  expect(only).toMatchObject({ annotationIndex: 1, annotationNumber: 4 });
});

test("with annotationIds the last page ends with null for each id that does not exist", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a", "b"]);
  await addAnnotations(workspace, ["elsewhere"], { documentId: "other" });
  const annotationIds = ["missing", "b", "a", "missing", "elsewhere"];
  const read = async (request: object) => {
    const { data, pageToken } = await workspace.uncheckedResult("/v2/commentannotations/get", { ...SCOPE, ...request });
    if (!Array.isArray(data)) throw new Error("The page is not a list.");
    return { ids: data.map((found) => found?.annotationId ?? null), pageToken };
  };
  expect((await read({ annotationIds, order: "asc" })).ids).toEqual(["a", "b", null, null]);
  expect((await read({ annotationIds: ["missing"] })).ids).toEqual([null]);
  const filtered = { annotationIds: ["a", "missing"], statusIds: ["DONE"] };
  expect((await read(filtered)).ids).toEqual([null]);
  const first = await read({ annotationIds, order: "asc", pageSize: 1 });
  expect(first.ids).toEqual(["a"]);
  const second = await read({ annotationIds, order: "asc", pageSize: 1, pageToken: first.pageToken });
  expect(second.ids).toEqual(["b", null, null]);
});

test("lastUpdated of a new annotation is kept until its next change", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", createdAt: 1_000, lastUpdated: 2_000 }]);
  expect(await readAnnotations(workspace)).toMatchObject([{ createdAt: 1_000, lastUpdated: 2_000 }]);
  await addComments(workspace, [{}]);
  expect((await readAnnotations(workspace))[0]?.lastUpdated).toBeGreaterThan(2_000);
});

test("a suggestion is pending when it is added, whatever status is sent", async () => {
  const workspace = await service.workspace();
  const suggestion = { status: "accepted" as const, newContent: "sixty days", more: { ["__proto__"]: 1 } };
  await addAnnotations(workspace, [{ annotationId: "a", type: "suggestion", suggestion }]);
  const expected = { type: "suggestion", suggestion: { ...suggestion, status: "pending" } };
  expect(await readAnnotations(workspace)).toMatchObject([expected]);
});

test.each([
  ["a suggestion of another type", { suggestion: {} }, "data.commentAnnotations[0].suggestion"],
  ["a suggestion of type comment", { type: "comment", suggestion: {} }, "data.commentAnnotations[0].suggestion"],
  ["comments under both names", { comments: [comment()] }, "data.commentAnnotations[0]"],
  ["no comments", { commentData: undefined }, "data.commentAnnotations[0]"],
  ["a future lastUpdated", { lastUpdated: Date.now() + 3_600_000 }, "data.commentAnnotations[0].lastUpdated"],
  ["a status without id and type", { status: { name: "Done" } }, "data.commentAnnotations[0].status"],
  ["accessFields", { context: { accessFields: [] } }, "data.commentAnnotations[0].context.accessFields"],
  ["a visibility without users", { visibility: { type: "restricted" } }, "data.commentAnnotations[0].visibility"],
  [
    "a visibility of no user",
    { visibility: { type: "restricted", userIds: [] } },
    "data.commentAnnotations[0].visibility.userIds",
  ],
  [
    "a visibility without its organization",
    { visibility: { type: "organizationPrivate" } },
    "data.commentAnnotations[0].visibility",
  ],
  [
    "a visibility for another organization",
    { visibility: { type: "organizationPrivate", organizationId: "globex" } },
    "data.commentAnnotations[0].visibility.organizationId",
  ],
  [
    "a visibility for further organizations",
    { visibility: { type: "restricted", userIds: ["ada"], organizationIds: ["acme", "globex"] } },
    "data.commentAnnotations[0].visibility.organizationIds",
  ],
])("%s is INVALID_ARGUMENT, and nothing is added", async (_title, fields, path) => {
  const workspace = await service.workspace();
  const commentAnnotations = [{ annotationId: "a", commentData: [comment()], ...fields }];
  const error = await workspace.error(ADD, { ...SCOPE, commentAnnotations });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path }] } });
  expect(await readAnnotations(workspace)).toEqual([]);
});

test("comments is another name of commentData", async () => {
  const workspace = await service.workspace();
  const commentAnnotations = [{ annotationId: "a", comments: [comment({ commentText: "first" })] }];
  expect(await workspace.data(ADD, { ...SCOPE, commentAnnotations })).toMatchObject({ a: { commentIds: [1] } });
  const more = { ...SCOPE, annotationId: "a", comments: [comment({ commentText: "second" })] };
  expect(await workspace.data("/v2/commentannotations/comments/add", more)).toEqual([2]);
  const [record] = await readAnnotations(workspace);
  expect(record?.comments.map(({ commentText }) => commentText)).toEqual(["first", "second"]);
});
