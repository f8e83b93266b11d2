import { expect, test } from "vitest";
import { HOUR_MS, isTimeZone, lastDays } from "./calendar.ts";

/** Returns the lengths of the days before the last one, in hours. */
function getDayLengths(timeZone: string, now: string, count: number): number[] {
  const starts = lastDays(timeZone, Date.parse(now), count).map(({ startsAt }) => startsAt);
  return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / HOUR_MS);
}

test("days begin at midnight of the time zone", () => {
  expect(lastDays("UTC", Date.parse("2026-11-24T00:00:00Z"), 2)).toEqual([
    { day: "2026-11-23", startsAt: Date.parse("2026-11-23T00:00:00Z") },
    { day: "2026-11-24", startsAt: Date.parse("2026-11-24T00:00:00Z") },
  ]);
  expect(lastDays("Asia/Kathmandu", Date.parse("2026-11-23T18:15:00Z"), 1)).toEqual([
    { day: "2026-11-24", startsAt: Date.parse("2026-11-23T18:15:00Z") },
  ]);
  expect(lastDays("America/Los_Angeles", Date.parse("2026-11-24T07:59:59Z"), 1)).toEqual([
    { day: "2026-11-23", startsAt: Date.parse("2026-11-23T08:00:00Z") },
  ]);
});

test.each([
  ["Europe/Berlin", "2026-03-30T10:00:00Z", [24, 23]],
  ["Europe/Berlin", "2026-10-26T10:00:00Z", [24, 25]],
  // The clocks go from midnight to one o'clock, and from midnight back to eleven.
  ["Africa/Cairo", "2026-04-25T10:00:00Z", [24, 23]],
  ["Asia/Beirut", "2026-03-30T10:00:00Z", [24, 23]],
  ["Asia/Beirut", "2026-10-26T10:00:00Z", [25, 24]],
])("in %s, the two days before %s have %j hours", (timeZone, now, hours) => {
  expect(getDayLengths(timeZone, now, 3)).toEqual(hours);
});

test.each([
  ["Europe/Kyiv", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["", false],
])("whether %j is a time zone: %j", (name, isKnown) => {
  expect(isTimeZone(name)).toBe(isKnown);
});
