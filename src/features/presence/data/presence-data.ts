import type { Logger } from "pino";
import { limitError } from "../../../contract/limit-error.ts";
import type { PresenceSharing, PresenceSubscription, SentPresence } from "../../../contract/presence-sharing.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import {
  DocumentPresence,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_USER,
  PresenceReader,
  type SharedData,
} from "./document-presence.ts";
import { type Notify, PresenceChannel, type PresenceMessage, parsePayload } from "./presence-channel.ts";

/** Time for which data is kept that is not sent again. Pages send it every 30 s, or every 60 s in the background. */
const KEPT_MS = 90_000;
const EXPIRY_INTERVAL_MS = 5_000;
/** Maximum size of all data at a process. Past that, the workspace with the most loses what it sent longest ago. */
const MAX_LENGTH = 32 * 1024 * 1024;
/** Size that is removed at once, so that few calls have to look for what is oldest. */
const REMOVED_LENGTH = MAX_LENGTH / 16;
/** Memory that the data of a connection takes besides its text, about. */
const OVERHEAD = 1_024;

type Place = Parameters<PresenceSharing["subscribe"]>[0];

/**
 * The data that pages share about their users. Every process keeps that of all processes in memory, so that a newcomer
 * gets it at once. A process that has just started gets it within 30 s, when the pages send it again.
 */
export class PresenceData implements PresenceSharing {
  readonly #channel: PresenceChannel;
  readonly #documents = new Map<string, DocumentPresence>();
  /** All data, in the order in which it was sent. */
  readonly #all = new Set<SharedData>();
  /** Size of the data of each workspace. */
  readonly #lengths = new Map<string, number>();
  #length = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(notify: Notify, log: Logger) {
    this.#channel = new PresenceChannel(notify, log);
    this.#timer = setInterval(() => this.#removeExpired(), EXPIRY_INTERVAL_MS).unref();
  }

  async send(sent: SentPresence): Promise<void> {
    const { organizationKey, documentId, userId, connectionId, data } = sent;
    const document = this.#documents.get(toKey(organizationKey, documentId));
    if (data !== undefined && document?.isFullFor(userId, connectionId)) {
      const message = `The document has the data of ${MAX_CONNECTIONS} connections, the maximum.`;
      throw limitError("presence_data", message);
    }
    await this.#channel.send(sent);
  }

  remove(...left: Parameters<PresenceSharing["remove"]>): void {
    this.#channel.sendLeft(...left);
  }

  subscribe({ organizationKey, organizationId, documentIds }: Place, wake: () => void): PresenceSubscription {
    const documents = documentIds.map((documentId) => this.#open(organizationKey, documentId));
    return new PresenceReader(organizationId, documents, wake, (document) => this.#forgetIfEmpty(document));
  }

  /** Receives a payload of the channel. */
  receive(payload: string): void {
    for (const message of parsePayload(payload)) this.#apply(message);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #open(organizationKey: OrganizationKey, documentId: string): DocumentPresence {
    const key = toKey(organizationKey, documentId);
    const document = this.#documents.get(key) ?? new DocumentPresence(key, documentId);
    this.#documents.set(key, document);
    return document;
  }

  #apply({ organizationKey, documentId, userId, connectionId, sent }: PresenceMessage): void {
    const document = this.#open(organizationKey, documentId);
    if (connectionId === undefined || sent === undefined) {
      for (const shared of document.findAll(userId, connectionId)) this.#remove(shared);
    } else if (!document.isFullFor(userId, connectionId)) {
      this.#add({ document, userId, connectionId, ...sent, sentAt: performance.now() });
    }
    this.#forgetIfEmpty(document);
  }

  #add(shared: SharedData): void {
    const { document, userId } = shared;
    const before = document.set(shared);
    if (before) this.#forget(before);
    this.#all.add(shared);
    this.#count(shared, 1);
    const [oldest, ...others] = document.findAll(userId);
    if (oldest && others.length === MAX_CONNECTIONS_OF_USER) this.#remove(oldest);
    while (this.#length > MAX_LENGTH) this.#removeOldest(this.#findLargest());
  }

  #findLargest(): string {
    let largest = "";
    for (const [workspaceId, length] of this.#lengths) {
      if (length > (this.#lengths.get(largest) ?? 0)) largest = workspaceId;
    }
    return largest;
  }

  #removeOldest(workspaceId: string): void {
    const until = this.#length - REMOVED_LENGTH;
    for (const shared of this.#all) {
      if (this.#length <= until) break;
      if (shared.workspaceId === workspaceId) this.#remove(shared);
    }
  }

  #count({ workspaceId, data }: SharedData, sign: 1 | -1): void {
    const change = sign * (data.length + OVERHEAD);
    const length = (this.#lengths.get(workspaceId) ?? 0) + change;
    if (length > 0) this.#lengths.set(workspaceId, length);
    else this.#lengths.delete(workspaceId);
    this.#length += change;
  }

  #removeExpired(): void {
    const until = performance.now() - KEPT_MS;
    for (const shared of this.#all) {
      if (shared.sentAt > until) break;
      this.#remove(shared);
    }
  }

  #remove(shared: SharedData): void {
    this.#forget(shared);
    shared.document.delete(shared);
    this.#forgetIfEmpty(shared.document);
  }

  #forget(shared: SharedData): void {
    if (this.#all.delete(shared)) this.#count(shared, -1);
  }

  #forgetIfEmpty(document: DocumentPresence): void {
    if (document.isEmpty) this.#documents.delete(document.key);
  }
}

function toKey(organizationKey: OrganizationKey, documentId: string): string {
  return `${organizationKey} ${documentId}`;
}
