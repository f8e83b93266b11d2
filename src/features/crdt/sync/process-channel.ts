import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Queryable } from "../../../database/statement.ts";
import { sendToProcesses } from "../stored/crdt-update-queries.ts";
import { buildChangeMessages, type ChannelKey, type ProcessMessage } from "../stored/notify-processes.ts";

/** Time for which changes of this process are gathered before they are sent to the others. */
const GATHER_CHANGES_MS = 20;
/** Number of characters of Base64 in a payload, which has at most 7,999 bytes. */
const MAX_CHARACTERS = 7_500;
/** Size up to which the cursor and name of a user are sent to other processes. */
const MAX_AWARENESS_BYTES = 64 * 1024;

interface Receiver {
  changed(key: ChannelKey): void;
  awarenessReceived(key: ChannelKey, update: Uint8Array): void;
  awarenessRequested(key: ChannelKey): void;
}

/** Sends changes and cursors to other processes, which find lost changes when they poll. */
export class ProcessChannel {
  readonly #database: Queryable;
  readonly #log: Logger;
  readonly #receiver: Receiver;
  readonly #id = randomUUID();
  readonly #changed = new Set<ChannelKey>();
  #sentUpdates = 0;
  /** The awareness update that each other process is sending, as far as it has arrived. */
  readonly #arriving = new Map<string, { update: number; text: string }>();

  constructor(database: Queryable, log: Logger, receiver: Receiver) {
    this.#database = database;
    this.#log = log;
    this.#receiver = receiver;
  }

  /** Notifies the other processes of a change, together with concurrent ones. */
  sendChange(key: ChannelKey): void {
    if (this.#changed.size === 0) setTimeout(() => this.#sendChanges(), GATHER_CHANGES_MS).unref();
    this.#changed.add(key);
  }

  /** Sends cursors and names, unless they are too large. */
  sendAwareness(key: ChannelKey, update: Uint8Array): void {
    if (update.length > MAX_AWARENESS_BYTES) return;
    const text = Buffer.from(update).toString("base64");
    const number = ++this.#sentUpdates;
    const parts: ProcessMessage[] = [];
    for (let start = 0; start < text.length; start += MAX_CHARACTERS) {
      const end = start + MAX_CHARACTERS;
      const part = { update: number, awareness: text.slice(start, end), start, isLast: end >= text.length };
      parts.push({ from: this.#id, key, ...part });
    }
    this.#send(parts.map((part) => JSON.stringify(part)));
  }

  requestAwareness(key: ChannelKey): void {
    const message: ProcessMessage = { from: this.#id, key, requestsAwareness: true };
    this.#send([JSON.stringify(message)]);
  }

  /** Receives a payload of the channel. */
  receive(payload: string): void {
    const message = parseMessage(payload);
    if (message.from === this.#id) return;
    if ("changed" in message) for (const key of message.changed) this.#receiver.changed(key);
    else if ("requestsAwareness" in message) this.#receiver.awarenessRequested(message.key);
    else this.#receiveAwareness(message);
  }

  /** Joins the parts of an update. Drops an update of which parts are missing or out of order: the next one follows. */
  #receiveAwareness({
    from,
    key,
    update,
    awareness,
    start,
    isLast,
  }: Extract<ProcessMessage, { awareness: string }>): void {
    const arrived = this.#arriving.get(from);
    const before = arrived?.update === update ? arrived.text : "";
    if (before.length !== start) return;
    const text = before + awareness;
    if (!isLast) {
      this.#arriving.set(from, { update, text });
      return;
    }
    this.#arriving.delete(from);
    this.#receiver.awarenessReceived(key, Buffer.from(text, "base64"));
  }

  #sendChanges(): void {
    this.#send(buildChangeMessages(this.#id, [...this.#changed]));
    this.#changed.clear();
  }

  /** Sends payloads in one statement: other connections would deliver the parts of an update in another order. */
  #send(payloads: string[]): void {
    sendToProcesses(this.#database, payloads).catch((err: unknown) => {
      this.#log.warn({ err }, "other processes could not be notified of changes; their next poll finds them");
    });
  }
}

/** Casts a payload: only this service sends on the channel. */
function parseMessage(payload: string): ProcessMessage {
  return JSON.parse(payload) as ProcessMessage;
}
