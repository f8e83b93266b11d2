import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { EventLogExtender } from "../features/events/event-log-extender.ts";
import { EventFeed } from "../features/events/feed.ts";
import type { StartContext } from "./start-context.ts";

/** Opens the feed that wakes readers of the event log. */
export async function openEventFeed({ config, log, resources }: StartContext, database: Database): Promise<EventFeed> {
  const feed = new EventFeed(database, randomUUID(), log);
  const organizationKeys = () => feed.organizationKeys();
  const extender = new EventLogExtender({ database, log, retentionMs: config.eventRetentionMs, organizationKeys });
  resources.defer(() => {
    extender.stop();
    feed.stop();
  });
  return feed;
}
