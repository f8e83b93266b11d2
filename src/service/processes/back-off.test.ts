import { expect, test } from "vitest";
import { countFailures, pauseMsAfter } from "./back-off.ts";

/** Returns the pauses after workers that ran for these times, one after the other. */
function pausesAfter(ranMs: readonly number[]): number[] {
  let failures = 0;
  return ranMs.map((ran) => {
    failures = countFailures(failures, ran);
    return pauseMsAfter(failures);
  });
}

test("the pause doubles with each worker in a row that ends soon, up to 5 s", () => {
  expect(pausesAfter(Array(9).fill(10))).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  expect(pauseMsAfter(2_000)).toBe(5_000);
});

test("the pause is the first one again after a worker that ran for more than a minute", () => {
  expect(pausesAfter([10, 10, 60_000, 60_001, 10])).toEqual([100, 200, 400, 100, 200]);
});
