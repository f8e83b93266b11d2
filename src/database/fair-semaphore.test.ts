import { expect, test } from "vitest";
import { FairSemaphore, type Permit, type SemaphoreLimits } from "./fair-semaphore.ts";

const LIMITS = { maxPermits: 4, maxWaiting: 100, maxWaitMs: 60_000 };

/** Acquires permits for callers and records in which order they start and are rejected. */
function setUp(limits: Partial<SemaphoreLimits> = {}) {
  const semaphore = new FairSemaphore({ ...LIMITS, ...limits }, new Error("too many"));
  const started: string[] = [];
  const rejected: string[] = [];
  const permits: Permit[] = [];
  /** `name` begins with the letters of its group and, if there are several, of the member and of the organization. */
  function acquire(name: string, isAbandoned = () => false): Promise<void> {
    const [group = "", member = "", organization = ""] = name.replace(/\d+$/, "");
    return Promise.resolve(semaphore.acquire({ group, name: member, organization }, isAbandoned)).then(
      (permit) => {
        started.push(name);
        permits.push(permit);
      },
      () => void rejected.push(name),
    );
  }
  return { acquire, started, rejected: rejected, permits };
}

/** Resolves when all promises that can be settled without a timer are. */
function settled(): Promise<void> {
  return new Promise(setImmediate);
}

/** Returns the names with these numbers: `names("a", 2)` are `a1` and `a2`. */
function names(member: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${member}${index + 1}`);
}

test("a member may use all permits but two while nobody else waits, and its group all but one", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 10 });
  for (const name of [...names("ax", 9), ...names("ay", 2), "b1", "b2"]) acquire(name);
  await settled();
  expect(started).toEqual([...names("ax", 8), "ay1", "b1"]);
  permits[9]?.release();
  await settled();
  expect(started.slice(10)).toEqual(["b2"]);
});

test("an organization may use all permits but three, whoever works on it", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 10 });
  for (const name of [...names("axl", 6), ...names("ayl", 6), "axo1"]) acquire(name);
  await settled();
  expect(started).toEqual([...names("axl", 6), "ayl1", "axo1"]);
  permits[0]?.release();
  await settled();
  expect(started.slice(8)).toEqual(["ayl2"]);
});

test("an organization keeps its maximum while a member waits for it that has no permit yet", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 10 });
  for (const name of ["axl1", ...names("bx", 8), "cx1", "ayl1"]) acquire(name);
  await settled();
  expect(started).toEqual(["axl1", ...names("bx", 8), "cx1"]);
  for (const permit of permits.splice(0)) permit.release();
  await settled();
  for (const name of names("azl", 7)) acquire(name);
  await settled();
  expect(started.slice(10)).toEqual(["ayl1", ...names("azl", 6)]);
});

test("the organizations of a member take turns", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 1 });
  for (const name of [...names("axl", 3), "axo1"]) acquire(name);
  await settled();
  for (let released = 0; released < 3; released++) {
    permits[released]?.release();
    await settled();
  }
  expect(started).toEqual(["axl1", "axl2", "axo1", "axl3"]);
});

test("permits are reserved if there are at least 8", async () => {
  for (const [maxPermits, usable] of [
    [4, 4],
    [7, 7],
    [8, 5],
  ] as const) {
    const { acquire, started } = setUp({ maxPermits });
    for (const name of names("axl", 9)) acquire(name);
    await settled();
    expect(started).toEqual(names("axl", usable));
  }
});

test("a caller that uses all of a few permits shares them as soon as another waits", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 4 });
  for (const name of [...names("axl", 10), ...names("bxl", 10)]) acquire(name);
  await settled();
  expect(started).toEqual(names("axl", 4));
  for (const permit of permits.splice(0)) permit.release();
  await settled();
  expect(started.slice(4).sort()).toEqual(["axl5", "axl6", "bxl1", "bxl2"]);
});

test("if two groups wait, each gets half of the permits", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 4 });
  for (const name of [...names("a", 10), ...names("b", 10)]) acquire(name);
  await settled();
  for (const permit of permits.splice(0)) permit.release();
  await settled();
  expect(started.slice(4).sort()).toEqual(["a5", "a6", "b1", "b2"]);
  for (const permit of permits.splice(0).filter((_, index) => started[index + 4]?.startsWith("a"))) permit.release();
  await settled();
  expect(started.slice(8).sort()).toEqual(["a7", "a8"]);
});

test("a group that has more than half of the permits waits for one that has less", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 3 });
  for (const name of [...names("a", 10), ...names("b", 2)]) acquire(name);
  await settled();
  for (const at of [0, 1, 2]) {
    permits[at]?.release();
    await settled();
  }
  expect(started.slice(3)).toEqual(["b1", "a4", "b2"]);
});

test("members of a group share its permits, and one with less than a tenth of all comes first", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 20 });
  for (const name of [...names("ax", 40), ...names("ay", 3), "az1"]) acquire(name);
  await settled();
  expect(started).toEqual([...names("ax", 16), "ay1", "ay2"]);
  for (const at of [0, 1, 2, 3]) {
    permits[at]?.release();
    await settled();
  }
  expect(started.slice(18)).toEqual(["az1", "ax17", "ay3", "ax18"]);
});

test("groups take turns, each with its oldest request", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 2 });
  for (const name of ["a1", "b1", "a2", "a3", "a4", "b2", "c1"]) acquire(name);
  await settled();
  for (let at = 0; at < 7; at++) {
    permits[at]?.release();
    await settled();
  }
  expect(started).toEqual(["a1", "b1", "a2", "b2", "c1", "a3", "a4"]);
});

test("if the newest are first, groups take turns with their newest request, and the oldest is rejected", async () => {
  const { acquire, started, rejected, permits } = setUp({ maxPermits: 1, maxWaiting: 4, isNewestFirst: true });
  for (const name of ["a1", "a2", "b1", "a3", "b2", "a4"]) acquire(name);
  await settled();
  for (let at = 0; at < 5; at++) {
    permits[at]?.release();
    await settled();
  }
  expect([started, rejected]).toEqual([["a1", "a4", "b2", "a3", "b1"], ["a2"]]);
});

test("a place that is left twice is given away once", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 2 });
  for (const name of ["a1", "b1", "a2", "a3"]) acquire(name);
  await settled();
  permits[0]?.release();
  permits[0]?.release();
  await settled();
  expect(started).toEqual(["a1", "b1", "a2"]);
});

test("if too many wait, the oldest is rejected", async () => {
  const { acquire, started, rejected } = setUp({ maxPermits: 1, maxWaiting: 2 });
  for (const name of ["a1", "a2", "b1", "c1"]) acquire(name);
  await settled();
  expect([started, rejected]).toEqual([["a1"], ["a2"]]);
});

test("those that have waited too long are rejected", async () => {
  const { acquire, rejected } = setUp({ maxPermits: 1, maxWaitMs: 10 });
  await Promise.all([acquire("a1"), acquire("a2"), acquire("b1")]);
  expect(rejected).toEqual(["a2", "b1"]);
});

test("a request whose client has disconnected does not start", async () => {
  const { acquire, started, permits } = setUp({ maxPermits: 1 });
  acquire("a1");
  acquire("a2", () => true);
  acquire("a3");
  await settled();
  permits[0]?.release();
  await settled();
  expect(started).toEqual(["a1", "a3"]);
});

test("a capped member has a tenth of the permits, or two, even if nobody else waits", async () => {
  for (const [maxPermits, most] of [
    [128, 13],
    [10, 2],
    [3, 2],
    [1, 1],
  ] as const) {
    const semaphore = new FairSemaphore({ ...LIMITS, maxPermits }, new Error("too many"));
    const acquire = (isCapped: boolean, name: string) => semaphore.acquire({ group: "a", name, isCapped });
    const granted = Array.from({ length: 20 }, () => acquire(true, "user"));
    expect(granted.filter((permit) => !(permit instanceof Promise))).toHaveLength(most);
    expect(semaphore.waiting).toBe(20 - most);
    if (maxPermits > most) expect(acquire(false, "backend")).not.toBeInstanceOf(Promise);
    // Nobody releases a permit, so those that wait are rejected after the test.
    void Promise.allSettled(granted);
  }
});
