import { LRUCache } from "lru-cache";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { type CalendarDay, DAY_MS, HOUR_MS, lastDays } from "./calendar.ts";
import { countActivities, countTotals, type PeriodCount, type Totals } from "./overview-queries.ts";

export interface Statistics {
  days: CalendarDay[];
  /** Starts of the hours of these days, if there are at most two days. */
  hours: number[];
  /** Starts of the last 24 hours and of the 24 hours before. */
  lastDay: number;
  dayBefore: number;
  counts: PeriodCount[];
  totals: Totals;
}

/** Days whose activities are counted by hour. */
const MAX_DAYS_BY_HOUR = 2;
/** Days in which an active user has acted. */
const ACTIVE_DAYS = 30;
const MAX_KEPT = 1_000;
/** Statistics that took less time are not cached. */
const CHEAP_MS = 100;
/** Maximum share of the time that counting takes, for any number of readers. */
const MAX_SHARE = 1 / 20;

interface Question {
  database: TransactionalQueryable;
  workspaceId: string;
  days: number;
  timeZone: string;
}

/** Statistics of all workspaces, whose IDs are unique. */
const kept = new LRUCache<string, Statistics, Question>({
  max: MAX_KEPT,
  ttl: 1,
  ttlResolution: 0,
  ignoreFetchAbort: true,
  async fetchMethod(_key, _stale, { options, context }) {
    const startedAt = performance.now();
    const statistics = await count(context);
    options.ttl = keepingMs(performance.now() - startedAt);
    return statistics;
  },
});

/** Reads the statistics. Concurrent callers share one count; slow counts are cached for longer. */
export async function readStatistics(
  database: TransactionalQueryable,
  workspaceId: string,
  days: number,
  timeZone: string,
): Promise<Statistics> {
  return kept.forceFetch(`${workspaceId} ${days} ${timeZone}`, { context: { database, workspaceId, days, timeZone } });
}

async function count({ database, workspaceId, days: dayCount, timeZone }: Question): Promise<Statistics> {
  const now = Date.now();
  const days = lastDays(timeZone, now, dayCount);
  const hours = dayCount <= MAX_DAYS_BY_HOUR ? hoursSince(days[0]?.startsAt ?? now, now) : [];
  const [lastDay, dayBefore] = [now - DAY_MS, now - 2 * DAY_MS];
  const times = new Set([...days.map(({ startsAt }) => startsAt), ...hours, lastDay, dayBefore]);
  const inOrder = [...times].sort((one, other) => one - other);
  const scope = acrossOrganizations(database);
  const [counts, totals] = await Promise.all([
    countActivities(scope, workspaceId, inOrder),
    countTotals(scope, workspaceId, now - ACTIVE_DAYS * DAY_MS),
  ]);
  return { days, hours, lastDay, dayBefore, counts, totals };
}

function hoursSince(first: number, now: number): number[] {
  return Array.from({ length: Math.floor((now - first) / HOUR_MS) + 1 }, (_, hour) => first + hour * HOUR_MS);
}

/** Returns how long to cache statistics that took so long to count; never 0, which would mean forever. */
export function keepingMs(tookMs: number): number {
  return tookMs < CHEAP_MS ? 1 : Math.ceil(tookMs / MAX_SHARE);
}
