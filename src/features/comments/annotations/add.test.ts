import { expect, test } from "vitest";
import {
  ADDED_FIELDS,
  addAnnotations,
  comment,
  countAnnotations,
  readAnnotationIds,
  readAnnotations,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { untilWaiting } from "../../../../test/lock-waits.ts";
import { DOCUMENTS, ORGANIZATIONS, readRecords } from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";

const PATH = "/v2/commentannotations/add";
const EXISTS = {
  success: false,
  message: "An annotation with this ID exists already.",
  annotationId: "a",
  commentIds: [],
};
const service = await startTestService();

const FULL = {
  annotationId: "full",
  type: "comment" as const,
  commentType: "chart" as const,
  location: { id: "page-2", locationName: "Page 2", zoom: 1.5 },
  targetElement: { elementId: "clause-3", nested: { ["__proto__"]: ["kept"] } },
  status: {
    ...{ id: "DOING", name: "Doing", type: "ongoing" as const, color: "#00ff00", lightColor: "#eeffee" },
    ...{ svg: "<svg/>", iconUrl: "https://files.example.com/doing.svg" },
  },
  priority: { id: "P0", name: "High" },
  assignedTo: { userId: "grace", name: "Grace Hopper", email: "grace@example.com", team: ["legal"] },
  context: { text: "U+0000 \0, a lone surrogate \ud800", "": null },
  pageInfo: { url: "https://app.example.com/contract-7", title: "Contract 7", more: [{}] },
  isPageAnnotation: true,
  ...{ positionX: 12.5, positionY: -3, screenWidth: 1920, screenHeight: 1080 },
  ...{ screenScrollHeight: 4000, screenScrollTop: 250.25 },
};
const FULL_COMMENT = {
  commentId: 7,
  commentText: "\0 \ud800 @Grace",
  commentHtml: "<b>@Grace</b>",
  from: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", photoUrl: "ada.png" },
  taggedUserContacts: [{ text: "@Grace", userId: "grace", contact: { email: "grace@example.com", more: [1e300] } }],
  attachments: [{ url: "https://files.example.com/1.pdf", size: 7 }],
  context: { text: "any \0", "": [null] },
  metadata: { ["__proto__"]: "kept" },
  isCommentResolverUsed: true,
  isCommentTextAvailable: false,
};

test("an annotation is read back with all sent fields, the times, the first author and the metadata", async () => {
  const workspace = await service.publicWorkspace();
  const added = await addAnnotations(workspace, [{ ...FULL, commentData: [FULL_COMMENT] }]);
  expect(added).toEqual({
    full: { success: true, message: "Annotation added.", annotationId: "full", commentIds: [7] },
  });
  const [record] = await readAnnotations(workspace);
  const time = expect.any(Number);
  expect(record).toEqual({
    ...FULL,
    from: FULL_COMMENT.from,
    createdAt: time,
    lastUpdated: record?.createdAt,
    annotationNumber: 1,
    annotationIndex: 1,
    sourceType: "rest-api",
    visibilityConfig: { type: "public" },
    hasDraftComments: false,
    metadata: { apiKey: workspace.apiKey, ...SCOPE },
    comments: [
      {
        ...ADDED_FIELDS,
        ...FULL_COMMENT,
        createdAt: record?.createdAt,
        lastUpdated: new Date(record?.createdAt ?? 0).toISOString(),
      },
    ],
  });
  expect(Math.abs(Date.now() - Number(record?.createdAt))).toBeLessThan(10_000);
});

test("an annotation without an id or a status gets a UUID and the status OPEN", async () => {
  const workspace = await service.publicWorkspace();
  const [id] = Object.keys(await addAnnotations(workspace, [{}]));
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const [record] = await readAnnotations(workspace);
  const status = { id: "OPEN", name: "Open", type: "default", color: "#1971c2", lightColor: "#e7f5ff" };
  expect(record).toMatchObject({ annotationId: id, status, type: "comment", commentType: "manual" });
});

test("an id that exists, even in another document, fails alone and its annotation stays unchanged", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const before = await readAnnotations(workspace);
  const again = { annotationId: "a", commentData: [comment({ commentText: "other" })] };
  expect(await addAnnotations(workspace, [again, "b"], { documentId: "other" })).toEqual({
    a: EXISTS,
    b: { success: true, message: "Annotation added.", annotationId: "b", commentIds: [1] },
  });
  expect(await readAnnotations(workspace, { documentId: SCOPE.documentId })).toEqual(before);
  expect(await readAnnotationIds(workspace)).toEqual(["a", "b"]);
});

test("comments keep their order, and an omitted comment id is the largest one plus 1", async () => {
  const workspace = await service.publicWorkspace();
  const commentData = [{}, { commentId: 9 }, {}, { commentId: 3 }].map(comment);
  const added = await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  expect(added.a?.commentIds).toEqual([10, 9, 11, 3]);
  const [record] = await readAnnotations(workspace);
  expect(record?.comments.map(({ commentId }) => commentId)).toEqual([10, 9, 11, 3]);
});

test("an earlier createdAt determines the order of the pages, and one in the future is rejected", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["now"]);
  await addAnnotations(workspace, [{ annotationId: "old", createdAt: 1_000 }]);
  const records = await readAnnotations(workspace, { order: "asc" });
  expect(records.map(({ annotationId }) => annotationId)).toEqual(["old", "now"]);
  expect(records[0]?.createdAt).toBe(1_000);
  const commentAnnotations = [{ annotationId: "future", createdAt: Date.now() + 1e9, commentData: [] }];
  expect(await workspace.error("/v2/commentannotations/add", { ...SCOPE, commentAnnotations })).toMatchObject({
    message: "data.commentAnnotations[0].createdAt must not be later than now",
  });
});

test.each([
  ["an annotation's id", [{ annotationId: "a" }, {}, { annotationId: "a" }], "data.commentAnnotations[2].annotationId"],
  [
    "a comment's id",
    [{ commentData: [comment({ commentId: 1 }), comment({ commentId: 1 })] }],
    "data.commentAnnotations[0].commentData[1].commentId",
  ],
])("%s that is repeated in a request is INVALID_ARGUMENT and nothing is added", async (_title, given, field) => {
  const workspace = await service.publicWorkspace();
  const commentAnnotations = given.map((annotation) => ({ commentData: [comment()], ...annotation }));
  const error = await workspace.error(PATH, { ...SCOPE, commentAnnotations });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: `${field} is repeated in this request` });
  expect(await readAnnotations(workspace)).toEqual([]);
});

test("the organization and the document are created unless the call forbids it", async () => {
  const workspace = await service.publicWorkspace();
  const rejected = (message: string) => ({ a: { ...EXISTS, message } });
  const no = { createOrganization: false, createDocument: false };
  expect(await addAnnotations(workspace, ["a"], no)).toEqual(rejected("Organization not found."));
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
  await addAnnotations(workspace, ["first"]);
  expect(await addAnnotations(workspace, ["a"], { ...no, documentId: "other" })).toEqual(
    rejected("Document not found."),
  );
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([ORGANIZATIONS.minimal("acme")]);
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([DOCUMENTS.minimal("contract-7")]);
  expect(await addAnnotations(workspace, ["a"], no)).toMatchObject({ a: { success: true } });
});

test("the last activity of a document is the time of the last write to its annotations", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const [record] = await readAnnotations(workspace);
  expect(await readRecords(workspace, DOCUMENTS)).toMatchObject([{ lastActivity: record?.lastUpdated }]);
});

test("of twelve concurrent adds of one id exactly one succeeds, as a whole", async () => {
  const workspace = await service.publicWorkspace();
  const given = (text: string) => ({
    annotationId: "a",
    commentData: [1, 2].map((commentId) => comment({ commentId, commentText: text })),
  });
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) => addAnnotations(workspace, [given(`${index}`), "b"])),
  );
  for (const id of ["a", "b"]) expect(responses.filter((response) => response[id]?.success)).toHaveLength(1);
  const records = await readAnnotations(workspace);
  const winner = responses.findIndex((response) => response.a?.success);
  const comments = records.find(({ annotationId }) => annotationId === "a")?.comments;
  expect(comments?.map(({ commentText }) => commentText)).toEqual([`${winner}`, `${winner}`]);
});

test("concurrent adds of the same ids in opposite orders do not deadlock", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 100 }, (_, index) => `annotation-${index}`);
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => addAnnotations(workspace, index % 2 ? ids : ids.toReversed())),
  );
  const count = responses.flatMap((response) => Object.values(response)).filter(({ success }) => success).length;
  expect(count).toBe(100);
  expect((await readAnnotationIds(workspace)).sort()).toEqual(ids.toSorted());
});

test("__proto__ is an id like any other for an annotation, a user and a document", async () => {
  const workspace = await service.publicWorkspace();
  const from = { userId: "__proto__" };
  const given = [{ annotationId: "__proto__", commentData: [comment({ from })] }];
  const added = await addAnnotations(workspace, given, { documentId: "__proto__" });
  expect(Object.entries(added)).toMatchObject([["__proto__", { success: true }]]);
  const counts = await countAnnotations(workspace, "ada", { documentIds: ["__proto__"] });
  expect(Object.entries(counts)).toEqual([["__proto__", { total: 1, unread: 1 }]]);
  const grouped = await workspace.data("/v2/commentannotations/get", {
    organizationId: "acme",
    userIds: ["__proto__"],
    groupByDocumentId: true,
  });
  expect(Object.keys(grouped)).toEqual(["__proto__"]);
});

test("a call that takes long keeps nobody else from adding annotations to the document", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["first"]);
  const { waiting } = await service.database.transaction(async (transaction) => {
    await runSql(transaction, "lock table notifications in exclusive mode");
    const commentData = [comment({ triggerNotification: true })];
    const waiting = addAnnotations(workspace, [{ annotationId: "slow", assignedTo: { userId: "grace" }, commentData }]);
    await untilWaiting(service.database);
    await addAnnotations(workspace, ["quick", "quick 2"]);
    return { waiting };
  });
  await waiting;
  const annotations = await readAnnotations(workspace);
  const numbers = annotations.map(({ annotationId, annotationNumber }) => [annotationId, annotationNumber]);
  expect(Object.fromEntries(numbers)).toEqual({ first: 1, quick: 2, "quick 2": 3, slow: 4 });
});
