import type { ReactNode } from "react";
import type { ApiRequest } from "../api/call.ts";
import type { ApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { Pager } from "./Pager.tsx";
import { Panel } from "./Panel.tsx";
import { RecordRow } from "./RecordRow.tsx";
import { SelectedRecord } from "./SelectedRecord.tsx";

interface RecordListProps<Data> {
  title: string;
  /** What the records are, for who cannot see where the ways to the other pages stand. */
  label: string;
  apiQuery: ApiQuery<Data[]>;
  empty: ReactNode;
  /** Of the one that is selected. */
  recordTitle: string;
  idOf: (record: Data) => string;
  /** Reads one that is not on the page. */
  requestFor: (id: string) => ApiRequest;
  /** The parameter of the address that holds the token of the page, where another list has the usual one. */
  pageName?: string;
  /** What a record says to people. */
  children: (record: Data) => ReactNode;
}

/** A page of records; one of them is selected by the address's parameter `record` and shown as the API sends it. */
export function RecordList<Data>({
  title,
  label,
  apiQuery,
  empty,
  recordTitle,
  idOf,
  requestFor,
  pageName,
  children,
}: RecordListProps<Data>) {
  const { change } = useUrlParameters();
  return (
    <>
      <Panel title={title} apiQuery={apiQuery} isEmpty={(records) => records.length === 0} empty={empty}>
        {(records, { pageToken }) => (
          <>
            <ul className="rows">
              {records.map((record) => (
                <RecordRow key={idOf(record)} onSelect={() => change({ record: idOf(record) })}>
                  {children(record)}
                </RecordRow>
              ))}
            </ul>
            <Pager label={label} name={pageName} nextToken={pageToken} />
          </>
        )}
      </Panel>
      <SelectedRecord
        title={recordTitle}
        onPage={apiQuery.query.data?.data ?? []}
        idOf={idOf}
        requestFor={requestFor}
      />
    </>
  );
}
