import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { isPermissionDenied } from "./api-error.ts";
import { type ApiResponse, type CallOptions, call } from "./call.ts";
import type { CurlRequest } from "./curl.ts";
import { changedRecord, countNewer, FEED, feedRequest, type News, NO_NEWS, newsRequest } from "./news.ts";
import type { Activity } from "./records.ts";
import { type ApiQuery, checkSessionAfter } from "./use-api.ts";
import { delay, untilVisible } from "./waiting.ts";
import { useWorkspace } from "./workspace.ts";

const EVENTS = "/v2/events/get";
/** Time that a call waits for events, the longest that the service allows. */
const WAIT_SECONDS = 25;
/** Time between two looks at the feed of all organizations, each of which takes the service up to 0.1 s. */
const FEED_MS = 4_000;
/** Time after a failed call. */
const RETRY_MS = 5_000;
/** Number of failed calls in a row after which the list says so. */
const TOLERATED_FAILURES = 2;

/** Waits for news, and returns all since the list was read. */
type NewsReader = (options: CallOptions & { signal: AbortSignal }) => Promise<News>;

/**
 * Returns how many records of a list have changed since it was read, if it is followed. The list itself stays as it is.
 */
export function useNews<Data>({ request, query }: ApiQuery<Data>, isFollowed: boolean): News {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const [news, setNews] = useState(NO_NEWS);
  const { data: response, isPlaceholderData } = query;
  const requestText = JSON.stringify(request);
  useEffect(() => {
    setNews(NO_NEWS);
    if (!isFollowed || !response || isPlaceholderData) return;
    const read = newsReader(JSON.parse(requestText), response);
    if (!read) return;
    const stopping = new AbortController();
    const onError = (error: unknown) => checkSessionAfter(error, queryClient);
    void follow(read, { workspaceId, signal: stopping.signal }, { setNews, onError });
    return () => stopping.abort();
  }, [isFollowed, workspaceId, queryClient, requestText, response, isPlaceholderData]);
  return news;
}

interface Listener {
  setNews: Dispatch<SetStateAction<News>>;
  onError: (error: unknown) => void;
}

/** Reads news until the signal, a denial of access, or until so much has happened that it is not known what. */
async function follow(
  read: NewsReader,
  options: { workspaceId: string; signal: AbortSignal },
  { setNews, onError }: Listener,
): Promise<void> {
  const { signal } = options;
  let isIncomplete = false;
  let failures = 0;
  while (!signal.aborted && !isIncomplete) {
    try {
      await untilVisible(signal);
      const news = await read(options);
      if (!signal.aborted) setNews(news);
      failures = 0;
      isIncomplete = news.isIncomplete;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onError(error);
      const isDenied = isPermissionDenied(error);
      if (isDenied || failures >= TOLERATED_FAILURES) setNews((news) => ({ ...news, isPaused: true }));
      if (isDenied) return;
      await delay(RETRY_MS, signal);
    }
  }
}

/** Returns the reader of the news of a list; undefined if no event reports its changes. */
function newsReader<Data>(request: CurlRequest, { data, eventCursor }: ApiResponse<Data>): NewsReader | undefined {
  const events = newsRequest(request);
  if (events) return eventReader(request, events, eventCursor);
  const shown: Activity[] = request.path === FEED ? Object(data) : [];
  const feed = feedRequest(request, shown);
  return feed && feedReader(feed, shown);
}

function eventReader(
  list: CurlRequest,
  request: NonNullable<ReturnType<typeof newsRequest>>,
  eventCursor: string | undefined,
): NewsReader {
  let cursor = eventCursor;
  // The first call, also after an error, does not wait: its response shows that the service responds.
  let isResponding = false;
  const changed = new Set<string | undefined>();
  return async (options) => {
    const waitSeconds = isResponding ? WAIT_SECONDS : 0;
    isResponding = false;
    const data = { ...request, ...(cursor !== undefined && { cursor, waitSeconds }) };
    const { data: response } = await call({ path: EVENTS, data }, options);
    isResponding = true;
    // The first response for a list that had no cursor only gives the cursor.
    if (cursor !== undefined) for (const event of response.events) changed.add(changedRecord(list, event));
    cursor = response.cursor;
    const changesMany = changed.delete(undefined);
    return { count: changed.size, isIncomplete: changesMany || response.isReset === true };
  };
}

function feedReader(data: NonNullable<ReturnType<typeof feedRequest>>, shown: Activity[]): NewsReader {
  return async (options) => {
    await delay(FEED_MS, options.signal);
    const { data: found, pageToken } = await call({ path: FEED, data }, options);
    return countNewer(found, shown, { isEnd: pageToken === undefined });
  };
}
