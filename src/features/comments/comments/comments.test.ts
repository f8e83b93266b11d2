import { expect, test } from "vitest";
import {
  ADDED_FIELDS,
  addAnnotations,
  addComments,
  changeComments,
  changeReaction,
  comment,
  readAnnotations,
  readComments,
  readCommentsOrNull,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { setRecordBytes } from "../../../../test/record-bytes.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const ADD = "/v2/commentannotations/comments/add";
const MAX_BYTES = 8 * 1024 * 1024;
const GRACE = { from: { userId: "grace" } };
const service = await startTestService();

async function workspaceWithAnnotation() {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a"]);
  return workspace;
}

function getIds(comments: { commentId: number }[]): number[] {
  return comments.map(({ commentId }) => commentId);
}

test("comments are added in order, and the response has their ids", async () => {
  const workspace = await workspaceWithAnnotation();
  expect(await addComments(workspace, [{ commentText: "\0\ud800" }, { commentId: 40, ...GRACE }, {}])).toEqual([
    41, 40, 42,
  ]);
  const comments = await readComments(workspace);
  expect(getIds(comments)).toEqual([1, 41, 40, 42]);
  expect(comments[1]).toEqual({
    commentId: 41,
    ...ADDED_FIELDS,
    createdAt: expect.any(Number),
    lastUpdated: new Date(comments[1]?.createdAt ?? 0).toISOString(),
    from: { userId: "ada" },
    commentText: "\0\ud800",
  });
  const [annotation] = await readAnnotations(workspace);
  expect(annotation?.comments).toEqual(comments);
  expect(annotation?.lastUpdated).toBe(comments[1]?.createdAt);
});

test("the id of a deleted comment is not used again", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [{}, {}]);
  await changeComments(workspace, "delete", { commentIds: [3] });
  expect(await addComments(workspace, [{}])).toEqual([4]);
});

test("the id after the largest that a caller may choose can be named, too", async () => {
  const workspace = await workspaceWithAnnotation();
  expect(await addComments(workspace, [{ commentId: 1e15 }, {}])).toEqual([1e15, 1e15 + 1]);
  await changeReaction(workspace, "add", { commentId: 1e15 + 1 });
  const deleted = await changeComments(workspace, "delete", { commentIds: [1e15 + 1] });
  expect(deleted).toMatchObject({ [1e15 + 1]: { success: true } });
});

test("a comment id that exists is ALREADY_EXISTS and nothing of the call is stored", async () => {
  const workspace = await workspaceWithAnnotation();
  const commentData = [comment(), comment({ commentId: 1 })];
  const error = await workspace.error(ADD, { ...SCOPE, annotationId: "a", commentData });
  expect(error).toMatchObject({ httpStatus: 409, details: { reason: "already_exists" } });
  expect(getIds(await readComments(workspace))).toEqual([1]);
});

test.each([
  ["is missing", { annotationId: "missing" }],
  ["is in another document", { documentId: "other" }],
  ["is in another organization", { organizationId: "globex" }],
])("an annotation that %s is NOT_FOUND", async (_title, scope) => {
  const workspace = await workspaceWithAnnotation();
  const request = { ...SCOPE, annotationId: "a", ...scope };
  const error = await workspace.error(ADD, { ...request, commentData: [comment()] });
  expect(error).toMatchObject({ status: "NOT_FOUND", httpStatus: 404 });
  expect(await readComments(workspace, request)).toEqual([]);
  expect(await changeComments(workspace, "delete", { ...request, commentIds: [1] })).toMatchObject({
    1: { success: false },
  });
  expect(getIds(await readComments(workspace))).toEqual([1]);
});

test("fifty concurrent comments get fifty ids", async () => {
  const workspace = await workspaceWithAnnotation();
  const ids = await Promise.all(Array.from({ length: 50 }, () => addComments(workspace, [{}])));
  expect(ids.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  expect(await readComments(workspace)).toHaveLength(51);
});

test.each([
  ["ids", { commentIds: [3, 1, 99] }, [1, 3]],
  ["authors", { userIds: ["grace", "nobody"] }, [2, 3]],
  ["both", { userIds: ["grace"], commentIds: [1, 2] }, [2]],
])("comments are filtered by %s", async (_title, filters, expected) => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [GRACE, GRACE]);
  expect(getIds((await readCommentsOrNull(workspace, filters)).filter((found) => found !== null))).toEqual(expected);
});

test("an update replaces sent fields and keeps the others, and an unknown id fails alone", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [{ ...GRACE, commentHtml: "<i>kept</i>" }]);
  await changeReaction(workspace, "add", { commentId: 2 });
  const before = await readComments(workspace);
  const updatedData = { commentText: "sixty", attachments: [{ url: "x", ["__proto__"]: 1 }] };
  expect(await changeComments(workspace, "update", { commentIds: [2, 9], updatedData })).toEqual({
    2: { success: true, id: 2, message: "Comment updated." },
    9: { success: false, id: 9, message: "Comment not found." },
  });
  const after = await readComments(workspace);
  expect(after[0]).toEqual(before[0]);
  expect(after[1]).toEqual({ ...before[1], ...updatedData, status: "updated", lastUpdated: expect.any(String) });
});

test("a deletion lists each requested id, or each comment of the annotation", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [{}, {}]);
  const deleted = (id: number) => ({ success: true, id, message: "Comment deleted." });
  const asked = await changeComments(workspace, "delete", { commentIds: [2, 9] });
  expect(asked).toEqual({ 2: deleted(2), 9: { success: false, id: 9, message: "Comment not found." } });
  expect(await changeComments(workspace, "delete", {})).toEqual({ 1: deleted(1), 3: deleted(3) });
  const [annotation] = await readAnnotations(workspace);
  expect(annotation).toMatchObject({ annotationId: "a", comments: [] });
});

test("a comment with which an annotation would exceed 8 MiB is FAILED_PRECONDITION and not stored", async () => {
  const workspace = await workspaceWithAnnotation();
  const large = { commentText: "x".repeat(5_000) };
  await addComments(workspace, [large]);
  await setRecordBytes(service.database, workspace, "comment_annotations", MAX_BYTES - 1_000);
  const request = { ...SCOPE, annotationId: "a", commentData: [comment(large)] };
  expect(await workspace.error(ADD, request)).toMatchObject({ details: { reason: "limit_reached" } });
  await changeComments(workspace, "delete", { commentIds: [2] });
  expect(await addComments(workspace, [large])).toEqual([3]);
});

test("an update with which an annotation would exceed 8 MiB is FAILED_PRECONDITION and not stored", async () => {
  const workspace = await workspaceWithAnnotation();
  await setRecordBytes(service.database, workspace, "comment_annotations", MAX_BYTES - 1_000);
  const request = { ...SCOPE, updatedData: { context: { text: "x".repeat(5000) } } };
  const error = await workspace.error("/v2/commentannotations/update", request);
  expect(error).toMatchObject({ details: { reason: "limit_reached" } });
  expect((await readAnnotations(workspace))[0]).not.toHaveProperty("context");
});

test("each of several concurrent calls is rejected for its own reason, and the others are stored", async () => {
  const [workspace, disabled] = [await workspaceWithAnnotation(), await workspaceWithAnnotation()];
  const setDisabled = { organizationIds: [SCOPE.organizationId], disabled: true };
  await addAnnotations(workspace, ["large"]);
  await setRecordBytes(service.database, workspace, "comment_annotations", MAX_BYTES - 5_000);
  await addAnnotations(workspace, ["b"], { organizationId: "other" });
  const large = comment({ commentText: "x".repeat(5_000) });
  await disabled.data("/v2/organizations/access/disablestate/update", setDisabled);
  const add = (caller: TestWorkspace, request: object) =>
    caller.call(ADD, { ...SCOPE, annotationId: "a", commentData: [comment()], ...request });
  const responses = await Promise.all([
    add(workspace, {}),
    add(workspace, { commentData: [comment(), comment({ commentId: 1 })] }),
    add(workspace, { annotationId: "missing" }),
    add(workspace, { annotationId: "b" }),
    add(workspace, { documentId: "another" }),
    add(workspace, { organizationId: "other", annotationId: "b" }),
    add(workspace, { annotationId: "large", commentData: [comment(), large] }),
    add(disabled, {}),
    add(disabled, { annotationId: "missing" }),
    add(workspace, {}),
  ]);
  expect(responses.map(({ httpStatus }) => httpStatus)).toEqual([200, 409, 404, 404, 404, 200, 400, 403, 403, 200]);
  expect(getIds(await readComments(workspace))).toEqual([1, 2, 3]);
  expect(getIds(await readComments(workspace, { organizationId: "other", annotationId: "b" }))).toEqual([1, 2]);
  expect(getIds(await readComments(workspace, { annotationId: "large" }))).toEqual([1]);
});

test("the stored size of an annotation covers what is returned of it, after every kind of change", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [{ commentText: "größe" }, GRACE, {}]);
  await changeReaction(workspace, "add", { commentId: 2, reaction: "🎉" });
  await changeReaction(workspace, "add", { commentId: 3, from: { userId: "ü" } });
  await changeReaction(workspace, "delete", { commentId: 2, reaction: "🎉" });
  await changeComments(workspace, "update", { commentIds: [3], updatedData: { commentText: "länger als zuvor" } });
  await changeComments(workspace, "delete", { commentIds: [4] });
  const update = { ...SCOPE, updatedData: { priority: "größer" } };
  await workspace.data("/v2/commentannotations/update", update);
  const rows = await runSql<{ kept: number; real: number }>(
    service.database,
    `select record_bytes as kept, octet_length(record::text) + (
       select sum(octet_length(comment.record::text) + 350) from comments comment
       where comment.organization_key = $1 and annotation_sequence = annotation.sequence
     ) + (
       select sum(octet_length(reaction.record::text) + 400) from comment_reactions reaction
       where reaction.organization_key = $1 and annotation_sequence = annotation.sequence
     ) as real from comment_annotations annotation where organization_key = $1`,
    [organizationKey(workspace.id, "acme")],
  );
  expect(rows).toEqual([{ kept: rows[0]?.real, real: expect.any(Number) }]);
  const [annotation] = await readAnnotations(workspace);
  expect(Buffer.byteLength(JSON.stringify(annotation))).toBeLessThan(Number(rows[0]?.real) + 400);
});
