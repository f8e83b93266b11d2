import type { NewestTime } from "../features/purge/newest-time-queries.ts";

const MINUTE_MS = 60_000;

/** Describes a clock of the database that is behind what is stored. */
export function clockBehind({ newest, now }: NewestTime): { finding: string; remedy: string } {
  const minutes = Math.round((newest - now) / MINUTE_MS);
  const [stored, clock] = [newest, now].map((time) => new Date(time).toISOString());
  return {
    finding:
      `The newest time that is stored, ${stored}, is ${minutes} min later than the database's clock, ${clock}: the ` +
      "clock is behind now, or it was ahead before. Until it reaches that time, new records are listed before some " +
      "older ones, and what was to happen at a time, such as the retry of a webhook, may happen later.",
    remedy:
      "Synchronize the clock of the database's server with NTP before users write. If the clock is right, and the " +
      "one of the server before was ahead, wait for that time.",
  };
}
