export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** A day of a calendar. */
export interface CalendarDay {
  /** YYYY-MM-DD */
  day: string;
  /** Milliseconds since the epoch. */
  startsAt: number;
}

/** Returns whether the runtime knows the time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return getFormatter(name) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the last `count` days of a time zone, oldest first and today included. A day may have 23 or 25 hours. */
export function lastDays(timeZone: string, now: number, count: number): CalendarDay[] {
  const formatter = getFormatter(timeZone);
  /** Returns the time that clocks in the time zone show, as if it were in UTC. */
  const localTime = (time: number) => Date.parse(`${formatter.format(time).replace(" ", "T")}Z`);
  const getDay = (time: number) => Math.floor(localTime(time) / DAY_MS);
  const today = getDay(now);
  return Array.from({ length: count }, (_, index) => {
    const day = today - count + 1 + index;
    const midnight = day * DAY_MS;
    // The offsets a day before and after the midnight differ if the clocks change on this day.
    const starts = [midnight - DAY_MS, midnight + DAY_MS].map((time) => midnight - (localTime(time) - time));
    const startsAt = starts.sort((one, other) => one - other).find((start) => getDay(start) === day) ?? midnight;
    return { day: new Date(midnight).toISOString().slice(0, 10), startsAt };
  });
}

/** Returns a formatter of times such as `2026-11-24 09:30:00`. */
function getFormatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
}
