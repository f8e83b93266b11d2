import type { Logger } from "pino";
import type { EventInterest, EventSubscription } from "../../contract/event-reading.ts";
import type { Database } from "../../database/database.ts";
import { EVENTS_TOPIC } from "../event-log/queries.ts";
import { OrganizationReaders, Reader } from "./organization-readers.ts";
import { MAX_NEWS, notifyReaders, selectNews, selectPositions, selectWithExpired } from "./queries.ts";

/** Time for which commits of this process are gathered before the logs are read: one statement reads many logs. */
const READING_MS = 10;
/** Time for which the news of a process are gathered before they are sent to the others. */
const TELLING_MS = 20;
/** Interval at which readers look for events of which they have not been told. */
const POLL_MS = 1_000;
/**
 * Time after which readers check whether they may still read, once that may have changed. The roles of users are cached
 * for half a second, so an earlier check might find what was.
 */
const RECHECK_MS = 600;
/** PostgreSQL limits a payload to 7,999 bytes; a key takes 33 with its separator. */
const MAX_KEYS = 200;
const ALL = "*";

/** Readers of an organization, whose log is read once for all of them. */
class Watched extends OrganizationReaders {
  isReading = false;
  /** Whether the log may have grown since it was read. */
  isStale = false;
  recheck: NodeJS.Timeout | undefined;
}

/**
 * Wakes those who wait for new events of an organization: a moment after a commit of this or another process, and
 * within a second if the news are lost.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #id: string;
  readonly #watched = new Map<string, Watched>();
  /** Organizations with commits of this process that its own readers, and other processes, have not been told of. */
  readonly #unread = new Set<string>();
  readonly #untold = new Set<string>();
  readonly #endTopics: () => void;
  readonly #poll: NodeJS.Timeout;
  #recheck: NodeJS.Timeout | undefined;
  #isStopping = false;

  /** `id` distinguishes this process from others. */
  constructor(database: Database, id: string, log: Logger) {
    this.#database = database;
    this.#id = id;
    this.#log = log;
    this.#endTopics = database.onTopics((topics) => this.#publish(topics));
    this.#poll = setInterval(() => void this.#lookForMissed(), POLL_MS).unref();
  }

  subscribe(organizationKey: string, interest: EventInterest): EventSubscription {
    const reader = new Reader(interest);
    const watched = this.#watched.get(organizationKey) ?? new Watched();
    this.#watched.set(organizationKey, watched);
    watched.add(reader);
    return {
      next: async (position, waitMs) => {
        watched.join(reader, position);
        if (!this.#isStopping) await reader.wait(waitMs);
        return this.#isStopping ? { reason: "stopping", position } : reader.take(watched.position ?? position);
      },
      end: () => {
        reader.mustRead();
        watched.delete(reader);
        if (watched.isEmpty && this.#watched.get(organizationKey) === watched) {
          this.#watched.delete(organizationKey);
        }
      },
    };
  }

  /** Returns the keys of the organizations that have readers at this process. */
  watched(): string[] {
    return [...this.#watched.keys()];
  }

  /** Takes a payload of the channel. */
  receive(payload: string): void {
    const [id, keys = ""] = payload.split(" ");
    if (id === this.#id) return;
    for (const key of keys === ALL ? this.#watched.keys() : keys.split(",")) void this.#read(key);
  }

  /** Has all readers check whether they may still read, soon and once for many calls. */
  recheckCallers(): void {
    this.#recheck ??= setTimeout(() => {
      this.#recheck = undefined;
      for (const readers of this.#watched.values()) for (const reader of readers) reader.mustCheck();
    }, RECHECK_MS).unref();
  }

  /** Wakes all who wait, and lets nobody wait any more. */
  stop(): void {
    this.#isStopping = true;
    this.#endTopics();
    clearInterval(this.#poll);
    for (const readers of this.#watched.values()) for (const reader of readers) reader.mustRead();
  }

  #publish(topics: ReadonlySet<string>): void {
    for (const topic of topics) {
      if (!topic.startsWith(EVENTS_TOPIC)) continue;
      const key = topic.slice(EVENTS_TOPIC.length);
      if (this.#unread.size === 0) setTimeout(() => this.#readAll(), READING_MS).unref();
      if (this.#untold.size === 0) setTimeout(() => void this.#tellOthers(), TELLING_MS).unref();
      this.#unread.add(key);
      this.#untold.add(key);
    }
  }

  #readAll(): void {
    const keys = [...this.#unread];
    this.#unread.clear();
    for (const key of keys) void this.#read(key);
  }

  async #tellOthers(): Promise<void> {
    const keys = [...this.#untold];
    this.#untold.clear();
    try {
      await notifyReaders(this.#database, `${this.#id} ${keys.length > MAX_KEYS ? ALL : keys.join(",")}`);
    } catch (err) {
      this.#log.warn({ err }, "other processes could not be told of new events; they will look for them");
    }
  }

  async #lookForMissed(): Promise<void> {
    const keys = [...this.#watched.keys()];
    if (keys.length === 0) return;
    try {
      const positions = await selectPositions(this.#database, keys);
      for (const key of keys) {
        const known = this.#watched.get(key)?.position;
        if (known !== undefined && known !== (positions.get(key) ?? 0)) void this.#read(key);
      }
      for (const key of await selectWithExpired(this.#database, keys)) {
        for (const reader of this.#watched.get(key) ?? []) reader.mustCheck();
      }
    } catch (err) {
      this.#log.warn({ err }, "the positions of event logs could not be read");
    }
  }

  /** Reads what is new in the log of an organization, if anybody waits for it, and wakes those whom it concerns. */
  async #read(organizationKey: string): Promise<void> {
    const watched = this.#watched.get(organizationKey);
    if (!watched) return;
    watched.isStale = true;
    if (watched.isReading) return;
    watched.isReading = true;
    try {
      while (watched.isStale && !watched.isEmpty) {
        watched.isStale = false;
        await this.#advance(organizationKey, watched);
      }
    } catch (err) {
      this.#log.warn({ err }, "an event log could not be read; its readers will look for themselves");
      for (const reader of watched) reader.mustRead();
    } finally {
      watched.isReading = false;
    }
  }

  async #advance(organizationKey: string, watched: Watched): Promise<void> {
    const { position: after } = watched;
    if (after === undefined) {
      // Nobody has read yet. Whoever is about to must read again.
      for (const reader of watched) reader.mustRead();
      return;
    }
    const { events, last } = await selectNews(this.#database, organizationKey, after);
    // The log of a restored database is shorter.
    if (last < after) for (const reader of watched) reader.mustRead();
    watched.isStale ||= events.length === MAX_NEWS;
    const position = events.length === MAX_NEWS ? (events.at(-1)?.position ?? last) : last;
    if (watched.advance(events, position)) {
      watched.recheck ??= setTimeout(() => {
        watched.recheck = undefined;
        for (const reader of watched) reader.mustCheck();
      }, RECHECK_MS).unref();
    }
  }
}
