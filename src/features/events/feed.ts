import type { Logger } from "pino";
import { ACCESS_CHECK_MS, type EventInterest, type EventSubscription } from "../../contract/event-reading.ts";
import type { Database } from "../../database/database.ts";
import { type OrganizationKey, toOrganizationKey } from "../../database/keys.ts";
import { EVENTS_TOPIC } from "../event-log/event-log-queries.ts";
import { acrossOrganizations, storedOrganization } from "../tenancy/organization-scope.ts";
import {
  MAX_NEW_EVENTS,
  notifyProcesses,
  selectLogPositions,
  selectNewEvents,
  selectWithExpired,
} from "./event-queries.ts";
import { OrganizationReaders, Reader } from "./organization-readers.ts";

/** Time for which commits of this process are gathered before the logs are read: one statement reads many logs. */
const GATHER_READS_MS = 10;
/** Time for which commits of this process are gathered before other processes are notified of them. */
const GATHER_NOTIFICATIONS_MS = 20;
/** Interval at which the feed looks for events of which it has not been notified. */
const POLL_MS = 1_000;
/** PostgreSQL limits a payload to 7,999 bytes; a key takes 33 with its separator. */
const MAX_KEYS = 200;
const ALL = "*";

/** Readers of the event log of an organization, which is read once for all of them. */
class LogReaders extends OrganizationReaders {
  isReading = false;
  /** Whether the log may have grown since it was read. */
  isStale = false;
  recheck: NodeJS.Timeout | undefined;
}

/**
 * Wakes those who wait for new events of an organization: a moment after a commit of this or another process, and
 * within a second if the notification is lost.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #id: string;
  readonly #readers = new Map<OrganizationKey, LogReaders>();
  /** Keys of the organizations with commits of this process whose logs were not read since. */
  readonly #unread = new Set<OrganizationKey>();
  /** Keys of those of which other processes have not been notified. */
  readonly #unsent = new Set<OrganizationKey>();
  readonly #endTopics: () => void;
  readonly #poll: NodeJS.Timeout;
  #recheck: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isStopping = false;

  /** `id` distinguishes this process from others. */
  constructor(database: Database, id: string, log: Logger) {
    this.#database = database;
    this.#id = id;
    this.#log = log;
    this.#endTopics = database.onTopics((topics) => this.#handleTopics(topics));
    this.#poll = setInterval(() => void this.#lookForMissed(), POLL_MS).unref();
  }

  subscribe(organizationKey: OrganizationKey, interest: EventInterest): EventSubscription {
    const reader = new Reader(interest, this.#readers.get(organizationKey) ?? this.#newReaders(organizationKey));
    if (this.#isStopping) reader.end();
    return reader;
  }

  #newReaders(organizationKey: OrganizationKey): LogReaders {
    const readers = new LogReaders(() => {
      if (this.#readers.get(organizationKey) === readers) this.#readers.delete(organizationKey);
    });
    this.#readers.set(organizationKey, readers);
    return readers;
  }

  /** Returns the keys of the organizations that have readers at this process. */
  organizationKeys(): OrganizationKey[] {
    return [...this.#readers.keys()];
  }

  /** Takes a payload of the channel. */
  receive(payload: string): void {
    const [id, keys = ""] = payload.split(" ");
    if (id === this.#id) return;
    for (const key of keys === ALL ? this.#readers.keys() : keys.split(",").map(toOrganizationKey))
      void this.#read(key);
  }

  /** Requests an access check from all readers, soon and once for many calls. */
  recheckCallers(): void {
    this.#recheck ??= setTimeout(() => {
      this.#recheck = undefined;
      for (const readers of this.#readers.values()) for (const reader of readers) reader.requestAccessCheck();
    }, ACCESS_CHECK_MS).unref();
  }

  /** Wakes all who wait, and lets nobody wait any more. */
  stop(): void {
    this.#isStopping = true;
    this.#endTopics();
    clearInterval(this.#poll);
    for (const readers of this.#readers.values()) for (const reader of readers) reader.end();
  }

  #handleTopics(topics: ReadonlySet<string>): void {
    for (const topic of topics) {
      if (!topic.startsWith(EVENTS_TOPIC)) continue;
      const key = toOrganizationKey(topic.slice(EVENTS_TOPIC.length));
      if (this.#unread.size === 0) setTimeout(() => this.#readAll(), GATHER_READS_MS).unref();
      if (this.#unsent.size === 0) {
        setTimeout(() => void this.#notifyOthers(), GATHER_NOTIFICATIONS_MS).unref();
      }
      this.#unread.add(key);
      this.#unsent.add(key);
    }
  }

  #readAll(): void {
    const keys = [...this.#unread];
    this.#unread.clear();
    for (const key of keys) void this.#read(key);
  }

  async #notifyOthers(): Promise<void> {
    const keys = [...this.#unsent];
    this.#unsent.clear();
    try {
      await notifyProcesses(this.#database, `${this.#id} ${keys.length > MAX_KEYS ? ALL : keys.join(",")}`);
    } catch (err) {
      this.#log.warn({ err }, "other processes could not be notified of new events; they will look for them");
    }
  }

  async #lookForMissed(): Promise<void> {
    const keys = [...this.#readers.keys()];
    if (keys.length === 0 || this.#isLooking) return;
    this.#isLooking = true;
    try {
      const positions = await selectLogPositions(acrossOrganizations(this.#database), keys);
      for (const key of keys) {
        const known = this.#readers.get(key)?.position;
        if (known !== undefined && known !== (positions.get(key) ?? 0)) void this.#read(key);
      }
      for (const key of await selectWithExpired(acrossOrganizations(this.#database), keys)) {
        for (const reader of this.#readers.get(key) ?? []) reader.requestAccessCheck();
      }
    } catch (err) {
      this.#log.warn({ err }, "the positions of event logs could not be read");
    } finally {
      this.#isLooking = false;
    }
  }

  /** Reads what is new in the log of an organization, if anybody waits for it, and wakes those whom it concerns. */
  async #read(organizationKey: OrganizationKey): Promise<void> {
    const readers = this.#readers.get(organizationKey);
    if (!readers) return;
    readers.isStale = true;
    if (readers.isReading) return;
    readers.isReading = true;
    try {
      while (readers.isStale && !readers.isEmpty) {
        readers.isStale = false;
        await this.#advance(organizationKey, readers);
      }
    } catch (err) {
      this.#log.warn({ err }, "an event log could not be read; its readers will look for themselves");
      for (const reader of readers) reader.markBehind();
    } finally {
      readers.isReading = false;
    }
  }

  async #advance(organizationKey: OrganizationKey, readers: LogReaders): Promise<void> {
    const { position: after } = readers;
    if (after === undefined) {
      // Nobody has read yet. Whoever is about to must read again.
      for (const reader of readers) reader.markBehind();
      return;
    }
    const { events, last } = await selectNewEvents(storedOrganization(this.#database, organizationKey), after);
    // The log of a restored database is shorter.
    if (last < after) for (const reader of readers) reader.markBehind();
    readers.isStale ||= events.length === MAX_NEW_EVENTS;
    const position = events.length === MAX_NEW_EVENTS ? (events.at(-1)?.position ?? last) : last;
    if (readers.advance(events, position)) {
      readers.recheck ??= setTimeout(() => {
        readers.recheck = undefined;
        for (const reader of readers) reader.requestAccessCheck();
      }, ACCESS_CHECK_MS).unref();
    }
  }
}
