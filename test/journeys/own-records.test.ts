import { describe, expect, test } from "vitest";
import type { AccessRole } from "../../src/contract/end-user.ts";
import { addAnnotations, addComments, changeReaction, comment, readAnnotations, readComments } from "../comments.ts";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { callWith, getEditor, tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const ANNOTATIONS = "/v2/commentannotations";
const COMMENT = { ...SCOPE, annotationId: "a", commentIds: [1, 2] };
const GRACE = { userId: "grace" };
const OWN = { userId: "grace", name: "The user grace", email: "grace@example.com" };

/** Creates a workspace with the annotation `a` of ada, in which grace has written comment 2, and `b` of grace. */
async function thread(): Promise<{ workspace: TestWorkspace; token: string }> {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a", { annotationId: "b", commentData: [comment({ from: GRACE })] }]);
  await addComments(workspace, [{ commentId: 2, from: GRACE }]);
  const resources = [{ ...getEditor(SCOPE.organizationId), accessRole: "commenter" as const }];
  return { workspace, token: await tokenFor(workspace, "grace", { resources }) };
}

/** Calls with the token. Returns the data of the response, or its error. */
async function callAs(token: string, path: string, request: object): Promise<unknown> {
  const { body } = await callWith(token, `${service.address}${path}`, { ...SCOPE, ...request });
  return Object(body).result?.data ?? Object(body).error;
}

const found = (id: number | string) => expect.objectContaining({ success: true, id });
const denied = (id: number | string, requiredRole: AccessRole = "moderator") =>
  expect.objectContaining({ success: false, id, reason: "access_denied", requiredRole });

describe("a commenter", () => {
  test("adds annotations, comments and reactions in their own name", async () => {
    const { workspace, token } = await thread();
    const commentData = [{ commentText: "Mine" }, { commentText: "Too", from: GRACE }];
    await callAs(token, `${ANNOTATIONS}/add`, { commentAnnotations: [{ annotationId: "c", commentData }] });
    await callAs(token, `${ANNOTATIONS}/comments/add`, { annotationId: "c", comments: [{ commentText: "Three" }] });
    await callAs(token, "/v2/reactions/add", { annotationId: "c", commentId: 1, reaction: "👍" });
    const [added] = await readAnnotations(workspace, { annotationIds: ["c"] });
    expect(added?.from).toEqual(OWN);
    expect(added?.comments.map(({ from }) => from)).toEqual([OWN, OWN, OWN]);
    expect(added?.comments[0]?.reactions).toEqual([{ reaction: "👍", userIds: ["grace"] }]);
  });

  test("writes with the photo of the token, and with no other", async () => {
    const { workspace } = await thread();
    const photoUrl = "https://example.com/grace.png";
    const { token } = await workspace.data("/v2/auth/generate_token", {
      ...{ userId: "grace", userProperties: { name: "Grace", photoUrl } },
      permissions: { resources: [{ ...getEditor(SCOPE.organizationId), accessRole: "commenter" }] },
    });
    const add = (from?: object) =>
      callAs(token, `${ANNOTATIONS}/comments/add`, { annotationId: "a", comments: [{ commentText: "Hi", from }] });
    await add();
    expect((await readComments(workspace)).at(-1)?.from).toEqual({ userId: "grace", name: "Grace", photoUrl });
    const other = { photoUrl: "https://example.com/ada.png" };
    expect(await add(other)).toMatchObject({ details: { reason: "identity_mismatch" } });
  });

  test("changes their own comments and none of others", async () => {
    const { workspace, token } = await thread();
    const updated = await callAs(token, `${ANNOTATIONS}/comments/update`, {
      ...COMMENT,
      updatedData: { commentText: "changed" },
    });
    expect(updated).toEqual({ "1": denied(1), "2": found(2) });
    expect((await readComments(workspace)).map(({ commentText }) => commentText)).toEqual(["thirty days", "changed"]);
    expect(await callAs(token, `${ANNOTATIONS}/comments/delete`, COMMENT)).toEqual({ "1": denied(1), "2": found(2) });
    expect((await readComments(workspace)).map(({ commentId }) => commentId)).toEqual([1]);
  });

  test("deletes no reactions with a comment of somebody else", async () => {
    const { workspace, token } = await thread();
    await changeReaction(workspace, "add");
    await callAs(token, `${ANNOTATIONS}/comments/delete`, COMMENT);
    expect((await readComments(workspace))[0]?.reactions).toEqual([{ reaction: "👍", userIds: ["ada"] }]);
  });

  test("removes their own reaction and none of others", async () => {
    const { workspace, token } = await thread();
    await changeReaction(workspace, "add");
    const reaction = { annotationId: "a", commentId: 1, reaction: "👍" };
    expect(await callAs(token, "/v2/reactions/delete", reaction)).toMatchObject({ success: false });
    expect((await readComments(workspace))[0]?.reactions).toEqual([{ reaction: "👍", userIds: ["ada"] }]);
  });

  test("changes their own annotations and none of others", async () => {
    const { workspace, token } = await thread();
    const scope = { annotationIds: ["a", "b"] };
    expect(await callAs(token, `${ANNOTATIONS}/update`, { ...scope, updatedData: { priority: "high" } })).toEqual({
      a: denied("a", "editor"),
      b: found("b"),
    });
    const priorities = (await readAnnotations(workspace)).map(({ annotationId, priority }) => [annotationId, priority]);
    expect(Object.fromEntries(priorities)).toEqual({ a: undefined, b: "high" });
    expect(await callAs(token, `${ANNOTATIONS}/delete`, scope)).toEqual({ a: denied("a"), b: found("b") });
    expect((await readAnnotations(workspace)).map(({ annotationId }) => annotationId)).toEqual(["a"]);
  });

  test("loses the right to change a comment that the backend gives to somebody else meanwhile", async () => {
    const { workspace, token } = await thread();
    await workspace.data(`${ANNOTATIONS}/comments/update`, { ...COMMENT, updatedData: { from: { userId: "ada" } } });
    const changed = { ...COMMENT, updatedData: { commentText: "changed" } };
    expect(await callAs(token, `${ANNOTATIONS}/comments/update`, changed)).toEqual({
      "1": denied(1),
      "2": denied(2),
    });
    expect(await callAs(token, `${ANNOTATIONS}/comments/delete`, COMMENT)).toEqual({
      "1": denied(1),
      "2": denied(2),
    });
  });

  test.each([
    ["dates a comment", "comments/add", { annotationId: "a", commentData: [{ createdAt: 1 }] }],
    ["acts for an agent", "comments/add", { annotationId: "a", commentData: [{ agent: {} }] }],
    [
      "names the address of a tagged user",
      "comments/add",
      {
        annotationId: "a",
        commentData: [{ taggedUserContacts: [{ userId: "ada", contact: { email: "x@x.example" } }] }],
      },
    ],
    ["gives a comment to somebody else", "comments/update", { ...COMMENT, updatedData: { from: { userId: "ada" } } }],
    ["replaces users", "update", { updateUsers: [{ oldUser: { userId: "ada" }, newUser: GRACE }] }],
    ["marks as read for others", "update", { annotationIds: ["a"], updatedData: { readByUserIds: ["ada"] } }],
    [
      "names the address of an assignee",
      "update",
      { annotationIds: ["b"], updatedData: { assignedTo: { userId: "ada", email: "x@x.example" } } },
    ],
  ])("never %s", async (_, path, request) => {
    const { workspace, token } = await thread();
    const before = await readAnnotations(workspace);
    expect(await callAs(token, `${ANNOTATIONS}/${path}`, request)).toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(await readAnnotations(workspace)).toEqual(before);
  });
});
