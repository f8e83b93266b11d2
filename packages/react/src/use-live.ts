import type { ChangeEvent, Client } from "@colloquy/client";
import { useEffect, useRef, useState } from "react";
import { useProvided } from "./provider.tsx";
import type { Scope } from "./shared-stream.ts";

/** Records that are kept up to date. */
export interface Live<Data> {
  data: Data;
  /** Whether the records are being read for the first time. */
  isLoading: boolean;
  /** Why the records are not kept up to date any more. */
  error: unknown;
}

/** How records are read and changed by events. */
export interface LiveSource<Record> {
  scope: Scope;
  read(client: Client, signal: AbortSignal): Promise<Record[]>;
  /** Returns the records after an event, or `"read"` if they must be read again. The same event may come twice. */
  apply(records: Record[], event: ChangeEvent): Record[] | "read";
}

/** Reads records and keeps them up to date. They are read anew when `key` changes. */
export function useLive<Record>(source: LiveSource<Record>, key: string): Live<Record[]> {
  const { client, streams } = useProvided();
  const [state, setState] = useState<Live<Record[]>>({ data: [], isLoading: true, error: undefined });
  const current = useRef(source);
  current.current = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: The key stands for the source.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    /** Events since the records are being read, or undefined if they have been. */
    let early: ChangeEvent[] | undefined = [];
    setState({ data: [], isLoading: true, error: undefined });
    const fail = (error: unknown) => {
      if (!signal.aborted) setState((last) => ({ ...last, isLoading: false, error }));
    };
    const change = (event: ChangeEvent) =>
      setState((last) => {
        const data = current.current.apply(last.data, event);
        return data === "read" ? last : { ...last, data };
      });
    async function read(): Promise<void> {
      early = [];
      const data = await current.current.read(client, signal);
      const events: ChangeEvent[] = early;
      early = undefined;
      if (signal.aborted) return;
      setState({ data, isLoading: false, error: undefined });
      for (const event of events) change(event);
    }
    const { ready, leave } = streams.follow(current.current.scope, {
      onError: fail,
      onEvent(event) {
        if (event.event === "reset") read().catch(fail);
        else if (early) early.push(event);
        else if (current.current.apply([], event) === "read") read().catch(fail);
        else change(event);
      },
    });
    ready.then(read).catch(fail);
    return () => {
      leaving.abort();
      leave();
    };
  }, [client, streams, key]);
  return state;
}

/** Returns the records with one replaced, or added at the beginning or end if it is new. */
export function upsert<Record>(
  records: Record[],
  record: Record,
  isSame: (known: Record) => boolean,
  place: "first" | "last",
): Record[] {
  if (records.some(isSame)) return records.map((known) => (isSame(known) ? record : known));
  return place === "first" ? [record, ...records] : [...records, record];
}
