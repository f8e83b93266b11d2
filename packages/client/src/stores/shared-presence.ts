import type { PresenceConnection, PresenceData } from "../events.ts";
import { newIdempotencyKey } from "../idempotency-key.ts";
import { findPageEvents } from "../tab-page.ts";
import type { StoreContext } from "./session.ts";
import type { Scope } from "./shared-stream.ts";
import { Listeners, type Store } from "./store.ts";

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
const NO_FIELDS: PresenceFields = {};

/** What the pages of a document share about their users: the data of this page, and that of the others. */
export class SharedPresence {
  readonly #context: StoreContext;
  readonly #scope: DocumentScope;
  readonly #connectionId = newIdempotencyKey();
  readonly #listeners = { others: new Listeners<SharingConnection[]>(), mine: new Listeners<PresenceFields>() };
  #others: SharingConnection[] = [];
  #mine = NO_FIELDS;
  #leave: (() => void) | undefined;
  hasFailed = false;
  /** Whether the service has data of this page, or gets some. */
  #isShared = false;
  /** Whether the data has changed since it was sent. */
  #isChanged = false;
  #isSending = false;
  #renewal: ReturnType<typeof setInterval> | undefined;

  constructor(context: StoreContext, scope: DocumentScope) {
    this.#context = context;
    this.#scope = scope;
  }

  /** What the other pages share. */
  readonly others: Store<SharingConnection[]> = {
    getState: () => this.#others,
    subscribe: (listener) => {
      const remove = this.#listeners.others.add(listener);
      this.#startIfStopped();
      listener(this.#others);
      return () => {
        remove();
        this.#stopIfUnused();
      };
    },
  };

  /** What this page shares, as long as it has a listener. */
  readonly mine: Store<PresenceFields> = {
    getState: () => this.#mine,
    subscribe: (listener) => {
      const remove = this.#listeners.mine.add(listener);
      this.#startIfStopped();
      if (this.#listeners.mine.size === 1) this.#beginSharing();
      listener(this.#mine);
      return () => {
        remove();
        if (this.#listeners.mine.size === 0) this.#endSharing();
        this.#stopIfUnused();
      };
    },
  };

  /** Replaces the fields of this page that are given. */
  readonly update = (fields: PresenceFields): void => {
    this.#mine = { ...this.#mine, ...fields };
    this.#listeners.mine.notify(this.#mine);
    // The effect of a child may come before that of its parent, which begins to share.
    if (this.#listeners.mine.size > 0) this.#shareMine();
  };

  #startIfStopped(): void {
    this.#context.active.add(this);
    if (!this.#leave) this.follow();
  }

  #stopIfUnused(): void {
    if (this.#listeners.others.size + this.#listeners.mine.size > 0) return;
    this.#leave?.();
    this.#leave = undefined;
    this.#context.active.delete(this);
    this.#others = [];
  }

  /** Forgets the others, and what this page shares, and follows again as the next user. */
  reset(): void {
    this.#leave?.();
    this.#isShared = false;
    this.#mine = NO_FIELDS;
    this.#listeners.mine.notify(this.#mine);
    this.#setOthers([]);
    queueMicrotask(() => {
      if (this.#listeners.others.size + this.#listeners.mine.size > 0) this.follow();
    });
  }

  /** Follows the others. Starts again if the service has rejected the stream. */
  follow(): void {
    this.hasFailed = false;
    const { leave } = this.#context.streams.follow(this.#scope, {
      onEvent() {},
      onStatus() {},
      onPresenceData: (presence) => this.#receive(presence),
      onError: () => {
        this.hasFailed = true;
        this.#setOthers([]);
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
    this.#setOthers([...others.values()]);
  }

  #setOthers(others: SharingConnection[]): void {
    this.#others = others;
    this.#listeners.others.notify(others);
  }

  #beginSharing(): void {
    const page = findPageEvents();
    page?.addEventListener("pagehide", this.#hide);
    page?.addEventListener("pageshow", this.#sendSoon);
    this.#renewal = setInterval(this.#sendSoon, RENEWAL_MS);
    if (this.#mine !== NO_FIELDS) this.#shareMine();
  }

  #shareMine(): void {
    this.#isShared = true;
    this.#sendSoon();
  }

  #endSharing(): void {
    const page = findPageEvents();
    page?.removeEventListener("pagehide", this.#hide);
    page?.removeEventListener("pageshow", this.#sendSoon);
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
      this.#isShared = this.#listeners.mine.size > 0;
      const pause = new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
      // A call that fails is followed by the next one. The hook of the others has the error of the stream.
      await this.#call(this.#isShared ? this.#mine : undefined).catch(() => {});
      await pause;
    }
    this.#isSending = false;
  }

  async #call(data: PresenceFields | undefined, options = {}): Promise<void> {
    const request = { ...this.#scope, connectionId: this.#connectionId, ...(data && { data }) };
    await this.#context.client.call("/v2/presence/broadcast", request, options);
  }
}

function toKey({ userId, connectionId }: Pick<SharingConnection, "userId" | "connectionId">): string {
  return `${connectionId} ${userId}`;
}
