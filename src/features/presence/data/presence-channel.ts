import type { Logger } from "pino";
import type { PresenceRef, SentPresence } from "../../../contract/presence-sharing.ts";
import type { OrganizationKey } from "../../../database/keys.ts";

/** Time for which data is gathered before it is sent. Of one connection, only the newest is sent then. */
const GATHER_MS = 50;
/** PostgreSQL limits a payload to 7,999 bytes; the largest message takes 6,000. */
const MAX_PAYLOAD_BYTES = 7_900;

/** A message to all processes. Without a connection, it is about all of the user; without data, they have left. */
export interface PresenceMessage extends PresenceRef {
  connectionId?: string;
  /** Data and the workspace that it is of. */
  sent?: { data: string; workspaceId: string };
}

/** Sends payloads to all processes, this one included, in their order. */
export type Notify = (payloads: readonly string[]) => Promise<void>;

/** Sends what pages send about their users to all processes, in the order in which the calls return. */
export class PresenceChannel {
  readonly #notify: Notify;
  readonly #log: Logger;
  /** Messages to send, by connection, or by user if they are about all connections. */
  #gathered = new Map<string, PresenceMessage>();
  #sending: Promise<void> | undefined;

  constructor(notify: Notify, log: Logger) {
    this.#notify = notify;
    this.#log = log;
  }

  /** Sends data with that of others. Returns once all processes have been notified. */
  async send({ workspaceId, organizationKey, documentId, userId, connectionId, data }: SentPresence): Promise<void> {
    const sent = data === undefined ? {} : { sent: { data, workspaceId } };
    const message = { organizationKey, documentId, userId, connectionId, ...sent };
    await this.#gather(`${organizationKey} ${JSON.stringify([documentId, userId, connectionId])}`, message);
  }

  /** Notifies all processes that users have left documents. What is lost expires. */
  sendLeft(organizationKey: OrganizationKey, users: readonly Omit<PresenceRef, "organizationKey">[]): void {
    for (const { documentId, userId } of users) {
      const key = `${organizationKey} ${JSON.stringify([documentId, userId])}`;
      this.#gather(key, { organizationKey, documentId, userId }).catch((err: unknown) => {
        this.#log.warn({ err }, "processes could not be notified of users who have left; their data expires");
      });
    }
  }

  #gather(key: string, message: PresenceMessage): Promise<void> {
    // The newest message is the last one.
    this.#gathered.delete(key);
    this.#gathered.set(key, message);
    this.#sending ??= new Promise((resolve, reject) => {
      setTimeout(() => this.#sendAll().then(resolve, reject), GATHER_MS);
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    const messages = this.#gathered.values();
    this.#gathered = new Map();
    this.#sending = undefined;
    await this.#notify(pack(messages));
  }
}

/** Returns payloads with as many messages as fit. */
function pack(messages: Iterable<PresenceMessage>): string[] {
  const payloads: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const text = JSON.stringify(message);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > MAX_PAYLOAD_BYTES) {
      payloads.push([]);
      bytes = 1;
    }
    bytes += size;
    payloads.at(-1)?.push(text);
  }
  return payloads.map((texts) => `[${texts.join(",")}]`);
}

/** Casts a payload: only this service sends on the channel. */
export function parsePayload(payload: string): PresenceMessage[] {
  return JSON.parse(payload) as PresenceMessage[];
}
