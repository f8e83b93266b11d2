import { LRUCache } from "lru-cache";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { countActivities, countTotals, type DayCount, type Totals } from "./queries.ts";

export interface Figures {
  /** Days since the epoch, in UTC. */
  today: number;
  counts: DayCount[];
  totals: Totals;
}

const MAX_KEPT = 1_000;
/** Figures that took less time are not cached. */
const CHEAP_MS = 100;
/** Maximum share of the time that counting takes, for any number of readers. */
const MAX_SHARE = 1 / 20;

interface Question {
  database: TransactionalQueryable;
  workspaceId: string;
  days: number;
}

/** Caches by database, so that no figure comes from another one. */
const kept = new WeakMap<TransactionalQueryable, LRUCache<string, Figures, Question>>();

/** Reads the figures. Concurrent callers share one count; slow counts are cached for longer. */
export async function readFigures(
  database: TransactionalQueryable,
  workspaceId: string,
  days: number,
): Promise<Figures> {
  const cache = kept.get(database) ?? createCache();
  kept.set(database, cache);
  return cache.forceFetch(`${workspaceId} ${days}`, { context: { database, workspaceId, days } });
}

function createCache(): LRUCache<string, Figures, Question> {
  return new LRUCache<string, Figures, Question>({
    max: MAX_KEPT,
    ttl: 1,
    ttlResolution: 0,
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { options, context }) {
      const startedAt = performance.now();
      const figures = await count(context);
      options.ttl = keepingMs(performance.now() - startedAt);
      return figures;
    },
  });
}

async function count({ database, workspaceId, days }: Question): Promise<Figures> {
  const [activities, totals] = await Promise.all([
    countActivities(database, workspaceId, days),
    countTotals(database, workspaceId),
  ]);
  return { ...activities, totals };
}

/** Returns how long to cache figures that took so long to count; never 0, which would mean forever. */
export function keepingMs(tookMs: number): number {
  return tookMs < CHEAP_MS ? 1 : Math.ceil(tookMs / MAX_SHARE);
}
