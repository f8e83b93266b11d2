import { LRUCache } from "lru-cache";
import type { Database } from "../../database/database.ts";
import { countActivities, countTotals, type DayCount, type Totals } from "./queries.ts";

export interface Figures {
  /** Days since the epoch, in UTC. */
  today: number;
  counts: DayCount[];
  totals: Totals;
}

const MAX_KEPT = 1_000;
/** What took less to count is counted anew each time. */
const CHEAP_MS = 100;
/** Counting takes at most this share of the time, however many look at it. */
const MAX_SHARE = 1 / 20;

interface Question {
  database: Database;
  workspaceId: string;
  days: number;
}

/** Of each database; no figure is of another one. */
const kept = new WeakMap<Database, LRUCache<string, Figures, Question>>();

/** Callers who ask for the same while it is counted share the answer; what takes long to count is kept for longer. */
export async function readFigures(database: Database, workspaceId: string, days: number): Promise<Figures> {
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

/** For how long to keep what took so long to count; never 0, which would be for ever. */
export function keepingMs(tookMs: number): number {
  return tookMs < CHEAP_MS ? 1 : Math.ceil(tookMs / MAX_SHARE);
}
