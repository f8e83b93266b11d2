import { expect, test } from "vitest";
import {
  addAnnotations,
  addComments,
  asList,
  changeAnnotations,
  changeComments,
  comment,
  readAnnotationIds,
  readAnnotationPages,
  readAnnotations,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { setDisabled } from "../../../../test/organizations.ts";
import { setRecordBytes } from "../../../../test/record-bytes.ts";

const PATH = "/v2/commentannotations/get";
const { organizationId, documentId } = SCOPE;
const service = await startTestService();

function by(userId: string, ...tagged: string[]) {
  return comment({ from: { userId }, taggedUserContacts: tagged.map((id) => ({ userId: id })) });
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `annotation-${1000 + index}`);
}

/** Adds annotations of two documents, locations, statuses and authors. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const doing = { id: "DOING" };
  await addAnnotations(
    workspace,
    [
      { annotationId: "a", location: { id: "page-1" }, commentData: [by("ada", "grace", "alan")] },
      { annotationId: "b", location: { id: "page-2" }, status: doing, commentData: [by("grace"), by("alan")] },
    ],
    { documentId: "d1" },
  );
  await addAnnotations(
    workspace,
    [
      { annotationId: "c", location: { id: "page-1" }, commentData: [by("ada"), by("ada", "ada")] },
      { annotationId: "d", status: doing, commentData: [by("alan", "grace")] },
    ],
    { documentId: "d2" },
  );
  return workspace;
}

test.each([
  ["no filter", {}, ["a", "b", "c", "d"]],
  ["a document", { documentId: "d1" }, ["a", "b"]],
  ["several documents", { documentIds: ["d2", "d1", "none"] }, ["a", "b", "c", "d"]],
  ["a document and a list without it", { documentId: "d1", documentIds: ["d2"] }, []],
  ["a location", { locationIds: ["page-1"] }, ["a", "c"]],
  ["a location in a document", { documentId: "d1", locationIds: ["page-1", "none"] }, ["a"]],
  ["ids", { annotationIds: ["d", "a", "none", "a"] }, ["a", "d"]],
  ["a status", { statusIds: ["DOING"] }, ["b", "d"]],
  ["several statuses", { statusIds: ["DOING", "OPEN"], documentId: "d2" }, ["c", "d"]],
  ["a participant", { userIds: ["alan"] }, ["b", "d"]],
  ["several participants", { userIds: ["ada", "grace"] }, ["a", "b", "c"]],
  ["a participant in a document", { userIds: ["alan"], documentId: "d1" }, ["b"]],
  ["a mentioned user", { mentionedUserIds: ["grace"] }, ["a", "d"]],
  ["several mentioned users", { mentionedUserIds: ["ada", "alan"] }, ["a", "c"]],
  ["a participant and a mentioned user", { userIds: ["alan"], mentionedUserIds: ["grace"] }, ["d"]],
  ["a participant with ids", { userIds: ["alan"], annotationIds: ["a", "d"] }, ["d"]],
  ["an unknown user", { userIds: ["nobody"] }, []],
])("%s: matching annotations are returned, oldest first with order asc", async (_title, filters, expected) => {
  const workspace = await filledWorkspace();
  expect(await readAnnotationIds(workspace, filters)).toEqual(expected);
  expect((await readAnnotationIds(workspace, { ...filters, order: "desc" })).toReversed()).toEqual(expected);
  expect(await readAnnotationIds(workspace, { ...filters, pageSize: 1 })).toEqual(expected);
});

test("the bounds of the times are exclusive", async () => {
  const workspace = await service.workspace();
  const at = (createdAt: number) => ({ annotationId: `${createdAt}`, createdAt });
  await addAnnotations(workspace, [1000, 2000, 3000].map(at));
  expect(await readAnnotationIds(workspace, { createdAfter: 1000, createdBefore: 3000 })).toEqual(["2000"]);
  const [before] = await readAnnotations(workspace);
  const updatedAfter = before?.lastUpdated;
  expect(await readAnnotationIds(workspace, { updatedAfter })).toEqual([]);
  await addComments(workspace, [{}], { annotationId: "1000" });
  expect(await readAnnotationIds(workspace, { updatedAfter })).toEqual(["1000"]);
  expect(await readAnnotationIds(workspace, { updatedBefore: Number(updatedAfter) + 1 })).toEqual(["2000", "3000"]);
});

test("annotations are filtered by the folder that has their document directly", async () => {
  const workspace = await filledWorkspace();
  const folders = [{ folderId: "sales" }, { folderId: "drafts", parentFolderId: "sales" }];
  await workspace.result("/v2/organizations/folders/add", { organizationId, folders });
  const move = (id: string, folderId: string) =>
    workspace.result("/v2/organizations/documents/move", { organizationId, documentIds: [id], folderId });
  await move("d1", "sales");
  expect(await readAnnotationIds(workspace, { folderId: "sales" })).toEqual(["a", "b"]);
  expect(await readAnnotationIds(workspace, { folderId: "root" })).toEqual(["c", "d"]);
  await move("d2", "drafts");
  for (const folderId of ["sales", "drafts", "root", "none"]) {
    const found = { sales: ["a", "b"], drafts: ["c", "d"] }[folderId] ?? [];
    expect(await readAnnotationIds(workspace, { folderId })).toEqual(found);
  }
  expect(await readAnnotationIds(workspace, { folderId: "sales", documentId: "d2" })).toEqual([]);
});

test("with groupByDocumentId each page is an object keyed by document, otherwise unchanged", async () => {
  const workspace = await filledWorkspace();
  const [records] = await readAnnotationPages(workspace);
  const request = { organizationId, groupByDocumentId: true, pageSize: 3 };
  const first = await workspace.result(PATH, request);
  expect(first.data).toEqual({ d2: records?.slice(0, 2), d1: records?.slice(2, 3) });
  expect(first.nextPageToken).toBe(first.pageToken);
  const second = await workspace.result(PATH, { ...request, pageToken: first.pageToken });
  expect(second).toMatchObject({ data: { d1: records?.slice(3) } });
  expect(second.pageToken).toBeUndefined();
});

test("participants and mentioned users follow from the current comments", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [by("ada", "grace")] }]);
  await addComments(workspace, [by("alan", "grace", "kurt")]);
  const found = async () => {
    const users = ["ada", "alan", "grace", "kurt"];
    const lists = users.flatMap((userId) => [
      readAnnotationIds(workspace, { userIds: [userId] }),
      readAnnotationIds(workspace, { mentionedUserIds: [userId] }),
    ]);
    return (await Promise.all(lists)).map((list) => list.length).join("");
  };
  expect(await found()).toBe("10100101");
  await changeComments(workspace, "update", { commentIds: [2], updatedData: { taggedUserContacts: [] } });
  expect(await found()).toBe("10100100");
  await changeComments(workspace, "delete", { commentIds: [1, 2] });
  expect(await found()).toBe("10000000");
});

test("pages return each annotation once, even if others are written or deleted meanwhile", async () => {
  const workspace = await service.workspace();
  const given = ids(40);
  const [first = "", , , fourth = ""] = given;
  for (let index = 0; index < 40; index += 10) await addAnnotations(workspace, given.slice(index, index + 10));
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId, documentId, order: "asc" as const, pageSize: 7, ...(pageToken && { pageToken }) };
    const page = await workspace.result(PATH, request);
    seen.push(...asList(page.data).map(({ annotationId }) => annotationId));
    pageToken = page.pageToken;
    if (seen.length === 7) {
      await changeAnnotations(workspace, "delete", { annotationIds: [first, given.at(-1) ?? ""] });
      await addAnnotations(workspace, [{ annotationId: "old", createdAt: 1 }]);
      await addComments(workspace, [{}], { annotationId: fourth });
    }
  } while (pageToken);
  expect(seen).toEqual(given.slice(0, 39));
});

test("a page ends with the annotation that passes 8 MiB with its comments, and the next page continues", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ids(3));
  await setRecordBytes(service.database, workspace, "comment_annotations", 4 * 1024 * 1024 - 1_000);
  expect((await readAnnotationPages(workspace)).map((page) => page.length)).toEqual([3]);
  for (const annotationId of ids(3))
    await addComments(workspace, [{ commentText: "x".repeat(1_000) }], { annotationId });
  expect((await readAnnotationPages(workspace)).map((page) => page.length)).toEqual([2, 1]);
});

test("a pageToken with another filter is INVALID_ARGUMENT", async () => {
  const workspace = await filledWorkspace();
  const { pageToken } = await workspace.result(PATH, { organizationId, pageSize: 1 });
  for (const other of [{ order: "asc" }, { userIds: ["ada"] }, { groupByDocumentId: true }]) {
    const error = await workspace.error(PATH, { organizationId, pageSize: 1, pageToken, ...other });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
  }
});

test("the annotations of another workspace are indistinguishable from missing ones", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), filledWorkspace()]);
  const request = { organizationId, annotationIds: ["a"] };
  expect(await mine.result(PATH, request)).toEqual(await mine.result(PATH, { ...request, annotationIds: ["none"] }));
  expect(await readAnnotationIds(theirs, { annotationIds: ["a"] })).toEqual(["a"]);
});

const COMMENT = { documentId, annotationId: "a" };
const REACTION = { ...COMMENT, commentId: 1, reaction: "+1", from: { userId: "ada" } };
test.each([
  [PATH, {}],
  ["/v2/commentannotations/add", { documentId, commentAnnotations: [{ commentData: [comment()] }] }],
  [
    "/v2/commentannotations/add",
    { documentId, commentAnnotations: [{ commentData: [comment()] }], createDocument: false },
  ],
  ["/v2/commentannotations/update", { documentId, updatedData: { priority: "P0" } }],
  ["/v2/commentannotations/delete", { documentId }],
  ["/v2/commentannotations/count/get", { documentIds: [documentId], userId: "ada" }],
  ["/v2/commentannotations/comments/add", { ...COMMENT, commentData: [comment()] }],
  ["/v2/commentannotations/comments/get", COMMENT],
  ["/v2/commentannotations/comments/update", { ...COMMENT, commentIds: [1], updatedData: { commentText: "" } }],
  ["/v2/commentannotations/comments/delete", COMMENT],
  ["/v2/reactions/add", REACTION],
  ["/v2/reactions/delete", REACTION],
])("%s in a disabled organization is PERMISSION_DENIED and changes nothing", async (path, request) => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a"]);
  const before = await readAnnotations(workspace);
  await setDisabled(workspace, true);
  const error = await workspace.error(path, { organizationId, ...request });
  expect(error).toMatchObject({ status: "PERMISSION_DENIED", details: { reason: "organization_disabled" } });
  await setDisabled(workspace, false);
  expect(await readAnnotations(workspace)).toEqual(before);
});
