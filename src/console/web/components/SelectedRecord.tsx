import type { ReactNode } from "react";
import type { Path, RequestData, ResponseData } from "../api/call.ts";
import { useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { RecordDrawer } from "./RecordDrawer.tsx";

interface SelectedRecordProps<P extends Path, Data> {
  title: string;
  onPage: Data[];
  /** Whether the page of the list has arrived. A record that is not on it is requested only then. */
  isPageLoaded: boolean;
  idOf: (record: Data) => string;
  /** The operation that reads a record which is not on the page, its request, and the records in its response. */
  path: P;
  requestFor: (id: string) => RequestData<P>;
  recordsIn: (data: ResponseData<P>) => Data[];
  /** Renders the record for readers, in place of its JSON. */
  details?: ((record: Data) => ReactNode) | undefined;
}

/** A drawer with the record that the URL parameter `record` selects, even if it is on another page. */
export function SelectedRecord<P extends Path, Data>(props: SelectedRecordProps<P, Data>) {
  const { title, onPage, isPageLoaded, idOf, path, requestFor, recordsIn, details } = props;
  const { get, change } = useUrlParameters();
  const id = get("record");
  const shown = onPage.find((record) => idOf(record) === id);
  const isEnabled = id !== undefined && isPageLoaded && shown === undefined;
  const { query } = useApiQuery(path, requestFor(id ?? ""), { isEnabled });
  const answered = query.data && recordsIn(query.data.data);
  const found = id === undefined ? undefined : (shown ?? answered?.find((record) => idOf(record) === id));
  const isGone = id !== undefined && found === undefined && query.isSuccess && !query.isPlaceholderData;
  return (
    <RecordDrawer
      title={title}
      value={found}
      isGone={isGone}
      error={query.error}
      onClose={() => change({ record: undefined })}
    >
      {found !== undefined && details?.(found)}
    </RecordDrawer>
  );
}
