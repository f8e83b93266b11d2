import { expect, test } from "vitest";
import { toBars } from "./overview.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns days from a date on, each with two comments and a reaction. */
function daysFrom(date: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.parse(date) + index * DAY_MS).toISOString().slice(0, 10),
    total: 3,
    featureTypes: { comment: 2, reaction: 1 },
  }));
}

test("up to 90 days are shown by day", () => {
  const bars = toBars(daysFrom("2026-01-15", 90));
  expect(bars).toHaveLength(90);
  expect(bars[0]).toMatchObject({ time: "2026-01-15", total: 3, featureTypes: { comment: 2, reaction: 1 } });
});

test("more days are shown by month, each with the sums of its days", () => {
  const bars = toBars(daysFrom("2025-11-29", 365));
  expect(bars.map(({ time }) => time)).toEqual([
    ...["2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08"],
    ...["2026-09", "2026-10", "2026-11"],
  ]);
  expect(bars.map(({ total }) => total)).toEqual([6, 93, 93, 84, 93, 90, 93, 90, 93, 93, 90, 93, 84]);
  expect(bars[1]?.featureTypes).toEqual({ comment: 62, reaction: 31 });
});
