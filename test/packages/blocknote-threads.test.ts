import { expect, test, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { threadsStore } from "../../packages/client/src/stores/threads.ts";
import { DEFAULT_SCHEMA } from "../../packages/editor/src/blocknote/body-schema.ts";
import { ColloquyThreadStore } from "../../packages/editor/src/blocknote/thread-store.ts";
import { registerCleanup } from "../cleanup.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();

/** What BlockNote writes for a comment. */
const paragraph = (...content: object[]) => ({ id: "a", type: "paragraph", props: {}, content, children: [] });
const text = (words: string, styles = {}) => ({ type: "text", text: words, styles });
const BODY = [paragraph(text("Why "), text("thirty", { bold: true }), text("?"))];

/** Opens the threads of a document as a user, with the store of threads behind those of BlockNote. */
async function open(
  workspace: TestWorkspace,
  userId: string,
  accessRole: "editor" | "commenter" | "viewer" = "editor",
) {
  await workspace.call("/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
  const resources = [{ type: "organization" as const, id: "acme", accessRole }];
  const token = await tokenFor(workspace, userId, { resources });
  const client = createClient({ url: service.address, getUserToken: async () => token });
  const threads = threadsStore({ client, organizationId: "acme", userId }, { documentId: "contract-7" });
  const store = new ColloquyThreadStore({ threads, userId });
  const listener = vi.fn();
  registerCleanup(store.subscribe(listener));
  await expect.poll(() => threads.getState()).toMatchObject({ error: undefined, isLive: true });
  return { store, listener, threads };
}

test("a thread is created with its first comment, whose body and data come back equal, and is reported", async () => {
  const { store, listener } = await open(await service.workspace(), "ada");
  listener.mockClear();
  const initialComment = { body: BODY, metadata: { source: "toolbar" } };
  const thread = await store.createThread({ initialComment, metadata: { color: "red" } });
  const comment = { type: "comment", userId: "ada", body: BODY, metadata: { source: "toolbar" }, reactions: [] };
  expect(thread).toMatchObject({ type: "thread", resolved: false, metadata: { color: "red" }, comments: [comment] });
  expect(listener).toHaveBeenCalled();
  expect([...store.getThreads().keys()]).toEqual([thread.id]);
  await store.createThread({ initialComment: { body: "Another" } });
  expect(store.getThreads().size).toBe(2);
});

test("comments are added, changed and deleted, and the thread with its last one", async () => {
  const { store } = await open(await service.workspace(), "ada");
  const { id: threadId, comments } = await store.createThread({ initialComment: { body: BODY } });
  const added = await store.addComment({ threadId, comment: { body: "Because.", metadata: { test: 1 } } });
  expect(added).toMatchObject({ type: "comment", userId: "ada", body: "Because.", metadata: { test: 1 } });
  await store.updateComment({ threadId, commentId: added.id, comment: { body: "Never mind." } });
  expect(store.getThread(threadId).comments[1]?.body).toBe("Never mind.");
  const changed = store.getThread(threadId).comments[1];
  expect(changed?.updatedAt).not.toBe(changed?.createdAt);
  await store.deleteComment({ threadId, commentId: added.id });
  expect(store.getThread(threadId).comments.map(({ id }) => id)).toEqual([comments[0]?.id]);
  await store.deleteComment({ threadId, commentId: comments[0]?.id ?? "" });
  expect(() => store.getThread(threadId)).toThrow("Thread not found");
  await expect(store.addComment({ threadId, comment: { body: "Lost" } })).rejects.toThrow("Thread not found");
});

test("a softly deleted comment stays without its content until it has a text again", async () => {
  const { store, threads } = await open(await service.workspace(), "ada");
  const { id: threadId, comments } = await store.createThread({ initialComment: { body: BODY } });
  const deleted = { threadId, commentId: comments[0]?.id ?? "" };
  await store.addComment({ threadId, comment: { body: "Because." } });
  await store.deleteComment({ ...deleted, softDelete: true });
  expect(store.getThread(threadId).deletedAt).toBeUndefined();
  expect(store.getThread(threadId).comments).toMatchObject([
    { deletedAt: expect.any(Date), body: undefined },
    { body: "Because." },
  ]);
  expect(threads.getState().data[0]?.comments[0]).toMatchObject({ commentText: "", commentHtml: "", attachments: [] });
  await store.updateComment({ ...deleted, comment: { body: "Again." } });
  expect(store.getThread(threadId).comments[0]).toMatchObject({ body: "Again." });
});

test("threads are resolved, reopened and deleted", async () => {
  const { store } = await open(await service.workspace(), "ada");
  const { id: threadId } = await store.createThread({ initialComment: { body: BODY } });
  await store.resolveThread({ threadId });
  const resolvedUpdatedAt = expect.any(Date);
  expect(store.getThread(threadId)).toMatchObject({ resolved: true, resolvedBy: "ada", resolvedUpdatedAt });
  await store.unresolveThread({ threadId });
  expect(store.getThread(threadId)).toMatchObject({ resolved: false, resolvedUpdatedAt });
  await store.deleteThread({ threadId });
  expect(() => store.getThread(threadId)).toThrow("Thread not found");
});

test("reactions are those of all users, and each user adds and deletes their own", async () => {
  const workspace = await service.workspace();
  const [ada, grace] = [await open(workspace, "ada"), await open(workspace, "grace")];
  const { id: threadId, comments } = await ada.store.createThread({ initialComment: { body: BODY } });
  const reaction = { threadId, commentId: comments[0]?.id ?? "", emoji: "👍" };
  const reactions = () => ada.store.getThread(threadId).comments[0]?.reactions;
  await expect.poll(() => grace.store.getThreads().size).toBe(1);
  for (const { store } of [ada, grace]) await store.addReaction(reaction);
  const both = [{ emoji: "👍", userIds: ["ada", "grace"], createdAt: expect.any(Date) }];
  await expect.poll(reactions).toEqual(both);
  const [comment] = ada.store.getThread(threadId).comments;
  if (!comment) throw new Error("The comment is missing.");
  expect([ada.store.auth.canAddReaction(comment, "👍"), ada.store.auth.canDeleteReaction(comment, "👍")]).toEqual([
    false,
    true,
  ]);
  for (const { store } of [ada, grace]) await store.deleteReaction(reaction);
  await expect.poll(reactions).toEqual([]);
});

test("other components show the text, styles and mentions of a comment, and BlockNote what they write", async () => {
  const workspace = await service.workspace();
  const { store, threads } = await open(workspace, "ada");
  const mention = { type: "mention", props: { userId: "grace", name: "Grace" } };
  const link = { type: "link", href: "https://example.com/?a=1&b=2", content: [text("see <this>")] };
  const body = [paragraph(mention, text(" why "), text("thirty", { bold: true, code: true })), paragraph(link)];
  const { id: threadId, comments } = await store.createThread({ initialComment: { body } });
  const [written] = threads.getState().data[0]?.comments ?? [];
  expect(written).toMatchObject({
    commentText: "@Grace why thirty\nsee <this>",
    commentHtml:
      "<p>@Grace why <code><strong>thirty</strong></code></p>" +
      '<p><a href="https://example.com/?a=1&amp;b=2">see &lt;this&gt;</a></p>',
    taggedUserContacts: [{ userId: "grace", text: "@Grace" }],
  });
  await threads.edit(threadId, Number(comments[0]?.id), "First line\nSecond line");
  const lines = ["First line", "Second line"].map((content) => ({ type: "paragraph", content }));
  expect(store.getThread(threadId).comments[0]?.body).toEqual(lines);
});

test("bodies that BlockNote cannot show are shown as texts", async () => {
  const workspace = await service.workspace();
  const { threads } = await open(workspace, "eve", "commenter");
  const words = text("text");
  const hostile = [
    ...[5, "text", [], [null], [[]], [{}], [{ type: "__proto__" }], [{ type: "table", content: [] }]],
    ...[[paragraph({ type: "mention", props: {} })], [paragraph(text("text", { textColor: "red" }))]],
    ...[[paragraph({ type: "text" })], [paragraph({ type: "link", href: 5 })], [{ ...paragraph(), props: { a: {} } }]],
    ...[[{ ...paragraph(words), children: {} }], [{ ...paragraph(words), children: [{ type: "video" }] }]],
  ];
  const shown = [
    paragraph(words),
    { type: "paragraph", content: "text", children: [paragraph(text("text", { bold: true }))] },
  ];
  for (const body of [...hostile, shown]) {
    await threads.add("text", { commentContext: { blockNote: { text: "text", body } } });
  }
  const store = new ColloquyThreadStore({ threads, userId: "eve", schema: DEFAULT_SCHEMA });
  const bodies = [...store.getThreads().values()].flatMap(({ comments }) => comments.map(({ body }) => body));
  const asText = [{ type: "paragraph", content: "text" }];
  expect(bodies).toEqual([shown, ...hostile.map(() => asText)]);
});

test("users are offered what the service permits them", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  const ada = await open(workspace, "ada");
  const { id, comments } = await ada.store.createThread({ initialComment: { body: BODY } });
  const offered = async (userId: string, role: "editor" | "commenter" | "viewer") => {
    const { store } = await open(workspace, userId, role);
    await expect.poll(() => store.getThreads().size).toBe(1);
    const { auth } = store;
    const [thread, comment] = [store.getThread(id), comments[0]];
    if (!comment) throw new Error("The comment is missing.");
    const changes = [auth.canUpdateComment(comment), auth.canDeleteComment(comment), auth.canDeleteThread(thread)];
    return [auth.canCreateThread(), auth.canAddComment(thread), auth.canResolveThread(thread), ...changes];
  };
  expect(await offered("ada", "commenter")).toEqual([true, true, true, true, true, true]);
  expect(await offered("grace", "editor")).toEqual([true, true, true, false, false, false]);
  expect(await offered("linus", "commenter")).toEqual([true, true, false, false, false, false]);
  expect(await offered("linus", "viewer")).toEqual([false, false, false, false, false, false]);
});
