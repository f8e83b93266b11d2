import type { AccessRole, ChangeEvent, Client, StreamEvent } from "@colloquy/client";
import { asError } from "./as-error.ts";
import type { Scope, SharedStreams } from "./shared-stream.ts";

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

/** Records that were read at once, with the token of the next page if there is one. */
export interface ListPage<Record> {
  data: Record[];
  pageToken?: string | undefined;
  accessRole?: AccessRole | undefined;
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

export const LOADING: ListState<never> = {
  data: [],
  isLoading: true,
  error: undefined,
  isLive: false,
  hasMore: false,
  accessRole: undefined,
};

/**
 * Reads the records of a source, keeps them up to date, and shows each state to its viewers. Events make the list no
 * longer than it was read: they push the last records out, which `loadMore` reads again.
 */
export class LiveList<Record> {
  readonly #client: Client<"page">;
  readonly #streams: SharedStreams;
  readonly #source: LiveSource<Record>;
  readonly #viewers = new Set<(state: ListState<Record>) => void>();
  #state: ListState<Record> = LOADING;
  #isStreamOpen = false;
  /** Token of the next page. Undefined if there is none, or since records were pushed out. */
  #pageToken: string | undefined;
  #maxLength: number;
  /** Events since the records are being read, which may be newer. Undefined while none are read. */
  #recent: ChangeEvent[] | undefined;
  /** Whether to read all records again after the ones that are being read. */
  #isOutdated = false;
  #following = new AbortController();

  constructor(session: { client: Client<"page">; streams: SharedStreams }, source: LiveSource<Record>) {
    this.#client = session.client;
    this.#streams = session.streams;
    this.#source = source;
    this.#maxLength = source.pageSize ?? Number.POSITIVE_INFINITY;
  }

  get hasFailed(): boolean {
    return this.#state.error !== undefined;
  }

  /** Shows the list to one more viewer. The first one makes it follow, and so does each if it has failed. */
  show(viewer: (state: ListState<Record>) => void): void {
    this.#viewers.add(viewer);
    if (this.#viewers.size === 1 || this.hasFailed) this.follow();
    else viewer(this.#state);
  }

  /** Ends the reports to a viewer. Returns whether it was the last one, after which the list follows nothing. */
  hide(viewer: (state: ListState<Record>) => void): boolean {
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) this.#leave();
    return this.#viewers.size === 0;
  }

  /** Reads the records and follows their changes. Starts again if it has followed them before. */
  follow(): void {
    this.#leave();
    this.#following = new AbortController();
    const { signal } = this.#following;
    this.#recent = undefined;
    this.#change({ isLoading: true, error: undefined });
    const { ready, leave } = this.#streams.follow(this.#source.scope, {
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

  #leave(): void {
    this.#following.abort();
  }

  /** Reads the next page, unless records are being read already. Throws if that fails. */
  async loadMore(): Promise<void> {
    const { pageSize = MAX_PAGE_SIZE } = this.#source;
    const pageToken = this.#pageToken;
    if (this.#state.isLoading || !this.#state.hasMore || this.#recent) return;
    if (pageToken === undefined) return this.#readAll(this.#state.data.length + pageSize);
    await this.#read(async (signal) => {
      const next = await this.#source.read(this.#client, { pageSize, pageToken }, signal);
      const { data } = this.#state;
      const known = new Set(data.map(this.#source.getId));
      return { ...next, data: [...data, ...next.data.filter((record) => !known.has(this.#source.getId(record)))] };
    });
  }

  /** Reads the list from its beginning, up to a number of records. */
  async #readAll(count: number): Promise<void> {
    await this.#read(async (signal) => {
      const data: Record[] = [];
      for (let pageToken: string | undefined; ; ) {
        const page = { pageSize: Math.min(MAX_PAGE_SIZE, count - data.length), ...(pageToken && { pageToken }) };
        const next = await this.#source.read(this.#client, page, signal);
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
    const isLive = this.#isStreamOpen && !state.isLoading && state.error === undefined;
    this.#state = { ...state, isLive };
    for (const viewer of this.#viewers) viewer(this.#state);
  }
}
