import { RECORD_LIMITS } from "../../../config/limits.ts";
import type { PresenceSubscription, UnloggedEvent } from "../../../contract/presence-sharing.ts";

/** Maximum number of connections with data in a document, and of one user among them. */
export const MAX_CONNECTIONS = RECORD_LIMITS.presenceConnections;
export const MAX_CONNECTIONS_OF_USER = RECORD_LIMITS.presenceConnectionsOfUser;
/** Name of the event with the data of users in a document. */
const EVENT = "presence.data";

/** The data that a connection shares. */
export interface SharedData {
  document: DocumentPresence;
  workspaceId: string;
  userId: string;
  connectionId: string;
  /** JSON text of an object. */
  data: string;
  /** Time at which it was sent, by the clock of `performance`. */
  sentAt: number;
}

/** The data in a document, by connection, and its readers. */
export class DocumentPresence {
  readonly key: string;
  readonly documentId: string;
  readonly readers = new Set<PresenceReader>();
  readonly #shared = new Map<string, SharedData>();

  constructor(key: string, documentId: string) {
    this.key = key;
    this.documentId = documentId;
  }

  get isEmpty(): boolean {
    return this.#shared.size === 0 && this.readers.size === 0;
  }

  /** Returns whether the document has room for no connection more, and this one is not among those that it has. */
  isFullFor(userId: string, connectionId: string): boolean {
    return this.#shared.size >= MAX_CONNECTIONS && !this.#shared.has(toKey({ userId, connectionId }));
  }

  /** Returns the data of a user, or of one connection, in the order in which the connections came. */
  findAll(userId: string, connectionId?: string): SharedData[] {
    if (connectionId !== undefined) return [this.#shared.get(toKey({ userId, connectionId })) ?? []].flat();
    return this.all().filter((shared) => shared.userId === userId);
  }

  all(): SharedData[] {
    return [...this.#shared.values()];
  }

  /** Replaces the data of a connection. Returns what it replaces. */
  set(shared: SharedData): SharedData | undefined {
    const key = toKey(shared);
    const before = this.#shared.get(key);
    this.#shared.set(key, shared);
    for (const reader of this.readers) reader.offer(this, key, toText(shared));
    return before;
  }

  delete(shared: SharedData): void {
    const key = toKey(shared);
    if (this.#shared.get(key) !== shared) return;
    this.#shared.delete(key);
    const { userId, connectionId } = shared;
    for (const reader of this.readers) reader.offer(this, key, JSON.stringify({ userId, connectionId }));
  }
}

/** A stream that reads the data in documents. A slow one gets only the newest of each connection. */
export class PresenceReader implements PresenceSubscription {
  readonly #organizationId: string;
  readonly #documents: readonly DocumentPresence[];
  readonly #wake: () => void;
  readonly #left: (document: DocumentPresence) => void;
  /** JSON texts of what is new in each document, by connection. */
  #news = new Map<DocumentPresence, Map<string, string>>();
  /** Whether everything is to be taken, and not only what is new. */
  #isNew = true;

  /** `left` is called with each document when the reader ends. */
  constructor(
    organizationId: string,
    documents: readonly DocumentPresence[],
    wake: () => void,
    left: (document: DocumentPresence) => void,
  ) {
    this.#organizationId = organizationId;
    this.#documents = documents;
    this.#wake = wake;
    this.#left = left;
    for (const { readers } of documents) readers.add(this);
  }

  get hasNews(): boolean {
    return this.#isNew || this.#news.size > 0;
  }

  offer(document: DocumentPresence, key: string, text: string): void {
    if (this.#isNew) return;
    const news = this.#news.get(document) ?? new Map<string, string>();
    this.#news.set(document, news.set(key, text));
    this.#wake();
  }

  take(): UnloggedEvent[] {
    const news = [...this.#news];
    this.#news = new Map();
    if (!this.#isNew) return news.map(([document, texts]) => this.#toEvent(document, texts.values(), ""));
    this.#isNew = false;
    return this.#documents.map((document) => this.#toEvent(document, document.all().map(toText), ',"isComplete":true'));
  }

  end(): void {
    for (const document of this.#documents) {
      document.readers.delete(this);
      this.#left(document);
    }
  }

  #toEvent({ documentId }: DocumentPresence, texts: Iterable<string>, end: string): UnloggedEvent {
    const place = JSON.stringify({ organizationId: this.#organizationId, documentId }).slice(0, -1);
    return { event: EVENT, data: `${place},"connections":[${[...texts].join(",")}]${end}}` };
  }
}

function toKey({ userId, connectionId }: Pick<SharedData, "userId" | "connectionId">): string {
  return `${connectionId} ${userId}`;
}

/** Returns the JSON text of a connection with its data. */
function toText({ userId, connectionId, data }: SharedData): string {
  return `${JSON.stringify({ userId, connectionId }).slice(0, -1)},"data":${data}}`;
}
