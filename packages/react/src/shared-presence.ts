import { type Client, newIdempotencyKey, type PresenceConnection, type PresenceData } from "@colloquy/client";
import type { Scope, SharedStreams } from "./shared-stream.ts";

/** A document. */
type DocumentScope = Scope & { documentId: string };

/** What a page shares about its user. */
export type PresenceFields = { [field: string]: unknown };

/** Another page that shares data about its user. */
export type SharingConnection = Required<PresenceConnection>;

/** Minimum time between two calls. What changes meanwhile is sent as one. */
const INTERVAL_MS = 100;
/** Interval at which the data is sent again. The service keeps it for 90 s. */
const RENEWAL_MS = 30_000;
/** Data of a page that shares none. */
export const NO_FIELDS: PresenceFields = {};

/** What the pages of a document share about their users: the data of this page, and that of the others. */
export class SharedPresence {
  readonly #client: Client<"page">;
  readonly #streams: SharedStreams;
  readonly #scope: DocumentScope;
  readonly #connectionId = newIdempotencyKey();
  readonly #viewers = new Set<() => void>();
  #others: SharingConnection[] = [];
  #mine = NO_FIELDS;
  #sharers = 0;
  #leave: (() => void) | undefined;
  #hasFailed = false;
  /** Whether the service has data of this page, or gets some. */
  #isShared = false;
  /** Whether the data has changed since it was sent. */
  #isChanged = false;
  #isSending = false;
  #renewal: ReturnType<typeof setInterval> | undefined;

  constructor({ client, streams }: { client: Client<"page">; streams: SharedStreams }, scope: DocumentScope) {
    this.#client = client;
    this.#streams = streams;
    this.#scope = scope;
  }

  readonly getOthers = (): SharingConnection[] => this.#others;

  readonly getMine = (): PresenceFields => this.#mine;

  /** Reports changes to a viewer, until the returned function is called. */
  readonly watch = (viewer: () => void): (() => void) => {
    this.#viewers.add(viewer);
    if (this.#viewers.size === 1) this.#follow();
    return () => {
      this.#viewers.delete(viewer);
      if (this.#viewers.size > 0) return;
      this.#leave?.();
      this.#others = [];
    };
  };

  /** Shares data of this page, as long as at least one viewer of this function does. */
  readonly share = (viewer: () => void): (() => void) => {
    const unwatch = this.watch(viewer);
    this.#sharers += 1;
    if (this.#sharers === 1) this.#beginSharing();
    return () => {
      this.#sharers -= 1;
      if (this.#sharers === 0) this.#endSharing();
      unwatch();
    };
  };

  /** Replaces the fields of this page that are given. */
  readonly update = (fields: PresenceFields): void => {
    this.#mine = { ...this.#mine, ...fields };
    this.#notify();
    // The effect of a child may come before that of its parent, which begins to share.
    if (this.#sharers > 0) this.#shareMine();
  };

  /** Follows the others again if the service has rejected the stream. */
  retry(): void {
    if (this.#hasFailed && this.#viewers.size > 0) this.#follow();
  }

  #follow(): void {
    this.#hasFailed = false;
    const { leave } = this.#streams.follow(this.#scope, {
      onEvent() {},
      onStatus() {},
      onPresenceData: (presence) => this.#receive(presence),
      onError: () => {
        this.#hasFailed = true;
        this.#others = [];
        this.#notify();
      },
    });
    this.#leave = leave;
  }

  #receive({ connections, isComplete }: PresenceData): void {
    const others = new Map(isComplete ? [] : this.#others.map((other) => [toKey(other), other]));
    for (const { data, ...connection } of connections) {
      if (connection.connectionId === this.#connectionId) continue;
      if (data) others.set(toKey(connection), { ...connection, data });
      else others.delete(toKey(connection));
    }
    this.#others = [...others.values()];
    this.#notify();
  }

  #notify(): void {
    for (const viewer of this.#viewers) viewer();
  }

  #beginSharing(): void {
    addEventListener("pagehide", this.#hide);
    addEventListener("pageshow", this.#sendSoon);
    this.#renewal = setInterval(this.#sendSoon, RENEWAL_MS);
    if (this.#mine !== NO_FIELDS) this.#shareMine();
  }

  #shareMine(): void {
    this.#isShared = true;
    this.#sendSoon();
  }

  #endSharing(): void {
    removeEventListener("pagehide", this.#hide);
    removeEventListener("pageshow", this.#sendSoon);
    clearInterval(this.#renewal);
    this.#mine = NO_FIELDS;
    this.#sendSoon();
  }

  /** Removes the data of a page that is closed, or kept for the case that the user returns. */
  readonly #hide = (): void => {
    if (this.#isShared) this.#call(undefined, { keepalive: true }).catch(() => {});
  };

  readonly #sendSoon = (): void => {
    if (!this.#isShared) return;
    this.#isChanged = true;
    if (!this.#isSending) void this.#send();
  };

  /** Sends one call after the other, since concurrent ones may arrive in another order. */
  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#isChanged) {
      this.#isChanged = false;
      this.#isShared = this.#sharers > 0;
      const pause = new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
      // A call that fails is followed by the next one. The hook of the others has the error of the stream.
      await this.#call(this.#isShared ? this.#mine : undefined).catch(() => {});
      await pause;
    }
    this.#isSending = false;
  }

  async #call(data: PresenceFields | undefined, options = {}): Promise<void> {
    const request = { ...this.#scope, connectionId: this.#connectionId, ...(data && { data }) };
    await this.#client.call("/v2/presence/broadcast", request, options);
  }
}

function toKey({ userId, connectionId }: Pick<SharingConnection, "userId" | "connectionId">): string {
  return `${connectionId} ${userId}`;
}
