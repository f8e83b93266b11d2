import { expect, test } from "vitest";
import { parseExpiry } from "./arguments.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

test.each([
  ["30m", "2030-01-01T00:30:00.000Z"],
  ["12h", "2030-01-01T12:00:00.000Z"],
  ["90d", "2030-04-01T00:00:00.000Z"],
  ["2030-01-31", "2030-01-31T00:00:00.000Z"],
  ["2030-01-31T12:00Z", "2030-01-31T12:00:00.000Z"],
  ["2030-01-31T12:00:00+02:00", "2030-01-31T10:00:00.000Z"],
])("a token created with --expires %s expires at %s", (text, end) => {
  expect(new Date(parseExpiry(text, NOW)).toISOString()).toBe(end);
});

test.each(["", "90", "90 d", "1y", "2030-02-30", "2030-13-01", "2030-01-31T12:00", "tomorrow", "999999999999d", "-1d"])(
  "an ambiguous --expires is rejected: %j",
  (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow("It must be like 90d");
  },
);

test.each(["0d", "2029-12-31", "2030-01-01"])("an --expires in the past is rejected: %j", (text) => {
  expect(() => parseExpiry(text, NOW)).toThrow("It must be in the future");
});
