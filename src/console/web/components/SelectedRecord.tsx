import { type ReactNode, useEffect } from "react";
import type { Path, RequestData, ResponseData } from "../api/call.ts";
import { type News, NO_NEWS, SETTLE_MS } from "../api/news.ts";
import { useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { RecordDrawer } from "./RecordDrawer.tsx";

interface SelectedRecordProps<P extends Path, Data> {
  title: string;
  onPage: Data[];
  /** Whether the page of the list has arrived. A record that is not on it is requested only then. */
  isPageLoaded: boolean;
  getId: (record: Data) => string;
  /** The operation that reads a record which is not on the page, its request, and the records in its response. */
  path: P;
  requestFor: (id: string) => RequestData<P>;
  recordsIn: (data: ResponseData<P>) => Data[];
  /** Renders the record for readers, instead of its JSON. */
  details?: ((record: Data) => ReactNode) | undefined;
  /** What has happened to the list since it was read, after which the record is read again. */
  news?: News;
  /** Time at which the page of the list arrived, as `ApiResponse` gives it. */
  pageReceivedAt?: number;
}

/**
 * A drawer with the record that the URL parameter `record` selects, even if it is on another page. It shows later
 * changes of the record, while the list stays as it is.
 */
export function SelectedRecord<P extends Path, Data>(props: SelectedRecordProps<P, Data>) {
  const { title, onPage, isPageLoaded, getId, path, requestFor, recordsIn, details } = props;
  const { news = NO_NEWS, pageReceivedAt = 0 } = props;
  const { get, change } = useUrlParameters();
  const id = get("record");
  const isSelected = (record: Data) => getId(record) === id;
  const shown = onPage.find(isSelected);
  const isEnabled = id !== undefined && isPageLoaded && shown === undefined;
  const { query, error } = useApiQuery(path, requestFor(id ?? ""), { isEnabled });
  const { refetch } = query;
  useEffect(() => {
    if (id === undefined || (news.count === 0 && !news.isIncomplete)) return;
    // The console's own change is news only until the list has been read again, which ends this wait.
    const timer = setTimeout(() => void refetch(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [id, news, refetch]);
  const requested = query.data && recordsIn(query.data.data).find(isSelected);
  const isPageOutdated = !query.isPlaceholderData && query.data !== undefined && query.data.receivedAt > pageReceivedAt;
  const found = id === undefined ? undefined : isPageOutdated ? requested : (shown ?? requested);
  const isGone = id !== undefined && found === undefined && query.isSuccess && !query.isPlaceholderData;
  return (
    <RecordDrawer
      title={title}
      value={found}
      isGone={isGone}
      error={error}
      // Back leads away from the list instead of opening the drawer again.
      onClose={() => change({ record: undefined }, { replace: true })}
    >
      {found !== undefined && details?.(found)}
    </RecordDrawer>
  );
}
