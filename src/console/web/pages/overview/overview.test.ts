import { expect, test } from "vitest";
import { daysToCount, getChange, getRestOfDay, labelStep, ticksUpTo, toBars } from "./overview.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns days from a date on, each with two comments and a reaction. */
function daysFrom(date: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.parse(date) + index * DAY_MS).toISOString().slice(0, 10),
    startsAt: Date.parse(date) + index * DAY_MS,
    total: 3,
    featureTypes: { comment: 2, reaction: 1 },
  }));
}

test("hours are shown by hour if the API counts them", () => {
  const [day] = daysFrom("2026-01-15", 1);
  const hours = [0, 1].map((hour) => ({ startsAt: hour * 3_600_000, total: hour, featureTypes: {} }));
  expect(toBars({ activitiesPerDay: day ? [day] : [], activitiesPerHour: hours })).toMatchObject([
    { startsAt: 0, endsAt: 3_600_000, total: 0 },
    { startsAt: 3_600_000, endsAt: undefined, total: 1 },
  ]);
});

test("up to 90 days are shown by day", () => {
  const days = daysFrom("2026-01-15", 90);
  const bars = toBars({ activitiesPerDay: days });
  expect(bars).toHaveLength(90);
  expect(bars[0]).toMatchObject({
    startsAt: days[0]?.startsAt,
    endsAt: days[1]?.startsAt,
    total: 3,
    featureTypes: { comment: 2, reaction: 1 },
  });
});

test("more days are shown by month, each with the sums of its days", () => {
  const bars = toBars({ activitiesPerDay: daysFrom("2025-11-29", 365) });
  expect(bars.map(({ total }) => total)).toEqual([6, 93, 93, 84, 93, 90, 93, 90, 93, 93, 90, 93, 84]);
  expect(bars[1]?.featureTypes).toEqual({ comment: 62, reaction: 31 });
  expect(bars[1]).toMatchObject({ startsAt: Date.parse("2025-12-01"), endsAt: Date.parse("2026-01-01") });
});

test.each([
  [14, 14],
  // These periods begin in December of 2025, 2021 and 2016.
  [365, 359],
  [1826, 1_820],
  [3653, 3_646],
])("the period of %d days begins with a whole month if it is shown by month", (period, days) => {
  expect(daysToCount(period, new Date(2026, 10, 24, 9, 30))).toBe(days);
});

test("the hours of a day that are yet to come follow the last one", () => {
  const at = (hour: number) => new Date(2026, 10, 24, hour).getTime();
  expect(getRestOfDay(at(21))).toEqual([at(22), at(23)]);
  expect(getRestOfDay(at(23))).toEqual([]);
});

test.each([
  ["day", 14, 1_000, 2],
  ["day", 90, 270, 30],
  ["hour", 48, 270, 24],
  ["hour", 24, 1_000, 4],
  ["month", 12, 270, 4],
  ["month", 120, 1_000, 24],
] as const)("bars by %s, %d in %d pixels, have a label every %d", (unit, count, width, step) => {
  expect(labelStep(unit, count, width)).toBe(step);
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [48, [0, 20, 40, 60]],
  [1_000, [0, 500, 1_000]],
  [16_592, [0, 5_000, 10_000, 15_000, 20_000]],
])("the axis of up to %d has the values %j", (highest, ticks) => {
  expect(ticksUpTo(highest)).toEqual(ticks);
});

test("a change is a rounded percentage, and unknown from zero", () => {
  expect([getChange(3, 4), getChange(4, 3), getChange(4, 4), getChange(0, 4)]).toEqual([
    "+33%",
    "−25%",
    "0%",
    undefined,
  ]);
});
