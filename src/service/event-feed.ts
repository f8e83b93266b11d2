import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { EventFeed } from "../features/events/feed.ts";
import type { StartContext } from "./start-context.ts";

/** Opens the feed that wakes readers of the event log. */
export async function openEventFeed({ log, resources }: StartContext, database: Database): Promise<EventFeed> {
  const feed = new EventFeed(database, randomUUID(), log);
  resources.defer(() => feed.stop());
  return feed;
}
