import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Queryable } from "../../../database/statement.ts";
import type { News } from "../stored/announce.ts";
import { notifyEditors } from "../stored/queries.ts";

/** Time for which the news of a process are gathered before they are sent to the others. */
const GATHERING_MS = 20;
/** Payloads have at most 7,999 bytes. */
const MAX_KEYS = 300;
const MAX_AWARENESS_BYTES = 5_500;

interface Receiver {
  changed(key: string): void;
  awarenessReceived(key: string, update: Uint8Array): void;
  awarenessAsked(key: string): void;
}

/** Exchanges news of editors between processes. Nothing relies on it: what is lost, readers find when they poll. */
export class EditorChannel {
  readonly #database: Queryable;
  readonly #log: Logger;
  readonly #receiver: Receiver;
  readonly #id = randomUUID();
  readonly #changed = new Set<string>();

  constructor(database: Queryable, log: Logger, receiver: Receiver) {
    this.#database = database;
    this.#log = log;
    this.#receiver = receiver;
  }

  /** Tells the other processes of a change, together with others of the same moment. */
  sendChange(key: string): void {
    if (this.#changed.size === 0) setTimeout(() => this.#sendChanges(), GATHERING_MS).unref();
    this.#changed.add(key);
  }

  /** Sends cursors and names, unless they are too large. */
  sendAwareness(key: string, update: Uint8Array): void {
    if (update.length > MAX_AWARENESS_BYTES) return;
    this.#send({ from: this.#id, key, awareness: Buffer.from(update).toString("base64") });
  }

  askForAwareness(key: string): void {
    this.#send({ from: this.#id, key, asks: true });
  }

  /** Takes a payload of the channel. */
  receive(payload: string): void {
    const news = newsOf(payload);
    if (news.from === this.#id) return;
    if ("changed" in news) for (const key of news.changed) this.#receiver.changed(key);
    else if ("asks" in news) this.#receiver.awarenessAsked(news.key);
    else this.#receiver.awarenessReceived(news.key, Buffer.from(news.awareness, "base64"));
  }

  #sendChanges(): void {
    const keys = [...this.#changed];
    this.#changed.clear();
    for (let start = 0; start < keys.length; start += MAX_KEYS) {
      this.#send({ from: this.#id, changed: keys.slice(start, start + MAX_KEYS) });
    }
  }

  #send(news: News): void {
    this.#database.run(notifyEditors(JSON.stringify(news))).catch((err: unknown) => {
      this.#log.warn({ err }, "other processes could not be told of changes in editors; they will look for them");
    });
  }
}

/** Casts a payload: only this service sends on the channel. */
function newsOf(payload: string): News {
  return JSON.parse(payload) as News;
}
