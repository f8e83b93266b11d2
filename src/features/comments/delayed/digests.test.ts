import { expect, test } from "vitest";
import { groupIntoDigests, type ReadyNotification } from "./digests.ts";

const NOW = 1_000;

let rows = 0;

/** Returns a notification of grace in contract-7 that is ready since `readyAt` and in the window of the document. */
function ready(readyAt: number, fields: Partial<ReadyNotification> = {}): ReadyNotification {
  const id = `row-${String(rows++).padStart(6, "0")}`;
  return {
    ...{ id, eventId: id, userId: "grace", documentId: "contract-7", readyAt },
    ...{ dueAt: NOW + 1, isUserDue: false, documentMax: 3, userMax: null },
    ...fields,
  };
}

/** Returns when the notifications of each batch became ready. */
function times(given: ReadyNotification[]): number[][] {
  return groupIntoDigests(given, NOW).map((batch) => batch.map(({ readyAt }) => readyAt));
}

const DUE = { dueAt: NOW };
const OF_USER = { documentMax: null, userMax: 3, isUserDue: true };

test("a notification without windows is a batch of its own", () => {
  expect(times([1, 2].map((at) => ready(at, { documentMax: null, dueAt: at })))).toEqual([[1], [2]]);
});

test("nothing is delivered while no window is full and none has ended", () => {
  expect(times([ready(1), ready(2), ready(3, { documentId: "other" })])).toEqual([]);
});

test("a window that is full is delivered, the oldest first, and the rest waits in the next one", () => {
  expect(times([7, 6, 5, 4, 3, 2, 1].map((at) => ready(at)))).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test("the changes of one update count once, and are in one batch", () => {
  const update = { eventId: "update" };
  expect(times([ready(1, update), ready(1, update), ready(1, update)])).toEqual([]);
  expect(times([ready(1, update), ready(1, update), ready(2), ready(3), ready(4)])).toEqual([[1, 1, 2, 3]]);
});

test("a window that ends takes all of its document with it, and nothing of other documents or users", () => {
  const others = [ready(3, { documentId: "other" }), ready(4, { userId: "alan" })];
  expect(times([ready(1, DUE), ready(2), ...others])).toEqual([[1, 2]]);
});

test("the window of the user takes the notifications of all documents, in one batch for each", () => {
  const given = [ready(1, OF_USER), ready(2, { ...OF_USER, documentId: "other" }), ready(3, OF_USER)];
  expect(times(given)).toEqual([[1, 3], [2]]);
  expect(times([ready(1, { ...OF_USER, ...DUE }), ready(2, { ...OF_USER, documentId: "other" })])).toEqual([[1], [2]]);
});

test("what fills the window of a document leaves the window of the user", () => {
  const both = { documentMax: 2, userMax: 3 };
  expect(times([ready(1, both), ready(2, both), ready(3, { ...both, documentId: "other" })])).toEqual([[1, 2]]);
});

test("of ten thousand notifications in any order, each is in one batch at most, and each that is due in one", () => {
  const given = Array.from({ length: 10_000 }, (_, index) => {
    const random = (count: number, salt: number) => ((index * 7_919 + salt * 104_729) % 1_000_003) % count;
    const windows = [{}, { documentMax: null }, OF_USER, { documentMax: 2 + random(4, 1), userMax: 2 + random(9, 2) }];
    return ready(random(NOW, 3), {
      ...{ userId: `user-${random(13, 4)}`, documentId: `document-${random(7, 5)}`, dueAt: NOW - 5 + random(10, 6) },
      ...windows[random(windows.length, 7)],
    });
  });
  const batches = groupIntoDigests(given, NOW);
  const delivered = batches.flat();
  expect(new Set(delivered).size).toBe(delivered.length);
  const inBatch = new Set(delivered);
  expect(given.filter((row) => row.dueAt <= NOW && !inBatch.has(row))).toEqual([]);
  for (const batch of batches) {
    expect(new Set(batch.map(({ userId, documentId }) => `${userId} ${documentId}`)).size).toBe(1);
  }
});
