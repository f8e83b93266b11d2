import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

test.each([
  [7 * 24 * 60 * MINUTE_MS - 1, "in 7 days"],
  [60 * MINUTE_MS, "in 1 hour"],
  [60 * MINUTE_MS - 1, "in 1 hour"],
  [59 * MINUTE_MS, "in 59 minutes"],
  [1, "in 1 minute"],
  [0, "just now"],
])("an end in %i ms is rounded up to %s, so that nothing ends earlier than shown", (distance, text) => {
  expect(relativeTime(NOW + distance, NOW, Math.ceil)).toBe(text);
});

test.each([
  [0, "just now"],
  [-59_999, "just now"],
  [-MINUTE_MS, "1 minute ago"],
  [-119 * MINUTE_MS, "1 hour ago"],
  [-47 * 60 * MINUTE_MS, "1 day ago"],
  [-800 * 24 * 60 * MINUTE_MS, "2 years ago"],
  [30_000, "just now"],
  [3 * 60 * MINUTE_MS, "in 3 hours"],
])("a time %i ms from now is shown as %s", (distance, text) => {
  expect(relativeTime(NOW + distance, NOW)).toBe(text);
});
