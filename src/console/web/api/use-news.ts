import { useEffect, useState } from "react";
import { call, type ResponseData } from "./call.ts";
import { countRecords, newsRequest } from "./news.ts";
import type { ApiQuery } from "./use-api.ts";
import { useWorkspace } from "./workspace.ts";

const PATH = "/v2/events/get";
/** Time that each call waits for events, the longest that the service allows. */
const WAIT_SECONDS = 25;
/** Time after a failed call. */
const RETRY_MS = 5_000;

type Events = ResponseData<typeof PATH>["events"];

/** Returns how many records of a list have changed since it was read. The list itself stays as it is. */
export function useNews<Data>({ request, query }: ApiQuery<Data>): number {
  const { id: workspaceId } = useWorkspace();
  const [events, setEvents] = useState<Events>([]);
  const { data: response, dataUpdatedAt, isPlaceholderData } = query;
  const news = JSON.stringify(newsRequest(request));
  const eventCursor = response?.eventCursor;
  useEffect(() => {
    setEvents([]);
    if (news === undefined || dataUpdatedAt === 0 || isPlaceholderData) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    async function follow(): Promise<void> {
      for (let cursor = eventCursor; !signal.aborted; ) {
        try {
          await untilVisible(signal);
          const data = { ...JSON.parse(news), ...(cursor !== undefined && { cursor, waitSeconds: WAIT_SECONDS }) };
          const { data: answer } = await call({ path: PATH, data }, { workspaceId, signal });
          // The first answer of a list that had no cursor only says from where to go on.
          if (cursor !== undefined) setEvents((known) => [...known, ...answer.events]);
          cursor = answer.cursor;
        } catch {
          if (!signal.aborted) await delay(RETRY_MS, signal);
        }
      }
    }
    void follow();
    return () => stopping.abort();
  }, [workspaceId, news, eventCursor, dataUpdatedAt, isPlaceholderData]);
  return countRecords(events);
}

/** Resolves when the page is visible, or nobody waits any more. */
function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState === "visible" || signal.aborted) resolve();
      else document.addEventListener("visibilitychange", check, { once: true, signal });
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
    check();
  });
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
