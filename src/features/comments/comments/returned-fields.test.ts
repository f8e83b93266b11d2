import { expect, test } from "vitest";
import {
  addAnnotations,
  addComments,
  changeComments,
  changeReaction,
  comment,
  readAnnotationIds,
  readAnnotations,
  readComments,
  readCommentsOrNull,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { ORGANIZATIONS, readRecords } from "../../../../test/organizations.ts";

const ADD = "/v2/commentannotations/comments/add";
const GRACE = { userId: "grace", name: "Grace Hopper", photoUrl: "grace.png" };
const service = await startTestService();

async function workspaceWithAnnotation() {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a"]);
  return workspace;
}

test("createdAt and lastUpdated of a comment are kept, and comments are ordered by createdAt", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [
    { commentId: 8, createdAt: 2_000, lastUpdated: 3_000 },
    { commentId: 9, createdAt: 1_000 },
  ]);
  const comments = await readComments(workspace);
  expect(comments).toMatchObject([
    { commentId: 9, createdAt: 1_000, lastUpdated: "1970-01-01T00:00:01.000Z", status: "added" },
    { commentId: 8, createdAt: 2_000, lastUpdated: "1970-01-01T00:00:03.000Z", status: "added" },
    { commentId: 1 },
  ]);
  const [annotation] = await readAnnotations(workspace);
  expect(annotation?.comments).toEqual(comments);
});

test.each([
  ["an updated text", { commentText: "" }, { status: "updated", isCommentTextAvailable: false }],
  ["attachments", { attachments: [{ url: "x" }] }, { attachments: [{ url: "x" }] }],
  ["isCommentTextAvailable", { isCommentTextAvailable: false }, { commentText: "thirty days" }],
  ["isCommentResolverUsed", { isCommentResolverUsed: true }, { isCommentResolverUsed: true }],
  ["context", { context: { text: "\0" } }, { context: { text: "\0" } }],
  ["createdAt", { createdAt: 5_000 }, { createdAt: 5_000 }],
  ["lastUpdated", { lastUpdated: 6_000 }, { lastUpdated: "1970-01-01T00:00:06.000Z" }],
  ["from", { from: GRACE }, { from: GRACE }],
])("%s: comments/update replaces it, and the comment is updated", async (_title, updatedData, expected) => {
  const workspace = await workspaceWithAnnotation();
  await changeComments(workspace, "update", { commentIds: [1], updatedData });
  const { lastUpdated: _, createdAt: _created, ...fields } = updatedData as Record<string, unknown>;
  expect(await readComments(workspace)).toMatchObject([{ ...fields, ...expected, status: "updated" }]);
});

test("a comment with another author belongs to its new participant", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [{ from: { userId: "alan" } }]);
  await changeComments(workspace, "update", { commentIds: [2], updatedData: { from: GRACE } });
  expect(await readAnnotationIds(workspace, { userIds: ["grace"] })).toEqual(["a"]);
  expect(await readAnnotationIds(workspace, { userIds: ["alan"] })).toEqual([]);
  expect(await readComments(workspace, { userIds: ["grace"] })).toMatchObject([{ commentId: 2, from: GRACE }]);
});

test("a comment without a text has none available, unless it says otherwise", async () => {
  const workspace = await workspaceWithAnnotation();
  const texts = [{ commentText: "" }, { commentText: "", isCommentTextAvailable: true }];
  await addComments(workspace, texts);
  const comments = await readComments(workspace);
  expect(comments.map(({ isCommentTextAvailable }) => isCommentTextAvailable)).toEqual([true, false, true]);
});

test("with commentIds null stands for each id that does not exist, after those found", async () => {
  const workspace = await workspaceWithAnnotation();
  await addComments(workspace, [{ from: GRACE }]);
  const getIds = async (request: object) =>
    (await readCommentsOrNull(workspace, request)).map((found) => found?.commentId ?? null);
  expect(await getIds({ commentIds: [9, 2, 1, 9, 8] })).toEqual([1, 2, null, null]);
  expect(await getIds({ commentIds: [1, 2, 9], userIds: ["grace"] })).toEqual([2, null]);
  expect(await getIds({ commentIds: [1], annotationId: "missing" })).toEqual([null]);
});

test("a reaction is returned as reactionAnnotations with all that its users have sent", async () => {
  const workspace = await workspaceWithAnnotation();
  await changeReaction(workspace, "add", { from: GRACE });
  await changeReaction(workspace, "add", { reaction: '"🎉\\' });
  await changeReaction(workspace, "add");
  const [found] = await readComments(workspace);
  const time = expect.any(Number);
  const [thumb, party] = found?.reactionAnnotationIds ?? [];
  const common = { type: "reaction", commentAnnotationId: "a", lastUpdated: time };
  const from = (user: object) => ({ lastUpdated: time, from: user });
  expect(found?.reactionAnnotations).toEqual([
    { ...common, annotationId: thumb, icon: "👍", fromUsers: [from(GRACE), from({ userId: "ada" })] },
    { ...common, annotationId: party, icon: '"🎉\\', fromUsers: [from({ userId: "ada" })] },
  ]);
  expect(found?.reactions).toEqual([
    { reaction: "👍", userIds: ["grace", "ada"] },
    { reaction: '"🎉\\', userIds: ["ada"] },
  ]);
  await changeReaction(workspace, "delete", { from: GRACE });
  const [after] = await readComments(workspace);
  expect(after?.reactionAnnotationIds).toEqual([party, thumb]);
});

test.each([
  [{ createOrganization: false }, { organizationId: "none" }, "Organization not found."],
  [{ createDocument: false }, { documentId: "none" }, "Document not found."],
  [
    { createOrganization: false, createDocument: false },
    {},
    "The document has no annotation with the ID in data.annotationId.",
  ],
  [{}, { organizationId: "none" }, "The document has no annotation with the ID in data.annotationId."],
])("with %j a missing place is NOT_FOUND and nothing is created", async (create, place, message) => {
  const workspace = await workspaceWithAnnotation();
  const request = { ...SCOPE, annotationId: "missing", commentData: [comment()], ...create, ...place };
  expect(await workspace.error(ADD, request)).toMatchObject({ status: "NOT_FOUND", message });
  expect(await readRecords(workspace, ORGANIZATIONS)).toHaveLength(1);
});
