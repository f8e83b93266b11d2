import { Badge, Text } from "@mantine/core";
import type { LoggedRequest } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Filters } from "../../components/Filters.tsx";
import { fromTimeInput } from "../../components/local-time.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { SelectFilter } from "../../components/SelectFilter.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { RequestDetail } from "./RequestDetail.tsx";

const PATH = "/v2/workspace/requests/get";
const PAGE_SIZE = 50;
const FAILURES = [
  ...(["INVALID_ARGUMENT", "FAILED_PRECONDITION", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS"] as const),
  ...(["RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE"] as const),
];

/** Shows the latest requests of backends and users. */
export default function RequestsPage() {
  const tokenNames = useTokenNames();
  const { filters, isFiltered } = useFilters();
  const apiQuery = useApiQuery(PATH, { ...filters, pageSize: PAGE_SIZE });
  return (
    <>
      <PageTitle title="Request log">
        The last 10,000 requests of your backends and pages, without their bodies. Those of the console are left out.
      </PageTitle>
      <RequestFilters shown={apiQuery.query.data?.data ?? []} tokenNames={tokenNames} />
      <RecordList
        title="Requests"
        label="requests"
        path={PATH}
        apiQuery={apiQuery}
        recordsIn={(requests) => requests}
        empty={
          <EmptyState>
            {isFiltered ? "No request matches these filters." : "No requests yet. They appear here within two seconds."}
          </EmptyState>
        }
        recordTitle="Request"
        idOf={({ requestId }) => requestId}
        requestFor={(requestId) => ({ requestId })}
        details={(request) => <RequestDetail request={request} tokenNames={tokenNames} />}
      >
        {(request) => <Summary request={request} tokenNames={tokenNames} />}
      </RecordList>
    </>
  );
}

/** Returns the names of the workspace's auth tokens, by ID. */
function useTokenNames(): ReadonlyMap<string, string> {
  const { query } = useApiQuery("/v2/workspace/authtokens/get", {});
  return new Map(query.data?.data.authTokens.map(({ id, name }) => [id, name || id]));
}

/** Returns the filters in the URL. */
function useFilters() {
  const { get } = useUrlParameters();
  const outcome = get("status");
  const failure = FAILURES.find((status) => status === outcome);
  const statuses = outcome === "OK" ? (["OK"] as const) : outcome === "failed" ? FAILURES : failure && [failure];
  const filters = {
    operation: get("operation"),
    statuses: statuses && [...statuses],
    authTokenId: get("token"),
    requestId: get("request"),
    from: fromTimeInput(get("from")),
    to: fromTimeInput(get("to")),
    pageToken: get("page"),
  };
  return { filters, isFiltered: Object.values(filters).some((filter) => filter !== undefined) };
}

interface FiltersProps {
  /** Requests on the page, whose operations are suggested. */
  shown: LoggedRequest[];
  tokenNames: ReadonlyMap<string, string>;
}

function RequestFilters({ shown, tokenNames }: FiltersProps) {
  const operations = [...new Set(shown.map(({ operation }) => operation))].sort();
  return (
    <Filters>
      <TextFilter
        label="Operation"
        name="operation"
        placeholder="Any path"
        suggestions={operations.map((value) => ({ value, label: value }))}
      />
      <SelectFilter
        label="Status"
        name="status"
        options={["OK", { value: "failed", label: "All failures" }, ...FAILURES]}
      />
      <SelectFilter
        label="Auth token"
        name="token"
        options={[...tokenNames].map(([value, label]) => ({ value, label }))}
      />
      <TextFilter label="Request ID" name="request" />
      <TextFilter label="From" name="from" type="datetime-local" />
      <TextFilter label="To" name="to" type="datetime-local" />
    </Filters>
  );
}

interface RequestProps {
  request: LoggedRequest;
  tokenNames: ReadonlyMap<string, string>;
}

function Summary({ request, tokenNames }: RequestProps) {
  const { link } = useUrlParameters();
  const { operation, status, reason, timestamp, durationMs, authTokenId } = request;
  return (
    <>
      <Text size="sm" component="div" className="details">
        <Badge variant="default" tt="none" data-failed={status !== "OK"} className="outcome">
          {status}
        </Badge>
        <UntrustedText>{operation}</UntrustedText>
      </Text>
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        {reason !== null && <span>{reason}</span>}
        <span>{durationMs} ms</span>
        {authTokenId === null ? (
          <span>user token</span>
        ) : (
          <FilterLink href={link({ token: authTokenId, page: undefined })}>
            <UntrustedText>{tokenNames.get(authTokenId) ?? authTokenId}</UntrustedText>
          </FilterLink>
        )}
      </Text>
    </>
  );
}
