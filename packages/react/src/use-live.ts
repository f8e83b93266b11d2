import type { Client } from "@colloquy/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ListState, type LiveList, type LiveSource, LOADING } from "./live-list.ts";
import { useSession } from "./provider.tsx";
import { getSharedLists } from "./shared-lists.ts";

/** Number of records of a page. */
export const PAGE_SIZE = 50;

/** Records that are kept up to date. */
export interface Live<Data> {
  data: Data;
  /** Whether the records are being read for the first time, or again by `retry`. */
  isLoading: boolean;
  /** Why the records are not kept up to date any more. */
  error: Error | undefined;
  /** Whether changes appear as they happen. While the service is away, they appear once it is back. */
  isLive: boolean;
  /** Reads the records again and keeps them up to date, and all others of the client that have an error. */
  retry(): void;
}

/** The first records of a list that has pages. */
export interface LivePages<Data> extends Live<Data> {
  /** Whether the service has more records. */
  hasMore: boolean;
  /** Adds the next page to the records. Does nothing while records are being read. */
  loadMore(): Promise<void>;
}

/**
 * Reads records and keeps them up to date. They are read again when `key` changes, which identifies the
 * source and is different for each kind of records.
 */
export function useLive<Record>(
  source: LiveSource<Record>,
  key: string,
): LivePages<Record[]> & Pick<ListState<Record>, "accessRole"> {
  const { client } = useSession();
  const [shown, setShown] = useState<{ key: string; client: Client<"page">; state: ListState<Record> }>();
  const list = useRef<LiveList<Record>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: The key stands for the source.
  useEffect(() => {
    const shared = getSharedLists(client).show(key, source, (state) => setShown({ key, client, state }));
    list.current = shared.list;
    return shared.hide;
  }, [client, key]);
  const retry = useCallback(() => getSharedLists(client).retry(key), [client, key]);
  const loadMore = useCallback(async () => list.current?.loadMore(), []);
  // In the first render after a change of the key, these are still the records of the last one.
  const isCurrent = shown?.key === key && shown.client === client;
  return { ...(isCurrent ? shown.state : LOADING), retry, loadMore };
}

/** How the records of a list are identified and ordered. */
interface Order<Record> {
  getId(record: Record): unknown;
  /** Returns the time by which the records are ordered, newest first. */
  getTime(record: Record): number;
}

/** Returns the records with one replaced, or added at its place if it is new and among those that were read. */
export function placeByTime<Record>(
  { data, hasMore }: Pick<ListState<Record>, "data" | "hasMore">,
  record: Record,
  { getId, getTime }: Order<Record>,
): Record[] {
  const id = getId(record);
  if (data.some((known) => getId(known) === id)) return replace(data, record, getId);
  const place = data.findIndex((known) => getTime(known) <= getTime(record));
  if (place === -1) return hasMore ? data : [...data, record];
  return [...data.slice(0, place), record, ...data.slice(place)];
}

/** Returns the records with one replaced, or added at the end if it is new. */
export function placeLast<Record>(data: Record[], record: Record, getId: (record: Record) => unknown): Record[] {
  return data.some((known) => getId(known) === getId(record)) ? replace(data, record, getId) : [...data, record];
}

function replace<Record>(data: Record[], record: Record, getId: (record: Record) => unknown): Record[] {
  return data.map((known) => (getId(known) === getId(record) ? record : known));
}
