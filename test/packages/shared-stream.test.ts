import { expect, onTestFinished, test, vi } from "vitest";
import { createClient, type StreamEvent } from "../../packages/client/src/index.ts";
import { type ListState, LiveList } from "../../packages/client/src/stores/live-list.ts";
import { SharedStreams } from "../../packages/client/src/stores/shared-stream.ts";
import { addAnnotations } from "../comments.ts";
import { workspaceWithDocument } from "../events.ts";
import { eventually } from "../eventually.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { readPresence } from "../presence.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const { organizationId } = SCOPE;
const DOCUMENTS = "/v2/organizations/documents";
const [FIRST, SECOND, CLOSED] = ["contract-7", "contract-8", "closed"];

/** Creates a workspace with an open and a restricted document besides that of tests, and the streams of ada. */
async function open() {
  const workspace = await workspaceWithDocument(service);
  const documents = [SECOND, CLOSED].map((documentId) => ({ documentId }));
  await workspace.data(`${DOCUMENTS}/add`, { organizationId, documents });
  await restrict(workspace, CLOSED);
  const opened: string[] = [];
  let connection = new AbortController();
  const client = createClient({
    url: service.address,
    getUserToken: () => tokenFor(workspace, "ada"),
    fetch: (input, init) => {
      const { pathname, searchParams } = new URL(String(input));
      if (pathname !== "/v2/events/stream") return fetch(input, init);
      opened.push(searchParams.getAll("documentIds").join());
      connection = new AbortController();
      return fetch(input, { ...init, signal: AbortSignal.any([connection.signal, init?.signal ?? []].flat()) });
    },
  });
  const streams = new SharedStreams(client);
  /** Follows a document, or the inbox. Returns the subjects of what is reported. */
  function follow(documentId?: string) {
    const [received, errors, statuses]: [unknown[], unknown[], string[]] = [[], [], []];
    const { ready, leave } = streams.follow(
      { organizationId, documentId },
      {
        onEvent: (event: StreamEvent) => {
          if (!event.event.startsWith("presence.") && "subject" in event) received.push(event.subject);
        },
        onStatus: (status) => statuses.push(status),
        onError: (error) => errors.push(error),
      },
    );
    onTestFinished(leave);
    return { received, errors, statuses, ready, leave };
  }
  return { workspace, client, streams, follow, opened, cut: () => connection.abort(new TypeError("cut off")) };
}

function restrict(workspace: TestWorkspace, documentId: string): Promise<unknown> {
  const change = { organizationId, documentIds: [documentId], accessType: "restricted" as const };
  return workspace.data(`${DOCUMENTS}/access/update`, change);
}

async function statusIn(workspace: TestWorkspace, documentId: string) {
  return (await readPresence(workspace, { documentId })).map(({ status }) => status);
}

test("all lists of an organization share one stream, and each gets only what concerns it", async () => {
  const { workspace, follow, opened } = await open();
  const [first, second, again, inbox] = [follow(FIRST), follow(SECOND), follow(FIRST), follow()];
  await Promise.all([first, second, again, inbox].map(({ ready }) => ready));
  await addActivities(workspace, ["one"], { documentId: FIRST });
  await addActivities(workspace, ["two"], { documentId: SECOND });
  await addNotification(workspace, "three", { notifyUsers: [{ userId: "ada" }] });
  await eventually(() => expect(second.received).toContainEqual({ id: "two" }));
  await eventually(() => expect(inbox.received).toContainEqual({ id: "three" }));
  expect(first.received).toContainEqual({ id: "one" });
  expect(again.received).toEqual(first.received);
  expect(first.received).not.toContainEqual({ id: "two" });
  expect(opened).toEqual([`${FIRST},${SECOND}`]);
});

test("more documents than a stream may follow have another one", async () => {
  const { workspace, follow, opened } = await open();
  const ids = Array.from({ length: 101 }, (_, index) => `card-${index + 100}`);
  const followers = ids.map((id) => follow(id));
  await Promise.all(followers.map(({ ready }) => ready));
  await eventually(() => expect(new Set(opened.map((list) => list.split(",").length))).toEqual(new Set([1, 100])));
  await addActivities(workspace, ["one"], { documentId: "card-100" });
  await addActivities(workspace, ["last"], { documentId: "card-200" });
  await eventually(() => expect(followers.at(0)?.received).toContainEqual({ id: "one" }));
  await eventually(() => expect(followers.at(-1)?.received).toContainEqual({ id: "last" }));
  expect(followers.flatMap(({ errors }) => errors)).toEqual([]);
});

test("a list that begins later misses nothing, and neither do the others", async () => {
  const { workspace, follow } = await open();
  const first = follow(FIRST);
  await first.ready;
  await addActivities(workspace, ["one"], { documentId: FIRST });
  const second = follow(SECOND);
  await second.ready;
  await addActivities(workspace, ["two"], { documentId: SECOND });
  await addActivities(workspace, ["three"], { documentId: FIRST });
  await eventually(() => expect(second.received).toContainEqual({ id: "two" }));
  await eventually(() => expect(first.received).toContainEqual({ id: "three" }));
  expect(first.received).toContainEqual({ id: "one" });
  await eventually(async () => expect(await statusIn(workspace, SECOND)).toEqual(["online"]));
  second.leave();
  await eventually(async () => expect(await statusIn(workspace, SECOND)).toEqual(["offline"]));
  expect(await statusIn(workspace, FIRST)).toEqual(["online"]);
});

test("a document that is rejected, at once or later, ends only its own lists", async () => {
  const { workspace, follow } = await open();
  const [first, second, closed] = [follow(FIRST), follow(SECOND), follow(CLOSED)];
  const rejected = [expect.objectContaining({ reason: "access_denied" })];
  await eventually(() => expect(closed.errors).toEqual(rejected));
  await Promise.all([first.ready, second.ready]);
  await restrict(workspace, SECOND);
  await eventually(() => expect(second.errors).toEqual(rejected));
  await addActivities(workspace, ["one"], { documentId: FIRST });
  await eventually(() => expect(first.received).toContainEqual({ id: "one" }));
  expect(first.errors).toEqual([]);
});

test("a list of one document that is rejected has the error of the service", async () => {
  const { follow } = await open();
  const closed = follow(CLOSED);
  await eventually(() => expect(closed.errors).toMatchObject([{ reason: "access_denied" }]));
  const again = follow(CLOSED);
  await eventually(() => expect(again.errors).toMatchObject([{ reason: "access_denied" }]));
});

test("a listener that follows again as soon as it is rejected is called once each time", async () => {
  const { streams } = await open();
  const errors: unknown[] = [];
  const leaves: (() => void)[] = [];
  function followAgain(): void {
    const scope = { organizationId, documentId: CLOSED };
    const onError = (error: unknown) => {
      errors.push(error);
      if (errors.length < 3) followAgain();
    };
    leaves.push(streams.follow(scope, { onEvent() {}, onStatus() {}, onError }).leave);
  }
  followAgain();
  onTestFinished(() => {
    for (const leave of leaves) leave();
  });
  await eventually(() => expect(errors).toHaveLength(3));
  // Each is the response to a request of its own.
  expect(new Set(errors).size).toBe(3);
});

test("the inbox gets what leaves it, in whichever document", async () => {
  const { workspace, follow } = await open();
  const inbox = follow();
  await inbox.ready;
  await addAnnotations(workspace, [{ annotationId: "a" }], { documentId: SECOND });
  await workspace.data("/v2/commentannotations/delete", { organizationId, documentId: SECOND });
  await eventually(() => expect(inbox.received).toEqual([{ annotationId: "a" }]));
});

test("a stream reports when its connection is lost and found, and not when it is opened for more", async () => {
  const { follow, cut, opened } = await open();
  const first = follow(FIRST);
  await eventually(() => expect(first.statuses).toEqual(["connecting", "open"]));
  const second = follow(SECOND);
  await eventually(() => expect(opened).toHaveLength(2));
  await second.ready;
  expect([first.statuses, second.statuses]).toEqual([["connecting", "open"], ["open"]]);
  cut();
  await eventually(() => expect(second.statuses).toEqual(["open", "connecting", "open"]));
});

test("a list is live once it is read, while its stream is open", async () => {
  const { workspace, client, streams, cut } = await open();
  const states: ListState<string>[] = [];
  const list = new LiveList<string>(
    { client, streams, active: new Set(), initialPage: undefined, register() {} },
    {
      scope: { organizationId, documentId: FIRST },
      getId: (id) => id,
      async read({ call }) {
        const { data } = await call("/v2/activities/get", { organizationId, documentId: FIRST });
        return { data: data.map(({ id }) => id) };
      },
      apply: ({ data }, { event, subject }) => (event === "activity.add" ? [...data, String(subject.id)] : data),
    },
  );
  onTestFinished(list.subscribe((state) => states.push(state)));
  const current = () => states.at(-1);
  expect(states.every(({ isLive }) => !isLive)).toBe(true);
  await eventually(() => expect(current()).toMatchObject({ data: [], isLoading: false, isLive: true }));
  const before = states.length;
  cut();
  await eventually(() => expect(states[before]).toMatchObject({ data: [], isLive: false, error: undefined }));
  await addActivities(workspace, ["one"], { documentId: FIRST });
  await eventually(() => expect(current()).toMatchObject({ data: ["one"], isLive: true }));
});

test("no further page is read while a list starts again", async () => {
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>();
  const firstReady = Promise.resolve();
  const streams = { follow: vi.fn(() => ({ ready: firstReady, leave() {} })) };
  const read = vi.fn(async () => ({ data: [1], pageToken: "2" }));
  const source = { scope: { organizationId }, pageSize: 1, getId: Number, read, apply: () => "read" as const };
  const list = new LiveList<number>(
    Object({ streams, active: new Set(), initialPage: undefined, register() {} }),
    source,
  );
  const viewer = vi.fn();
  onTestFinished(list.subscribe(viewer));
  await eventually(() => expect(viewer).toHaveBeenLastCalledWith(expect.objectContaining({ hasMore: true })));
  streams.follow.mockReturnValueOnce({ ready, leave() {} });
  list.follow();
  await list.loadMore();
  expect(read).toHaveBeenCalledTimes(1);
  begin();
  await eventually(() => expect(viewer).toHaveBeenLastCalledWith(expect.objectContaining({ isLoading: false })));
  expect(read).toHaveBeenCalledTimes(2);
});
