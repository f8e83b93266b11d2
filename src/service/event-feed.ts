import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { EventFeed } from "../features/events/feed.ts";
import { KeptLogs } from "../features/events/kept-logs.ts";
import type { StartContext } from "./start-context.ts";

/** Opens the feed that wakes readers of the event log. */
export async function openEventFeed({ config, log, resources }: StartContext, database: Database): Promise<EventFeed> {
  const feed = new EventFeed(database, randomUUID(), log);
  const logs = new KeptLogs({ database, log, retentionMs: config.eventRetentionMs, watched: () => feed.watched() });
  resources.defer(() => {
    logs.stop();
    feed.stop();
  });
  return feed;
}
