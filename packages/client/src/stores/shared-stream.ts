import type { Client } from "../client.ts";
import { ColloquyError } from "../errors.ts";
import type { PresenceData, StreamEvent } from "../events.ts";
import type { StreamStatus } from "../stream.ts";

/** What a list follows: a document, in which the stream also keeps the user online, or the inbox of the user. */
export interface Scope {
  organizationId: string;
  /** Undefined for the inbox, or for all activities. */
  documentId?: string | undefined;
  /** Whether all activities of the organization are followed, instead of a document. */
  activities?: boolean | undefined;
}

/** Callbacks of a subscriber to a stream. */
export interface Listener {
  onEvent(event: StreamEvent): void;
  /** Called with what pages share about their users in the document. Without it, the stream may lack this. */
  onPresenceData?(presence: PresenceData): void;
  /** Called when the stream opens, and when its connection is lost. */
  onStatus(status: StreamStatus): void;
  /** Called once, and nothing is called after it. */
  onError(error: unknown): void;
}

/** A listener, and what it follows. */
interface Follower extends Pick<Scope, "activities"> {
  documentId: string | undefined;
  listener: Listener;
  /** Called once the listener is notified of every change from now on. */
  begin(): void;
}

/** A stream that is open, or is being opened. */
interface OpenStream {
  filter: StreamFilter;
  closing: AbortController;
}

/** What a stream follows: documents and the inbox, and in these documents also what pages share. */
interface StreamFilter {
  documentIds?: string[];
  inbox?: true;
  activities?: true;
  presenceIds?: string[];
}

/** A stream as developers see it. */
export interface InspectedStream extends StreamFilter {
  organizationId: string;
  status: StreamStatus;
}

/** Maximum number of documents that the service lets one stream follow. */
const MAX_DOCUMENTS = 100;

/**
 * One stream for all who follow something in an organization: browsers open only six connections to a host over
 * HTTP/1.1. It is opened again, from where it was, when others are followed.
 */
class SharedStream {
  readonly #client: Client<"page">;
  readonly #organizationId: string;
  readonly #followers = new Set<Follower>();
  #open: OpenStream | undefined;
  /** Cursor from which the next stream resumes. */
  #cursor: string | undefined;
  #status: StreamStatus = "connecting";
  #isRefreshing = false;

  constructor(client: Client<"page">, organizationId: string) {
    this.#client = client;
    this.#organizationId = organizationId;
  }

  /** Returns whether it can follow the document too, or the inbox. */
  hasRoomFor(documentId: string | undefined): boolean {
    const { documentIds = [] } = toFilter(this.#followers);
    return documentId === undefined || documentIds.length < MAX_DOCUMENTS || documentIds.includes(documentId);
  }

  /** Returns what the stream follows, and its status. */
  inspect(): InspectedStream {
    return { organizationId: this.#organizationId, status: this.#status, ...toFilter(this.#followers) };
  }

  add({ documentId, activities }: Scope, listener: Listener): { ready: Promise<void>; leave: () => void } {
    let begin = () => {};
    const ready = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const follower = { documentId, activities, listener, begin };
    this.#followers.add(follower);
    listener.onStatus(this.#status);
    this.#refreshSoon();
    const leave = () => {
      this.#followers.delete(follower);
      this.#refreshSoon();
    };
    return { ready, leave };
  }

  /** Refreshes once for all who begin or end to follow together, such as the lists of a page. */
  #refreshSoon(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    queueMicrotask(() => {
      this.#isRefreshing = false;
      this.#refresh();
    });
  }

  /** Opens another stream if the open one does not follow what is followed now. */
  #refresh(): void {
    const filter = toFilter(this.#followers);
    if (this.#open && JSON.stringify(this.#open.filter) === JSON.stringify(filter)) {
      if (this.#cursor !== undefined) this.#begin();
      return;
    }
    this.#open?.closing.abort();
    this.#open = undefined;
    if (this.#followers.size === 0) {
      this.#cursor = undefined;
      this.#status = "connecting";
      return;
    }
    const open = { filter, closing: new AbortController() };
    this.#open = open;
    this.#follow(open).catch((error: unknown) => {
      if (!open.closing.signal.aborted) void this.#fail(error, open);
    });
  }

  /** Notifies the followers that all changes from now on reach them, at the latest when a connection has resumed. */
  #begin(): void {
    for (const { begin } of this.#followers) begin();
  }

  /** Changes the status, which stays while another stream replaces one that is open. */
  #setStatus(status: StreamStatus, open: OpenStream): void {
    if (this.#open !== open || this.#status === status) return;
    this.#status = status;
    for (const { listener } of this.#followers) listener.onStatus(status);
  }

  async #follow(open: OpenStream): Promise<void> {
    const { filter, closing } = open;
    const { signal } = closing;
    const { presenceIds, ...targets } = filter;
    const scope = { organizationId: this.#organizationId, ...targets };
    if (this.#cursor === undefined) {
      const { data } = await this.#client.call("/v2/events/get", { ...scope, pageSize: 1 }, { signal });
      this.#cursor = data.cursor;
    }
    this.#begin();
    const onCursor = (cursor: string) => {
      this.#cursor = cursor;
    };
    const onStatus = (status: StreamStatus) => this.#setStatus(status, open);
    const onPresenceData = (presence: PresenceData) => {
      for (const { documentId, listener } of this.#followers) {
        if (documentId === presence.documentId) listener.onPresenceData?.(presence);
      }
    };
    const options = {
      ...scope,
      cursor: this.#cursor,
      onCursor,
      onStatus,
      signal,
      ...(presenceIds && { onPresenceData }),
    };
    for await (const event of this.#client.events(options)) {
      for (const { documentId, listener } of this.#followers) {
        if (isFor(documentId, event)) listener.onEvent(event);
      }
    }
  }

  /** Notifies the followers whose document or inbox the service rejects, and continues for the others. */
  async #fail(error: unknown, open: OpenStream): Promise<void> {
    const errors = await this.#findErrors(error);
    // A listener may follow again at once.
    for (const follower of [...this.#followers]) {
      if (!errors.has(follower.documentId)) continue;
      this.#followers.delete(follower);
      follower.listener.onError(errors.get(follower.documentId));
    }
    if (this.#open === open) this.#open = undefined;
    this.#refresh();
  }

  /** Returns the errors of what cannot be followed, by document: that of the stream for all, unless only some are. */
  async #findErrors(error: unknown): Promise<Map<string | undefined, unknown>> {
    const forAll = new Map([...this.#followers].map(({ documentId }) => [documentId, error]));
    if (!(error instanceof ColloquyError) || error.isRetryable || forAll.size === 1) return forAll;
    const errors = new Map<string | undefined, unknown>();
    const check = async (documentId: string | undefined) => {
      try {
        const scope = { organizationId: this.#organizationId, ...toFilter([{ documentId, listener: {} }]) };
        await this.#client.call("/v2/events/get", { ...scope, pageSize: 1 });
      } catch (error) {
        errors.set(documentId, error);
      }
    };
    await Promise.all(Array.from(forAll.keys(), check));
    return errors.size > 0 ? errors : forAll;
  }
}

/** Returns what a stream for these followers must follow. */
function toFilter(
  followers: Iterable<Pick<Follower, "documentId" | "activities"> & { listener: Partial<Listener> }>,
): StreamFilter {
  const all = [...followers];
  const documentIds = getDocumentIds(all);
  const presenceIds = getDocumentIds(all.filter(({ listener }) => listener.onPresenceData));
  return {
    ...(documentIds.length > 0 && { documentIds }),
    ...(all.some(({ documentId, activities }) => documentId === undefined && !activities) && { inbox: true }),
    ...(all.some(({ activities }) => activities) && { activities: true }),
    ...(presenceIds.length > 0 && { presenceIds }),
  };
}

function getDocumentIds(followers: Pick<Follower, "documentId">[]): string[] {
  const ids = new Set(followers.map(({ documentId }) => documentId));
  return [...ids].filter((id) => id !== undefined).sort();
}

/** Returns whether an event concerns a document. Without one, it may concern the inbox or the activities. */
function isFor(documentId: string | undefined, event: StreamEvent): boolean {
  return documentId === undefined || !("documentId" in event) || event.documentId === documentId;
}

/** The streams of a client, by organization: one, unless it would follow too many documents. */
export class SharedStreams {
  readonly #client: Client<"page">;
  readonly #streams = new Map<string, SharedStream[]>();

  constructor(client: Client<"page">) {
    this.#client = client;
  }

  inspect(): InspectedStream[] {
    return [...this.#streams.values()].flat().map((stream) => stream.inspect());
  }

  /** Follows a scope. Read records after `ready`: the listener is notified of every later change. */
  follow(scope: Scope, listener: Listener): { ready: Promise<void>; leave: () => void } {
    const { organizationId, documentId } = scope;
    const streams = this.#streams.get(organizationId) ?? [];
    this.#streams.set(organizationId, streams);
    const stream = streams.find((one) => one.hasRoomFor(documentId)) ?? new SharedStream(this.#client, organizationId);
    if (!streams.includes(stream)) streams.push(stream);
    return stream.add(scope, listener);
  }
}
