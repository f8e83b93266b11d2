import type { ListState, LiveList } from "./live-list.ts";
import type { Store } from "./store.ts";

/** Data that is kept up to date while the store has a listener. */
export interface LiveData<Data> {
  data: Data;
  /** Whether the data is being read for the first time, or again by `retry`. */
  isLoading: boolean;
  /** Why the data is not kept up to date any more. */
  error: Error | undefined;
  /** Whether changes appear as they happen. While the service is away, they appear once it is back. */
  isLive: boolean;
}

/** The first records of a list that has pages. */
export interface PagesData<Data> extends LiveData<Data> {
  /** Whether the service has more records. */
  hasMore: boolean;
}

/** What a page can do with data that is kept up to date. */
export interface LiveActions {
  /** Reads the data again and keeps it up to date, and all other data of the client that has an error. */
  retry(): void;
}

/** What a page can do with a list that has pages. */
export interface PagesActions extends LiveActions {
  /** Adds the next page to the records. Does nothing while records are being read. */
  loadMore(): Promise<void>;
}

/** A store of data that is kept up to date. */
export type LiveStore<Data> = Store<LiveData<Data>> & LiveActions;
/** A store of a list that has pages. */
export type PagesStore<Data> = Store<PagesData<Data>> & PagesActions;

/** Returns a list as a store with its actions. */
export function toStore<Record>({
  getState,
  subscribe,
  retry,
  loadMore,
}: LiveList<Record>): Store<ListState<Record>> & PagesActions {
  return { getState, subscribe, retry, loadMore };
}
