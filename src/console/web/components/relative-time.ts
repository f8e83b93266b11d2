const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Such as "3 minutes ago" or "in 2 hours"; milliseconds since the epoch. Clocks may differ by some seconds. */
export function relativeTime(timestamp: number, now: number, round = Math.trunc): string {
  const distance = timestamp - now;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return RELATIVE.format(round(distance / ms), unit);
  }
  return "just now";
}
