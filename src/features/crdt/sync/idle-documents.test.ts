import { Hocuspocus } from "@hocuspocus/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IdleDocuments } from "./idle-documents.ts";

const IDLE_MS = 30_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns what opens and closes documents of a server that keeps them for a while, and what says which it has. */
function keepDocuments() {
  const idle = new IdleDocuments();
  const server = new Hocuspocus({ quiet: true, beforeUnloadDocument: async (payload) => idle.beforeUnload(payload) });
  const find = (name: string) => server.documents.get(name) ?? expect.fail(`${name} is not in memory`);
  return {
    idle,
    find,
    names: () => [...server.documents.keys()],
    open: (name: string) => server.openDirectConnection(name),
    async visit(name: string) {
      await (await server.openDirectConnection(name)).disconnect();
      await settle();
    },
  };
}

/** Lets everything happen that is due. */
function settle(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(1);
}

test("a document is the same when its page comes back within 30 s, and stays while the page is there", async () => {
  const { names, open, visit, find } = keepDocuments();
  await visit("one");
  const before = find("one");
  await vi.advanceTimersByTimeAsync(IDLE_MS - 10);
  expect((await open("one")).document).toBe(before);
  await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
  expect(names()).toEqual(["one"]);
});

test("a document leaves memory 30 s after its last connection has closed, and not after an earlier one", async () => {
  const { names, visit } = keepDocuments();
  await visit("one");
  await vi.advanceTimersByTimeAsync(IDLE_MS - 10);
  await visit("one");
  await vi.advanceTimersByTimeAsync(IDLE_MS - 10);
  expect(names()).toEqual(["one"]);
  await vi.advanceTimersByTimeAsync(20);
  expect(names()).toEqual([]);
});

test("a document that must not be kept leaves memory at once, or with its last connection", async () => {
  const { idle, names, open, visit, find } = keepDocuments();
  await visit("left");
  const connection = await open("open");
  for (const name of ["left", "open"]) idle.discard(find(name));
  await settle();
  expect(names()).toEqual(["open"]);
  await connection.disconnect();
  await settle();
  expect(names()).toEqual([]);
});

test("no more than 100 documents are kept, and the one that was left first leaves memory", async () => {
  const { names, visit } = keepDocuments();
  for (let number = 0; number <= 100; number++) await visit(`document-${number}`);
  expect(names()).toHaveLength(100);
  expect(names()).not.toContain("document-0");
});

test("a stop unloads all documents without connections, and keeps none from then on", async () => {
  const { idle, names, open, visit } = keepDocuments();
  await visit("left");
  const connection = await open("open");
  idle.stop();
  await settle();
  expect(names()).toEqual(["open"]);
  await connection.disconnect();
  await settle();
  expect(names()).toEqual([]);
});
