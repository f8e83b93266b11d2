import { type ReactNode, useState } from "react";
import type { Path, RequestData, ResponseData } from "../api/call.ts";
import { NO_NEWS } from "../api/news.ts";
import type { ApiQuery } from "../api/use-api.ts";
import { type PageParameter, useUrlParameters } from "../url.ts";
import { Pager } from "./Pager.tsx";
import { Panel } from "./Panel.tsx";
import { RecordRow } from "./RecordRow.tsx";
import { SelectedRecord } from "./SelectedRecord.tsx";

interface RecordListProps<P extends Path, Data> {
  title: string;
  /** Name of the records, for the accessible name of the pagination. */
  label: string;
  /** The operation that reads the records. */
  path: P;
  apiQuery: ApiQuery<ResponseData<P>>;
  recordsIn: (response: ResponseData<P>) => Data[];
  empty: ReactNode;
  /** Links or buttons beside the title. */
  actions?: ReactNode;
  /** Title of the drawer that shows the selected record. */
  recordTitle: string;
  getId: (record: Data) => string;
  /** Returns the request that reads a record which is not on the page. */
  requestFor: (id: string) => RequestData<P>;
  /** URL parameter that holds the page token, if another list on the page uses the default one. */
  pageName?: PageParameter;
  /** Renders the selected record for readers. Without it, the drawer shows its JSON. */
  details?: (record: Data) => ReactNode;
  /** Renders the summary of a record. */
  children: (record: Data) => ReactNode;
}

/** A page of records. The URL parameter `record` selects the one that the drawer shows. */
export function RecordList<P extends Path, Data>({
  title,
  label,
  path,
  apiQuery,
  recordsIn,
  empty,
  actions,
  recordTitle,
  getId,
  requestFor,
  pageName,
  details,
  children,
}: RecordListProps<P, Data>) {
  const { change } = useUrlParameters();
  const { data: response, isPending, isPlaceholderData } = apiQuery.query;
  const [news, setNews] = useState(NO_NEWS);
  return (
    <>
      <Panel
        title={title}
        apiQuery={apiQuery}
        isEmpty={(response) => recordsIn(response).length === 0}
        empty={empty}
        actions={actions}
        onNews={setNews}
      >
        {(response, { pageToken }) => (
          <>
            <ul className="rows">
              {recordsIn(response).map((record) => (
                <RecordRow key={getId(record)} onSelect={() => change({ record: getId(record) })}>
                  {children(record)}
                </RecordRow>
              ))}
            </ul>
            <Pager hasSizes={pageName === undefined} label={label} name={pageName} nextToken={pageToken} />
          </>
        )}
      </Panel>
      <SelectedRecord
        title={recordTitle}
        onPage={response ? recordsIn(response.data) : []}
        isPageLoaded={!isPending && !isPlaceholderData}
        getId={getId}
        path={path}
        requestFor={requestFor}
        recordsIn={recordsIn}
        details={details}
        news={news}
        pageReceivedAt={response?.receivedAt ?? 0}
      />
    </>
  );
}
