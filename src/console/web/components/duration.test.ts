import { expect, test } from "vitest";
import { toDuration, toSeconds } from "./duration.ts";

test.each([
  [0, { amount: "0", unit: "seconds" }],
  [90, { amount: "90", unit: "seconds" }],
  [900, { amount: "15", unit: "minutes" }],
  [3_600, { amount: "1", unit: "hours" }],
  [129_600, { amount: "36", unit: "hours" }],
  [15_552_000, { amount: "180", unit: "days" }],
])("%i seconds are shown in the largest unit of which they are a whole multiple", (seconds, duration) => {
  expect(toDuration(seconds)).toEqual(duration);
  expect(toSeconds(toDuration(seconds))).toBe(seconds);
});

test("an amount may have a fraction, and one that is not a number has no seconds", () => {
  expect(toSeconds({ amount: " 1.5 ", unit: "hours" })).toBe(5_400);
  for (const amount of ["", " ", "soon", "1,5"]) expect(toSeconds({ amount, unit: "hours" })).toBeNaN();
});
