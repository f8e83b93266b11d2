import { expect, test } from "vitest";
import { addAnnotations, changeReaction, readAnnotations, readComments } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";

const ADDED = { success: true, message: "Reaction added." };
const DELETED = { success: true, message: "Reaction deleted." };
const NOT_FOUND = { success: false, message: "Reaction not found." };
const GRACE = { from: { userId: "grace" } };
const service = await startTestService();

async function workspaceWithComment() {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a"]);
  return workspace;
}

async function getReactions(workspace: Awaited<ReturnType<typeof workspaceWithComment>>) {
  const [comment] = await readComments(workspace);
  return comment?.reactions;
}

test("a reaction lists its users in the order in which they reacted, and repeating it changes nothing", async () => {
  const workspace = await workspaceWithComment();
  for (const request of [GRACE, {}, GRACE, { reaction: "__proto__" }]) {
    expect(await changeReaction(workspace, "add", request)).toEqual(ADDED);
  }
  expect(await getReactions(workspace)).toEqual([
    { reaction: "👍", userIds: ["grace", "ada"] },
    { reaction: "__proto__", userIds: ["ada"] },
  ]);
});

test("deleting removes the user from the reaction, and the last user's deletion removes the reaction", async () => {
  const workspace = await workspaceWithComment();
  await changeReaction(workspace, "add");
  await changeReaction(workspace, "add", GRACE);
  await changeReaction(workspace, "add", { reaction: "🎉" });
  expect(await changeReaction(workspace, "delete", GRACE)).toEqual(DELETED);
  expect(await changeReaction(workspace, "delete", GRACE)).toEqual(NOT_FOUND);
  expect(await changeReaction(workspace, "delete", { reaction: "🎉" })).toEqual(DELETED);
  expect(await getReactions(workspace)).toEqual([{ reaction: "👍", userIds: ["ada"] }]);
});

test.each([
  ["an emoji with and without the character for its picture", "\u2764", "\u2764\ufe0f"],
  ["the composed and the decomposed form of a text", "ol\u00e9", "ole\u0301"],
])("%s are one reaction, kept as it was first added", async (_title, first, other) => {
  const workspace = await workspaceWithComment();
  await changeReaction(workspace, "add", { reaction: first });
  await changeReaction(workspace, "add", { reaction: other });
  await changeReaction(workspace, "add", { reaction: other, ...GRACE });
  expect(await getReactions(workspace)).toEqual([{ reaction: first, userIds: ["ada", "grace"] }]);
  expect(await changeReaction(workspace, "delete", { reaction: other })).toEqual(DELETED);
  expect(await getReactions(workspace)).toEqual([{ reaction: first, userIds: ["grace"] }]);
});

test("a reaction changes lastUpdated of the annotation, but not of the comment", async () => {
  const workspace = await workspaceWithComment();
  const [before] = await readAnnotations(workspace);
  await changeReaction(workspace, "add");
  const [after] = await readAnnotations(workspace);
  expect(after?.lastUpdated).toBeGreaterThanOrEqual(Number(before?.lastUpdated));
  expect(after?.comments[0]?.lastUpdated).toBe(before?.comments[0]?.lastUpdated);
});

test.each([
  ["annotation", { annotationId: "missing" }],
  ["document's annotation", { documentId: "other" }],
  ["comment", { commentId: 9 }],
])("a missing %s is NOT_FOUND", async (_title, request) => {
  const workspace = await workspaceWithComment();
  const data = { ...SCOPE, annotationId: "a", commentId: 1, reaction: "👍", from: { userId: "ada" }, ...request };
  for (const path of ["/v2/reactions/add", "/v2/reactions/delete"]) {
    expect(await workspace.error(path, data)).toMatchObject({ status: "NOT_FOUND", httpStatus: 404 });
  }
  expect(await getReactions(workspace)).toEqual([]);
});

test("the concurrent reactions of forty users are each stored once", async () => {
  const workspace = await workspaceWithComment();
  const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
  await Promise.all([...users, ...users].map((userId) => changeReaction(workspace, "add", { from: { userId } })));
  const [reaction] = Object(await getReactions(workspace));
  expect(reaction.userIds.toSorted()).toEqual(users.toSorted());
});
