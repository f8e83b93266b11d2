import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { EventLogExtender } from "../features/events/event-log-extender.ts";
import { EventFeed } from "../features/events/feed.ts";
import { PresenceData } from "../features/presence/data/presence-data.ts";
import { notifyPresence } from "../features/presence/data/presence-data-queries.ts";
import type { StartContext } from "./start-context.ts";

/** What readers of the event logs, and streams, need of this process. */
export interface EventLogs {
  /** Wakes readers. */
  feed: EventFeed;
  /** Keeps the logs written. */
  extender: EventLogExtender;
  /** What pages share about their users. */
  presenceData: PresenceData;
}

/** Opens the feed that wakes readers of the event logs, and what keeps these written. */
export async function openEventLogs({ config, log, resources }: StartContext, database: Database): Promise<EventLogs> {
  const feed = new EventFeed(database, randomUUID(), log);
  const organizationKeys = () => feed.organizationKeys();
  const extender = new EventLogExtender({ database, log, retentionMs: config.eventRetentionMs, organizationKeys });
  const presenceData = new PresenceData((payloads) => notifyPresence(database, payloads), log);
  resources.defer(() => {
    presenceData.stop();
    extender.stop();
    feed.stop();
  });
  return { feed, extender, presenceData };
}
