const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/**
 * Returns a text such as "3 minutes ago" or "in 2 hours" for a time in milliseconds since the epoch. Distances below a
 * minute are "just now", since clocks may differ.
 */
export function relativeTime(timestamp: number, now: number, round = Math.trunc): string {
  const distance = timestamp - now;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return RELATIVE.format(round(distance / ms), unit);
  }
  return "just now";
}
