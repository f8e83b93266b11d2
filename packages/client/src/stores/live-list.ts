import type { AccessRole } from "../api.generated.ts";
import type { Client } from "../client.ts";
import type { ChangeEvent, StreamEvent } from "../events.ts";
import { asError } from "./as-error.ts";
import type { ListContext, ListPage } from "./session.ts";
import type { Scope } from "./shared-stream.ts";
import { Listeners, type Store } from "./store.ts";

/** Records of a list, from its beginning. */
export interface ListState<Record> {
  data: Record[];
  /** Whether the records are being read for the first time, or again after an error. */
  isLoading: boolean;
  /** Why the records are not kept up to date any more. */
  error: Error | undefined;
  /** Whether changes appear as they happen. While the service is away, they appear once it is back. */
  isLive: boolean;
  /** Whether the service has more records. */
  hasMore: boolean;
  /** Role of the user on the document when the records were read, if the service has said it. */
  accessRole: AccessRole | undefined;
}

/** How records are read and changed by events. */
export interface LiveSource<Record> {
  scope: Scope;
  /** Number of records of a page; absent if the list has no pages. */
  pageSize?: number | undefined;
  read(
    client: Client<"page">,
    page: { pageSize: number; pageToken?: string },
    signal: AbortSignal,
  ): Promise<ListPage<Record>>;
  /** Returns the records after an event, or `"read"` if they must be read again. The same event may come twice. */
  apply(list: Pick<ListState<Record>, "data" | "hasMore">, event: ChangeEvent): Record[] | "read";
  getId(record: Record): unknown;
}

/** Maximum number of records that the service returns at once. */
const MAX_PAGE_SIZE = 1000;

const LOADING: ListState<never> = {
  data: [],
  isLoading: true,
  error: undefined,
  isLive: false,
  hasMore: false,
  accessRole: undefined,
};

/**
 * Reads the records of a source while it has listeners, and keeps them up to date. Events make the list no longer than
 * it was read: they push the last records out, which `loadMore` reads again.
 */
export class LiveList<Record> implements Store<ListState<Record>> {
  readonly #context: ListContext;
  readonly #source: LiveSource<Record>;
  readonly #listeners = new Listeners<ListState<Record>>();
  #state: ListState<Record>;
  #isStreamOpen = false;
  /** Token of the next page. Undefined if there is none, or since records were pushed out. */
  #pageToken: string | undefined;
  #maxLength: number;
  /** Events since the records are being read, which may be newer. Undefined while none are read. */
  #recent: ChangeEvent[] | undefined;
  /** Whether to read all records again after the ones that are being read. */
  #isOutdated = false;
  #following = new AbortController();

  constructor(context: ListContext, source: LiveSource<Record>) {
    this.#context = context;
    this.#source = source;
    this.#maxLength = source.pageSize ?? Number.POSITIVE_INFINITY;
    this.#following.abort();
    const { initialPage, register } = context;
    this.#state = initialPage ? toState(castPage<Record>(initialPage)) : LOADING;
    register(this);
  }

  get hasFailed(): boolean {
    return this.#state.error !== undefined;
  }

  readonly getState = (): ListState<Record> => this.#state;

  /** The list follows changes while it has a listener. A new listener restarts a list that has failed. */
  readonly subscribe = (listener: (state: ListState<Record>) => void): (() => void) => {
    const remove = this.#listeners.add(listener);
    this.#context.active.add(this);
    if (this.#following.signal.aborted) this.follow();
    listener(this.#state);
    return () => {
      remove();
      // The next component of a page may listen at once.
      queueMicrotask(() => this.#stopIfUnused());
    };
  };

  /** Restarts the list, and all others that have failed: lists fail together if their stream does. */
  readonly retry = (): void => {
    for (const each of this.#context.active) if (each === this || each.hasFailed) each.follow();
  };

  /** Reads the records and follows their changes. Starts again if it has followed them before. */
  follow(): void {
    this.#leave();
    this.#following = new AbortController();
    const { signal } = this.#following;
    this.#recent = undefined;
    // Records that a server has read are shown until they are read again.
    const isInitial = this.#context.initialPage !== undefined && !this.hasFailed;
    this.#change({ isLoading: this.#state.isLoading || !isInitial, error: undefined });
    const { ready, leave } = this.#context.streams.follow(this.#source.scope, {
      onEvent: (event) => this.#onEvent(event),
      onStatus: (status) => {
        this.#isStreamOpen = status === "open";
        this.#change({});
      },
      onError: (error) => this.#fail(error, signal),
    });
    signal.addEventListener("abort", leave);
    ready
      .then(async () => {
        if (!signal.aborted) await this.#readAll(this.#maxLength);
      })
      .catch((error: unknown) => this.#fail(error, signal));
  }

  /** Reads the records again while the list has listeners, which see the last ones until then. */
  refresh(): void {
    if (!this.#following.signal.aborted) this.#readAgain();
  }

  #leave(): void {
    this.#following.abort();
  }

  #stopIfUnused(): void {
    if (this.#listeners.size > 0) return;
    this.#forget();
    this.#context.active.delete(this);
  }

  #forget(): void {
    this.#leave();
    this.#recent = undefined;
    this.#isStreamOpen = false;
    this.#pageToken = undefined;
    this.#maxLength = this.#source.pageSize ?? Number.POSITIVE_INFINITY;
    this.#change(LOADING);
  }

  reset(): void {
    this.#forget();
    // A page that shows the next user listens to other stores then.
    queueMicrotask(() => {
      if (this.#listeners.size > 0 && this.#following.signal.aborted) this.follow();
    });
  }

  /** Reads the next page, unless records are being read already. Throws if that fails. */
  readonly loadMore = async (): Promise<void> => {
    const { pageSize = MAX_PAGE_SIZE } = this.#source;
    const pageToken = this.#pageToken;
    if (this.#state.isLoading || !this.#state.hasMore || this.#recent) return;
    if (pageToken === undefined) return this.#readAll(this.#state.data.length + pageSize);
    await this.#read(async (signal) => {
      const next = await this.#source.read(this.#context.client, { pageSize, pageToken }, signal);
      const { data } = this.#state;
      const known = new Set(data.map(this.#source.getId));
      return { ...next, data: [...data, ...next.data.filter((record) => !known.has(this.#source.getId(record)))] };
    });
  };

  /** Reads the first records without following their changes. */
  readPage(): Promise<ListPage<Record>> {
    const { pageSize = MAX_PAGE_SIZE } = this.#source;
    return this.#source.read(this.#context.client, { pageSize }, new AbortController().signal);
  }

  /** Reads the list from its beginning, up to a number of records. */
  async #readAll(count: number): Promise<void> {
    await this.#read(async (signal) => {
      const data: Record[] = [];
      for (let pageToken: string | undefined; ; ) {
        const page = { pageSize: Math.min(MAX_PAGE_SIZE, count - data.length), ...(pageToken && { pageToken }) };
        const next = await this.#source.read(this.#context.client, page, signal);
        data.push(...next.data);
        pageToken = next.pageToken;
        if (pageToken === undefined || data.length >= count) return { ...next, data };
      }
    });
  }

  /** Shows what a task reads, and then applies the events of the meantime to it. */
  async #read(task: (signal: AbortSignal) => Promise<ListPage<Record>>): Promise<void> {
    const { signal } = this.#following;
    const recent: ChangeEvent[] = [];
    this.#recent = recent;
    this.#isOutdated = false;
    try {
      const { data, pageToken, accessRole } = await task(signal);
      if (signal.aborted) return;
      this.#recent = undefined;
      this.#pageToken = pageToken;
      if (this.#source.pageSize !== undefined) this.#maxLength = Math.max(this.#source.pageSize, data.length);
      this.#change({ data, isLoading: false, error: undefined, hasMore: pageToken !== undefined, accessRole });
      // The first of them may have begun another read, which then includes the others.
      for (const event of recent) if (!this.#recent) this.#apply(event);
    } catch (error) {
      if (signal.aborted) return;
      this.#recent = undefined;
      throw error;
    } finally {
      if (!signal.aborted && this.#isOutdated) this.#readAgain();
    }
  }

  #readAgain(): void {
    this.#isOutdated = true;
    if (this.#recent) return;
    const { signal } = this.#following;
    this.#readAll(this.#maxLength).catch((error: unknown) => this.#fail(error, signal));
  }

  /** Reports an error and ends the reports, because the list is incomplete from now on. */
  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#change({ isLoading: false, error: asError(error) });
    this.#leave();
  }

  #onEvent(event: StreamEvent): void {
    // A deletion of a user changes any records, and is one event.
    if (event.event === "reset" || event.event === "user_data.deleted") this.#readAgain();
    else {
      this.#recent?.push(event);
      if (!this.#state.isLoading) this.#apply(event);
    }
  }

  #apply(event: ChangeEvent): void {
    const data = this.#source.apply(this.#state, event);
    if (data === "read") this.#readAgain();
    // While the next page is read, the list must end where that page begins.
    else if (this.#recent || data.length <= this.#maxLength) this.#change({ data });
    else {
      this.#pageToken = undefined;
      this.#change({ data: data.slice(0, this.#maxLength), hasMore: true });
    }
    // The other records of the service, if there are any, take the place of those that have left the list.
    if (this.#state.data.length === 0 && this.#state.hasMore) this.#readAgain();
  }

  #change(changes: Partial<ListState<Record>>): void {
    const state = { ...this.#state, ...changes };
    state.isLive = this.#isStreamOpen && !state.isLoading && state.error === undefined;
    if (isSame(state, this.#state)) return;
    this.#state = state;
    this.#listeners.notify(state);
  }
}

function toState<Record>({ data, pageToken, accessRole }: ListPage<Record>): ListState<Record> {
  return { ...LOADING, data, isLoading: false, hasMore: pageToken !== undefined, accessRole };
}

/** Casts records that a server has read for the store with the same name, and so the same type. */
function castPage<Record>(page: ListPage<unknown>): ListPage<Record> {
  return page as ListPage<Record>;
}

/** Returns whether two states have the same fields. */
function isSame<Record>(state: ListState<Record>, other: ListState<Record>): boolean {
  return (Object.keys(state) as (keyof ListState<Record>)[]).every((name) => state[name] === other[name]);
}
