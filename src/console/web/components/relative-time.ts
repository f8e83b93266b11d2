import { LOCALE } from "./locale.ts";

const MINUTE_MS = 60_000;
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });
const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", MINUTE_MS],
];

/**
 * Returns a text such as "3 minutes ago" or "in 2 hours" for a time in milliseconds since the epoch. Distances of less
 * than a minute are "just now", since clocks may differ; rounded up, a future one is "in 1 minute".
 */
export function relativeTime(timestamp: number, now: number, round = Math.trunc): string {
  // Whole minutes first: an hour of which a millisecond has passed is rounded up to "in 1 hour", not "in 60 minutes".
  const distance = round((timestamp - now) / MINUTE_MS) * MINUTE_MS;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return RELATIVE.format(round(distance / ms), unit);
  }
  return "just now";
}
