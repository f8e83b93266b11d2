import { expect, onTestFinished, test } from "vitest";
import {
  inboxStore,
  liveStateStore,
  preferencesStore,
  type Store,
  threadsStore,
  unreadStore,
} from "../../packages/client/src/stores/index.ts";
import { addAnnotations, addComments, comment, readAnnotations } from "../comments.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { grant } from "../permissions.ts";
import { openPage, STREAM } from "./store-page.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;

/** Listens to a store until the end of the test. Returns the states that it has shown. */
function record<State>(store: Store<State>): State[] {
  const states: State[] = [];
  onTestFinished(store.subscribe((state) => states.push(state)));
  return states;
}

test("preferences change at once, and those of a document follow the organization", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const { session, hold } = await openPage(service.address, workspace);
  const [everywhere, here] = [preferencesStore(session), preferencesStore(session, { documentId })];
  const states = record(everywhere);
  record(here);
  for (const store of [everywhere, here]) {
    await eventually(() => expect(store.getState()).toMatchObject({ data: { inbox: "ALL", email: "ALL" } }));
  }
  const response = hold("/v2/notifications/config/set");
  const changed = everywhere.set({ inbox: "MINE", email: "NONE" });
  expect(everywhere.getState().data).toEqual({ inbox: "MINE", email: "NONE" });
  response.open();
  await changed;
  await eventually(() => expect(here.getState().data).toEqual({ inbox: "MINE", email: "NONE" }));
  await here.set({ inbox: "ALL" });
  expect(here.getState().data).toEqual({ inbox: "ALL", email: "NONE" });
  await here.set({ inbox: null });
  await eventually(() => expect(here.getState().data).toEqual({ inbox: "MINE", email: "NONE" }));
  const shown = new Set(states.map(({ data }) => JSON.stringify(data)));
  expect(shown.size).toBe(3);
});

test("a live state is shared with other pages, and merges lose no field", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const ref = { documentId, liveStateDataId: "review" };
  const pages = await Promise.all(["ada", "grace"].map((userId) => openPage(service.address, workspace, userId)));
  const [ada, grace] = pages.map(({ session }) => liveStateStore<{ clause?: number; by?: string }>(session, ref));
  if (!ada || !grace) throw new Error("A page is missing.");
  for (const store of [ada, grace]) {
    record(store);
    await eventually(() => expect(store.getState()).toMatchObject({ data: undefined, isLive: true }));
  }
  const set = ada.set({ clause: 3 });
  expect(ada.getState().data).toEqual({ clause: 3 });
  await set;
  await eventually(() => expect(grace.getState().data).toEqual({ clause: 3 }));
  await Promise.all([ada.merge({ clause: 4 }), grace.merge({ by: "grace" })]);
  for (const store of [ada, grace]) {
    await eventually(() => expect(store.getState().data).toEqual({ clause: 4, by: "grace" }));
  }
});

test("what is unread is counted in the inbox and in a document", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  await grant(workspace, "ada", "organization");
  const { session } = await openPage(service.address, workspace);
  const unread = unreadStore(session, { documentId });
  record(unread);
  await eventually(() =>
    expect(unread.getState()).toMatchObject({ data: { notifications: 0, threads: 0 }, isLive: true }),
  );
  await addComments(workspace, [comment({ from: { userId: "grace" } })]);
  await addNotification(workspace, "n", { notifyUsers: [{ userId: "ada" }] });
  await eventually(() => expect(unread.getState().data).toEqual({ notifications: 1, threads: 1 }));
});

test("the next user of a client sees nothing of the last one, whose calls and streams end", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  await addNotification(workspace, "for-ada", { notifyUsers: [{ userId: "ada" }] });
  await addNotification(workspace, "for-grace", { notifyUsers: [{ userId: "grace" }] });
  const page = await openPage(service.address, workspace);
  const { session } = page;
  const inbox = inboxStore(session);
  const states = record(inbox);
  const threads = threadsStore(session, { documentId });
  record(threads);
  await eventually(() => expect([states.at(-1)?.data.length, threads.getState().data.length]).toEqual([1, 1]));

  const response = page.hold("/v2/commentannotations/comments/add");
  const replied = threads.reply("a", "secret");
  page.userId = "grace";
  session.client.reset();
  await expect(replied).rejects.toMatchObject({ status: "UNAUTHENTICATED" });
  response.open();
  expect(states.at(-1)).toMatchObject({ data: [], isLoading: true });
  expect(threads.getState().data).toEqual([]);
  const before = states.length;
  const next = inboxStore({ ...session, userId: "grace" });
  const nextStates = record(next);
  expect(nextStates[0]).toMatchObject({ data: [], isLoading: true });
  await eventually(() => expect(next.getState()).toMatchObject({ data: [{ id: "for-grace" }], isLive: true }));
  await eventually(() => expect(inbox.getState().error).toMatchObject({ status: "PERMISSION_DENIED" }));
  expect(states.slice(before).flatMap(({ data }) => data)).toEqual([]);
  expect(nextStates.flatMap(({ data }) => data.map(({ id }) => id))).not.toContain("for-ada");
  const { data } = await session.client.call("/v2/notifications/get", { organizationId });
  expect(data.map(({ id }) => id)).toEqual(["for-grace"]);
});

test("a call of the last user that waits for another one is not made as the next user", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const page = await openPage(service.address, workspace);
  const { session } = page;
  const threads = threadsStore(session, { documentId });
  record(threads);
  await eventually(() => expect(threads.getState().data.length).toBe(1));
  const response = page.hold("/v2/commentannotations/comments/add");
  const calls = [threads.reply("a", "first"), threads.reply("a", "secret"), threads.react("a", 1, "👍")];
  page.userId = "grace";
  session.client.reset();
  response.open();
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes).toMatchObject(Array(3).fill({ status: "rejected", reason: { status: "UNAUTHENTICATED" } }));
  const [thread] = await readAnnotations(workspace);
  const written = thread?.comments.flatMap(({ from, reactions }) => [from.userId, ...reactions]);
  expect(written).not.toContain("grace");
});

test("a list that is read page by page for the last user ends", async () => {
  const workspace = await service.publicWorkspace();
  for (const id of ["a", "b"]) {
    await addNotification(workspace, id, { notifyUsers: [{ userId: "ada" }, { userId: "grace" }] });
  }
  const page = await openPage(service.address, workspace);
  const { client } = page.session;
  const read: string[] = [];
  const reading = (async () => {
    for await (const { id } of client.list("/v2/notifications/get", { organizationId, pageSize: 1 })) {
      read.push(id);
      page.userId = "grace";
      client.reset();
    }
  })();
  await expect(reading).rejects.toMatchObject({ status: "UNAUTHENTICATED" });
  expect(read).toEqual(["b"]);
});

test("a stream of the last user yields nothing of what has already arrived", async () => {
  const workspace = await service.publicWorkspace();
  const page = await openPage(service.address, workspace);
  const { client } = page.session;
  const buildMessage = (id: string) => `id: ${id}\nevent: activity.add\ndata: {}\n\n`;
  page.replace(STREAM, () => new Response(["1", "2"].map(buildMessage).join("")));
  const received: string[] = [];
  const onCursor = (cursor: string) => received.push(cursor);
  const following = (async () => {
    for await (const _ of client.events({ organizationId, activities: true, onCursor })) client.reset();
  })();
  await expect(following).rejects.toMatchObject({ status: "UNAUTHENTICATED" });
  expect(received).toEqual(["1"]);
});
