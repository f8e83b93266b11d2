import { expect, test } from "vitest";
import { TokenBuckets } from "./token-buckets.ts";

function bucketsWithClock() {
  const clock = { nowMs: 0 };
  return { clock, buckets: new TokenBuckets({ burst: 3, perSecond: 2, now: () => clock.nowMs }) };
}

/** Returns how many of ten tokens can be taken. */
function takeAll(buckets: TokenBuckets, key: string): number {
  return Array.from({ length: 10 }, () => buckets.take(key)).filter(Boolean).length;
}

test("each key has a burst of its own, and then as many as time refills", () => {
  const { clock, buckets } = bucketsWithClock();
  expect([takeAll(buckets, "a"), takeAll(buckets, "b")]).toEqual([3, 3]);
  clock.nowMs += 499;
  expect(takeAll(buckets, "a")).toBe(0);
  clock.nowMs += 501;
  expect(takeAll(buckets, "a")).toBe(2);
});

test("a bucket is never fuller than a burst", () => {
  const { clock, buckets } = bucketsWithClock();
  takeAll(buckets, "a");
  clock.nowMs += 3_600_000;
  buckets.giveBack("a");
  expect(takeAll(buckets, "a")).toBe(3);
});

test("the state says what is left and when more can be taken", () => {
  const { clock, buckets } = bucketsWithClock();
  expect(buckets.getState("a")).toEqual({ remaining: 3, secondsToNext: 0, secondsToFull: 0 });
  takeAll(buckets, "a");
  expect(buckets.getState("a")).toEqual({ remaining: 0, secondsToNext: 1, secondsToFull: 2 });
  clock.nowMs += 1_000;
  expect(buckets.getState("a")).toEqual({ remaining: 2, secondsToNext: 0, secondsToFull: 1 });
});
