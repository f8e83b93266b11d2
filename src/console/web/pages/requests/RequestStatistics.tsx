import { Text } from "@mantine/core";
import type { RequestData, ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { exactTime } from "../../components/exact-time.ts";
import { formatCount, formatShare, pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { ReachedLimits } from "./ReachedLimits.tsx";

const PATH = "/v2/workspace/requests/statistics/get";

type Statistics = ResponseData<typeof PATH>;

interface RequestStatisticsProps {
  filters: RequestData<typeof PATH>;
  tokenNames: ReadonlyMap<string, string>;
}

/** The error rate and durations of the requests, a chart of the errors, and the callers that have reached limits. */
export function RequestStatistics({ filters, tokenNames }: RequestStatisticsProps) {
  const apiQuery = useApiQuery(PATH, filters);
  return (
    <Panel
      title="Errors"
      apiQuery={apiQuery}
      isErrorReported
      isEmpty={({ requests }) => requests === 0}
      empty={<Text size="sm">No requests.</Text>}
    >
      {(statistics) => (
        <>
          <Text size="sm">{getSummary(statistics)}</Text>
          {statistics.errors > 0 && <ErrorBars intervals={statistics.intervals} />}
          {statistics.limits.length > 0 && <ReachedLimits limits={statistics.limits} tokenNames={tokenNames} />}
        </>
      )}
    </Panel>
  );
}

function getSummary({ requests, errors, medianMs, p95Ms }: Statistics): string {
  const rate = `${formatCount(errors)} of ${pluralize(requests, "request")} failed (${formatShare(errors / requests)})`;
  return `${rate}. Duration: median ${formatMs(medianMs)}, 95th percentile ${formatMs(p95Ms)}.`;
}

function formatMs(ms: number | null): string {
  return `${(ms ?? 0).toFixed(1)} ms`;
}

function ErrorBars({ intervals }: Pick<Statistics, "intervals">) {
  const most = Math.max(...intervals.map(({ errors }) => errors));
  const [first, last] = [intervals.at(0), intervals.at(-1)];
  return (
    <div>
      <div className="error-bars" role="img" aria-label={`Errors in ${intervals.length} intervals, at most ${most}`}>
        {intervals.map(({ startsAt, requests, errors }) => (
          <span
            key={startsAt}
            style={{ height: `${(errors / most) * 100}%` }}
            title={`${exactTime(startsAt)}: ${formatCount(errors)} of ${pluralize(requests, "request")} failed`}
          />
        ))}
      </div>
      {first && last && (
        <Text size="xs" c="dimmed" component="div" className="spread">
          <span>{exactTime(first.startsAt)}</span>
          <span>{exactTime(last.endsAt)}</span>
        </Text>
      )}
    </div>
  );
}
