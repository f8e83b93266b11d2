import { expect, onTestFinished, test } from "vitest";
import {
  type ThreadsFilter,
  type ThreadsStore,
  threadsStore,
  unreadThreadsStore,
} from "../../packages/client/src/stores/index.ts";
import { addAnnotations, addComments, changeComments, comment, readAnnotations } from "../comments.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { grant } from "../permissions.ts";
import { openPage, STREAM } from "./store-page.ts";

const service = await startTestService();
const { documentId } = SCOPE;
const ANNOTATIONS = "/v2/commentannotations";
const REPLY = `${ANNOTATIONS}/comments/add`;
const ADA = { from: { userId: "ada", name: "The user ada" } };

/** Opens a thread of grace in a page of ada, and records what the page shows. */
async function openThread(filter: Partial<ThreadsFilter> = {}) {
  const workspace = await service.publicWorkspace();
  const commentData = [comment({ ...ADA, commentId: 1, commentText: "first" })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  const page = await openPage(service.address, workspace);
  const threads = threadsStore(page.session, { documentId, ...filter });
  const states: string[][] = [];
  onTestFinished(threads.subscribe(({ data }) => states.push(data.flatMap(toTexts))));
  await eventually(() => expect(threads.getState()).toMatchObject({ data: [{}], isLive: true }));
  return { workspace, threads, states, ...page };
}

type Thread = ReturnType<ThreadsStore["getState"]>["data"][number];

/** Returns the texts of comments, with an asterisk for those that are pending. */
function toTexts({ comments }: Thread): string[] {
  return comments.map(({ commentText, isPending }) => `${commentText}${isPending ? "*" : ""}`);
}

function getComments(threads: ThreadsStore) {
  return threads.getState().data[0]?.comments ?? [];
}

/** Returns states in which a text is shown twice. */
function findDoubled(states: string[][]): string[][] {
  return states.filter((texts) => new Set(texts.map((text) => text.replace("*", ""))).size < texts.length);
}

test("a reply appears at once, and once, if its event comes before its response", async () => {
  const { threads, states, hold } = await openThread();
  const response = hold(REPLY);
  const replied = threads.reply("a", "second");
  expect(states.at(-1)).toEqual(["first", "second*"]);
  expect(getComments(threads)[1]).toMatchObject(ADA);
  await eventually(() => expect(states.at(-1)).toEqual(["first", "second"]));
  expect(getComments(threads)[1]?.commentId).toBe(2);
  response.open();
  await replied;
  expect(states.at(-1)).toEqual(["first", "second"]);
  expect(findDoubled(states)).toEqual([]);
});

test("a reply stays, with its ID, if its response comes before its event", async () => {
  const { threads, states, hold } = await openThread();
  const stream = hold(STREAM);
  await threads.reply("a", "second");
  expect(states.at(-1)).toEqual(["first", "second"]);
  const [, shown] = getComments(threads);
  expect(shown?.commentId).toBe(2);
  stream.open();
  await eventually(() => expect(getComments(threads)[1]).not.toEqual(shown));
  expect(states.at(-1)).toEqual(["first", "second"]);
  expect(findDoubled(states)).toEqual([]);
});

test("an edit stays while the event of the reply that it changes is late", async () => {
  const { workspace, threads, states, hold, replace } = await openThread();
  const stream = hold(STREAM);
  await threads.reply("a", "second");
  const data = { 2: { success: true, id: 2, message: "Updated." } };
  replace(`${ANNOTATIONS}/comments/update`, () => Response.json({ result: { status: "success", message: "", data } }));
  await threads.edit("a", 2, "edited");
  const [, shown] = getComments(threads);
  const { length } = states;
  stream.open();
  await eventually(() => expect(getComments(threads)[1]?.createdAt).not.toBe(shown?.createdAt));
  await changeComments(workspace, "update", { commentIds: [2], updatedData: { commentText: "edited again" } });
  await eventually(() => expect(states.at(-1)).toEqual(["first", "edited again"]));
  expect(states.slice(length).filter((texts) => texts.includes("second"))).toEqual([]);
});

test("a reply that the service rejects is taken back, and its error is thrown", async () => {
  const { threads, states, replace } = await openThread();
  const error = { status: "PERMISSION_DENIED", message: "No.", details: { reason: "access_denied" } };
  replace(REPLY, () => Response.json({ error }, { status: 403 }));
  const replied = threads.reply("a", "second");
  expect(states.at(-1)).toEqual(["first", "second*"]);
  await expect(replied).rejects.toThrow("No.");
  expect(states.at(-1)).toEqual(["first"]);
});

test("a reply stays pending while the service limits the rate, and is then sent", async () => {
  const { threads, states, replace } = await openThread();
  const error = { status: "RESOURCE_EXHAUSTED", message: "Wait.", details: { reason: "rate_limited" } };
  const limited = Promise.withResolvers<void>();
  replace(REPLY, async () => {
    await limited.promise;
    return Response.json({ error }, { status: 429, headers: { "retry-after": "0" } });
  });
  const replied = threads.reply("a", "second");
  limited.resolve();
  await replied;
  expect(states.slice(0, -1).flat()).toContain("second*");
  await eventually(() => expect(states.at(-1)).toEqual(["first", "second"]));
  expect(findDoubled(states)).toEqual([]);
});

test("a reply to a thread that is read again after the stream was reset is not shown twice, nor for ever", async () => {
  const { workspace, threads, states, hold, replace } = await openThread();
  const stream = hold(STREAM);
  await threads.reply("a", "second");
  await workspace.data("/v2/commentannotations/comments/delete", { ...SCOPE, annotationId: "a", commentIds: [2] });
  const headers = { "content-type": "text/event-stream" };
  replace(STREAM, () => new Response("id: x\nevent: reset\ndata: {}\n\n", { headers }));
  stream.open();
  await eventually(() => expect(states.at(-1)).toEqual(["first"]));
});

test("a new thread appears at once at the top, with the ID that it keeps", async () => {
  const { threads, hold } = await openThread();
  const stream = hold(STREAM);
  const added = threads.add("new", { location: { id: "page-2" } });
  const [pending] = threads.getState().data;
  expect(pending).toMatchObject({ ...ADA, isPending: true, location: { id: "page-2" }, annotationIndex: 1 });
  const annotationId = await added;
  expect(threads.getState().data).toMatchObject([{ annotationId, isPending: false }, { annotationId: "a" }]);
  stream.open();
  await eventually(() => expect(threads.getState().data[0]).toMatchObject({ annotationId, annotationNumber: 2 }));
  expect(threads.getState().data).toHaveLength(2);
  expect(threads.getState().data[0]).not.toHaveProperty("isPending");
});

test("a comment that is still pending can be changed, which waits until it is stored", async () => {
  const { workspace, threads, states } = await openThread();
  const added = threads.add("new");
  const [thread] = threads.getState().data;
  const { annotationId = "", comments } = thread ?? {};
  const replied = threads.reply(annotationId, "Yes");
  const reply = threads.getState().data[0]?.comments[1];
  expect(reply?.commentId).toBeLessThan(0);
  await Promise.all([
    threads.edit(annotationId, comments?.[0]?.commentId ?? 0, "newer"),
    threads.react(annotationId, reply?.commentId ?? 0, "👍"),
    threads.resolve(annotationId),
    ...[added, replied],
  ]);
  expect(threads.getState().data[0]).toMatchObject({ isPending: false, status: { id: "RESOLVED" } });
  const stored = (await readAnnotations(workspace)).find((each) => each.annotationId === annotationId);
  expect(stored?.comments.map(({ commentText }) => commentText)).toEqual(["newer", "Yes"]);
  expect(stored).toMatchObject({ comments: [{}, { reactions: [{ reaction: "👍" }] }], status: { id: "RESOLVED" } });
  await eventually(() =>
    expect(threads.getState().data[0]?.comments).not.toContainEqual(
      expect.objectContaining({ isPending: expect.anything() }),
    ),
  );
  expect(threads.getState().data[0]?.comments).toMatchObject([{ commentId: 1 }, { commentId: 2 }]);
  expect(findDoubled(states)).toEqual([]);
});

test("a thread whose response was lost is added once, also if it is added again", async () => {
  const { workspace, threads, replace } = await openThread();
  replace(`${ANNOTATIONS}/add`, () => {
    throw new RangeError("lost");
  });
  await expect(threads.add("new")).rejects.toThrow("lost");
  expect(threads.getState().data).toHaveLength(1);
  const [first, second] = await Promise.all([threads.add("new"), threads.add("new")]);
  expect(first).toBe(second);
  expect(await readAnnotations(workspace)).toHaveLength(2);
});

test("an edit, a deletion and a resolved thread appear at once, and are taken back if they fail", async () => {
  const { threads, states, replace } = await openThread({ statusIds: ["OPEN"] });
  const fail = (path: string) =>
    replace(`${ANNOTATIONS}/${path}`, () => {
      throw new RangeError("failed");
    });
  fail("comments/update");
  const edited = threads.edit("a", 1, "edited");
  expect(states.at(-1)).toEqual(["edited*"]);
  await expect(edited).rejects.toThrow("failed");
  expect(states.at(-1)).toEqual(["first"]);
  fail("comments/delete");
  const deleted = threads.remove("a", 1);
  expect(states.at(-1)).toEqual([]);
  await expect(deleted).rejects.toThrow("failed");
  expect(states.at(-1)).toEqual(["first"]);
  fail("update");
  const resolved = threads.resolve("a");
  expect(threads.getState().data).toEqual([]);
  await expect(resolved).rejects.toThrow("failed");
  expect(states.at(-1)).toEqual(["first"]);

  await threads.edit("a", 1, "edited");
  expect(states.at(-1)).toEqual(["edited"]);
  await threads.resolve("a");
  expect(threads.getState().data).toEqual([]);
});

test("reactions that are turned on and off quickly end as the user has left them, in their order", async () => {
  const { workspace, threads } = await openThread();
  const react = (userId: string, reaction: string, verb: "add" | "delete" = "add") =>
    workspace.data(`/v2/reactions/${verb}`, { ...SCOPE, annotationId: "a", commentId: 1, reaction, from: { userId } });
  const getReactions = () => getComments(threads)[0]?.reactions;
  for (const [userId, reaction] of [
    ["ada", "👍"],
    ["grace", "🎉"],
    ["linus", "👍"],
  ] as const)
    await react(userId, reaction);
  const before = [
    { reaction: "👍", userIds: ["ada", "linus"] },
    { reaction: "🎉", userIds: ["grace"] },
  ];
  await eventually(() => expect(getReactions()).toEqual(before));

  const done = [threads.unreact("a", 1, "👍"), threads.react("a", 1, "🎉")];
  const expected = [
    { reaction: "👍", userIds: ["linus"] },
    { reaction: "🎉", userIds: ["grace", "ada"] },
  ];
  expect(getReactions()).toEqual(expected);
  done.push(threads.unreact("a", 1, "🎉"), threads.react("a", 1, "🎉"));
  expect(getReactions()).toEqual(expected);
  await Promise.all(done);
  await eventually(async () => {
    const [stored] = await readAnnotations(workspace);
    // The service lists the reaction first that was first added of those that are left.
    expect(stored?.comments[0]?.reactions.map(({ reaction }) => reaction)).toEqual(["🎉", "👍"]);
    expect(getReactions()).toEqual(expected);
  });
  await react("linus", "👍", "delete");
  await eventually(() => expect(getReactions()).toEqual(expected.slice(1)));
});

test("a thread that is marked as read is read at once, and unread again if that fails", async () => {
  const { workspace, session, threads, hold, replace } = await openThread();
  await grant(workspace, "ada", "organization");
  await addComments(workspace, [comment({ from: { userId: "grace" } })]);
  await addAnnotations(workspace, [{ annotationId: "b", commentData: [comment({ from: { userId: "grace" } })] }]);
  const unread = unreadThreadsStore(session, { documentId });
  onTestFinished(unread.subscribe(() => {}));
  const getUnread = () => [unread.getState().data, ...unread.getState().unreadIds];
  await eventually(() => expect(getUnread()).toEqual([2, "b", "a"]));
  replace(`${ANNOTATIONS}/read`, () => new Response("{}", { status: 400 }));
  const failing = threads.markRead(["b"]);
  expect(getUnread()).toEqual([1, "a"]);
  await expect(failing).rejects.toThrow();
  expect(getUnread()).toEqual([2, "b", "a"]);
  const response = hold(`${ANNOTATIONS}/read`);
  const read = threads.markRead(["b"]);
  expect(getUnread()).toEqual([1, "a"]);
  response.open();
  await read;
  await eventually(() => expect(getUnread()).toEqual([1, "a"]));
});

test("the number of unread threads is zero at once when all are read", async () => {
  const { workspace, session, threads, hold } = await openThread();
  await grant(workspace, "ada", "organization");
  await addComments(workspace, [comment({ from: { userId: "grace" } })]);
  const unread = unreadThreadsStore(session, { documentId });
  const counts: number[] = [];
  onTestFinished(unread.subscribe(({ data }) => counts.push(data)));
  await eventually(() => expect(counts.at(-1)).toBe(1));
  const [response, before] = [hold(`${ANNOTATIONS}/read`), counts.length];
  const read = threads.markRead();
  expect(counts.at(-1)).toBe(0);
  response.open();
  await read;
  await threads.reply("a", "seen");
  await eventually(() => expect(getComments(threads)[2]?.commentId).toBeGreaterThan(0));
  expect(new Set(counts.slice(before))).toEqual(new Set([0]));
});
