import type { ApiRequest } from "../api/call.ts";
import { useApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { RecordDrawer } from "./RecordDrawer.tsx";

interface SelectedRecordProps<Data> {
  title: string;
  onPage: Data[];
  idOf: (record: Data) => string;
  /** Returns the request that reads a record which is not on the page. */
  requestFor: (id: string) => ApiRequest;
}

/** A drawer with the record that the URL parameter `record` selects, even if it is on another page. */
export function SelectedRecord<Data>({ title, onPage, idOf, requestFor }: SelectedRecordProps<Data>) {
  const { get, change } = useUrlParameters();
  const id = get("record");
  const shown = onPage.find((record) => idOf(record) === id);
  const { path, data } = requestFor(id ?? "");
  const { query } = useApiQuery<Data[]>(path, data, { isEnabled: id !== undefined && shown === undefined });
  const found = id === undefined ? undefined : (shown ?? query.data?.data.find((record) => idOf(record) === id));
  const isGone = id !== undefined && found === undefined && query.isSuccess && !query.isPlaceholderData;
  return <RecordDrawer title={title} value={found} isGone={isGone} onClose={() => change({ record: undefined })} />;
}
