import { useEffect, useState } from "react";
import { useOpenApi } from "../../api/open-api.ts";
import type { AuthToken, LoggedRequest } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { nameOrId } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoMatch } from "../../components/NoMatch.tsx";
import { getOperation, type OperationPaths, operationsLike } from "../../components/operations-like.ts";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { KeptFor } from "../../components/Retention.tsx";
import { SelectedRecord } from "../../components/SelectedRecord.tsx";
import { SelectFilter } from "../../components/SelectFilter.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { TimeFilters } from "../../components/TimeFilters.tsx";
import { parseTime } from "../../components/time-input.ts";
import { useUrlParameters } from "../../url.ts";
import { RequestDetail } from "./RequestDetail.tsx";
import { RequestStatistics } from "./RequestStatistics.tsx";
import { RequestTable } from "./RequestTable.tsx";

const PATH = "/v2/workspace/requests/get";
/** URL parameters of the filters. */
const FILTERS = ["operation", "status", "token", "organization", "request", "from", "to"];
const ERROR_KINDS = [
  ...(["INVALID_ARGUMENT", "FAILED_PRECONDITION", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS"] as const),
  ...(["RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE"] as const),
];

/** Statuses of requests that are not OK. */
const FAILED = [...ERROR_KINDS, "ITEMS_FAILED"] as const;

/** Shows the latest requests of backends and users. */
export default function RequestsPage() {
  const tokenNames = useTokenNames();
  const { filters, isFiltered } = useFilters();
  const isCorrected = useOperationCorrection(filters.operation);
  const { operation, authTokenId, organizationId, from, to } = filters;
  const request = { ...filters, pageSize: usePageSize(), pageToken: useUrlParameters().get("page") };
  const apiQuery = useApiQuery(PATH, request, { isEnabled: !isCorrected });
  const { data: response, isPending, isPlaceholderData } = apiQuery.query;
  const shown = response?.data ?? [];
  return (
    <>
      <PageTitle title="Request log">
        The last 10,000 requests from your backends and pages. Bodies are not stored; console requests are not logged.
        <KeptFor kind="requestDays" />
      </PageTitle>
      <RequestFilters shown={shown} tokenNames={tokenNames} />
      {!isCorrected && (
        <RequestStatistics filters={{ operation, authTokenId, organizationId, from, to }} tokenNames={tokenNames} />
      )}
      <Panel
        title="Requests"
        apiQuery={apiQuery}
        isEmpty={(requests) => requests.length === 0}
        empty={
          isFiltered ? (
            <NoMatch filters={FILTERS}>No request matches these filters.</NoMatch>
          ) : (
            <EmptyState>No requests yet. They appear here within two seconds.</EmptyState>
          )
        }
      >
        {(requests, { pageToken }) => (
          <>
            <RequestTable requests={requests} tokenNames={tokenNames} />
            <Pager hasSizes label="requests" nextToken={pageToken} />
          </>
        )}
      </Panel>
      <SelectedRecord
        title="Request"
        onPage={shown}
        isPageLoaded={!isPending && !isPlaceholderData}
        getId={({ requestId }) => requestId}
        path={PATH}
        requestFor={(requestId) => ({ requestId })}
        recordsIn={(requests) => requests}
        details={(request) => <RequestDetail request={request} tokenNames={tokenNames} />}
      />
    </>
  );
}

/**
 * Replaces a text in the URL that does not name an operation, such as `users`, by the first suggested operation, and
 * an alias by its operation. Returns whether it is about to do so.
 */
function useOperationCorrection(text: string | undefined): boolean {
  const { change } = useUrlParameters();
  const { data: openApi } = useOpenApi<{ paths: OperationPaths }>({ isEnabled: text !== undefined });
  const operation = text === undefined || !openApi ? text : (getOperation(text, openApi.paths) ?? text);
  const isCorrected = operation !== text;
  useEffect(() => {
    if (isCorrected) change({ operation }, { replace: true });
  }, [isCorrected, operation, change]);
  return isCorrected;
}

/** Returns the names of the workspace's auth tokens, revoked ones included, by ID. */
function useTokenNames(): ReadonlyMap<string, string> {
  const { query } = useApiQuery("/v2/workspace/authtokens/get", { includeRevoked: true });
  const tokens = query.data?.data.authTokens ?? [];
  const toLabel = ({ id, name, revokedAt }: AuthToken) => `${nameOrId(name, id)}${revokedAt ? " (revoked)" : ""}`;
  return new Map(tokens.map((token) => [token.id, toLabel(token)]));
}

/** Returns the filters in the URL. */
function useFilters() {
  const { get } = useUrlParameters();
  const outcome = get("status");
  const error = FAILED.find((status) => status === outcome);
  const statuses = outcome === "OK" ? (["OK"] as const) : outcome === "failed" ? FAILED : error && [error];
  const filters = {
    operation: get("operation"),
    statuses: statuses && [...statuses],
    authTokenId: get("token"),
    organizationId: get("organization"),
    requestId: get("request"),
    from: parseTime(get("from")),
    to: parseTime(get("to")),
  };
  return { filters, isFiltered: Object.values(filters).some((filter) => filter !== undefined) };
}

interface FiltersProps {
  /** Requests on the page, whose operations are suggested. */
  shown: LoggedRequest[];
  tokenNames: ReadonlyMap<string, string>;
}

function RequestFilters({ shown, tokenNames }: FiltersProps) {
  return (
    <Filters hasViews hidden={FILTERS.slice(1)}>
      <OperationFilter shown={shown} />
      <SelectFilter
        label="Status"
        name="status"
        options={["OK", { value: "failed", label: "All errors" }, ...FAILED]}
      />
      <SelectFilter
        label="Auth token"
        name="token"
        options={[...tokenNames].map(([value, label]) => ({ value, label }))}
      />
      <TextFilter label="Organization ID" name="organization" />
      <TextFilter label="Request ID" name="request" />
      <TimeFilters />
    </Filters>
  );
}

/** A filter by operation, which suggests those on the page, and those of the API once something is typed. */
function OperationFilter({ shown }: { shown: LoggedRequest[] }) {
  const [text, setText] = useState("");
  const { data: openApi } = useOpenApi<{ paths: OperationPaths }>({ isEnabled: text !== "" });
  const onPage = [...new Set(shown.map(({ operation }) => operation))].sort();
  const found = text === "" ? onPage : operationsLike(text, openApi?.paths ?? {});
  return (
    <TextFilter
      label="Operation"
      name="operation"
      placeholder="/v2/activities/add"
      suggestions={found.map((value) => ({ value, label: value }))}
      onSearch={setText}
    />
  );
}
