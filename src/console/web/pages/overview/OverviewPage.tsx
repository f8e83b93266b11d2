import { Anchor, NativeSelect, Text } from "@mantine/core";
import { Link } from "wouter";
import { isRetryable } from "../../api/api-error.ts";
import { type ApiQuery, useApiQuery } from "../../api/use-api.ts";
import { EmptyActivityFeed } from "../../components/EmptyActivityFeed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { formatBytes, formatCount, pluralize } from "../../components/numbers.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { toTimeParameter } from "../../components/time-input.ts";
import { WorkspaceActivityList } from "../../components/WorkspaceActivityList.tsx";
import { useUrlParameters } from "../../url.ts";
import { ActivityChart } from "./ActivityChart.tsx";
import { HealthPanel } from "./HealthPanel.tsx";
import { daysToCount, getChange, getUnit, type Overview, toBars } from "./overview.ts";
import { SetupList } from "./SetupList.tsx";

/** Names of the periods by their number of days. */
const PERIODS = new Map([
  [1, "Today"] as const,
  ...[2, 7, 14, 30, 90].map((days) => [days, `${days} days`] as const),
  ...([
    [365, "12 months"],
    [1826, "5 years"],
    [3653, "10 years"],
  ] as const),
]);
const DEFAULT_DAYS = 14;
/** Time zone of the browser. */
const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const RECENT_COUNT = 15;
const DAY_MS = 24 * 60 * 60 * 1000;
const OVERVIEW_REFETCH_MS = 30_000;

/** Shows the statistics, recent activity and open setup steps of the workspace. */
export default function OverviewPage() {
  const { get } = useUrlParameters();
  const given = Number(get("days"));
  const days = PERIODS.has(given) ? given : DEFAULT_DAYS;
  const unit = getUnit(days);
  const request = { days: daysToCount(days, new Date()), timeZone: TIME_ZONE };
  const apiQuery = useApiQuery("/v2/workspace/overview/get", request, { refetchMs: OVERVIEW_REFETCH_MS });
  return (
    <>
      <PageTitle title="Overview" />
      <HealthPanel apiQuery={apiQuery} />
      <Statistics apiQuery={apiQuery} />
      <Panel
        title={`Activity per ${unit}`}
        apiQuery={apiQuery}
        isErrorReported
        actions={<Period days={days} />}
        isEmpty={({ activitiesPerDay }) => activitiesPerDay.every(({ total }) => total === 0)}
        empty={<EmptyState>No activity {days === 1 ? "today" : `in the last ${PERIODS.get(days)}`}.</EmptyState>}
      >
        {(overview) => (
          <>
            <ActivityChart key={days} bars={toBars(overview)} unit={unit} />
            <Text size="xs" c="dimmed" mt="sm">
              Times are those of {TIME_ZONE}. Disabled organizations and documents are not counted.
            </Text>
          </>
        )}
      </Panel>
      <div className="columns">
        {/* A service that is away fails each request in the same way. */}
        <RecentActivity isErrorReported={isRetryable(apiQuery.error)} />
        <Panel title="Finish setup" apiQuery={apiQuery} isErrorReported>
          {({ setup }) => <SetupList setup={setup} />}
        </Panel>
      </div>
    </>
  );
}

function Statistics({ apiQuery }: { apiQuery: ApiQuery<Overview> }) {
  return (
    <Panel title="At a glance" apiQuery={apiQuery}>
      {({ last24Hours, previous24Hours, organizations, documents, users, activeUsers, ...service }) => {
        const change = getChange(previous24Hours, last24Hours);
        const lastDay = `/activities?${new URLSearchParams({ from: toTimeParameter(Date.now() - DAY_MS) })}`;
        const statistics = [
          ["Activities (24 hours)", last24Hours, lastDay, change && `${change} from the day before`],
          ["Active users (30 days)", activeUsers, "/people"],
          ["Registered users", users, "/people"],
          ["Organizations", organizations, "/organizations"],
          ["Documents", documents, "/documents"],
        ] as const;
        return (
          <>
            <dl className="statistics glance">
              {statistics.map(([name, count, href, note]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Anchor component={Link} href={href} inherit c="inherit" underline="always">
                      {formatCount(count)}
                    </Anchor>
                  </dd>
                  {note && <dd className="note">{note}</dd>}
                </div>
              ))}
            </dl>
            <Text size="xs" c="dimmed" mt="sm">
              The service has {pluralize(service.queuedJobs, "queued job")} and a database of{" "}
              {formatBytes(service.databaseSizeBytes)}.
            </Text>
          </>
        );
      }}
    </Panel>
  );
}

function Period({ days }: { days: number }) {
  const { change } = useUrlParameters();
  return (
    <NativeSelect
      size="xs"
      aria-label="Period"
      value={String(days)}
      data={[...PERIODS].map(([value, label]) => ({ value: String(value), label }))}
      onChange={({ currentTarget: { value } }) => change({ days: Number(value) === DEFAULT_DAYS ? undefined : value })}
    />
  );
}

function RecentActivity({ isErrorReported }: { isErrorReported: boolean }) {
  const apiQuery = useApiQuery("/v2/workspace/activities/get", { pageSize: RECENT_COUNT });
  return (
    <WorkspaceActivityList
      title="Recent activity"
      apiQuery={apiQuery}
      isErrorReported={isErrorReported}
      empty={
        <EmptyActivityFeed>
          No activity yet. Run this command; the activity appears here within 5 seconds:
        </EmptyActivityFeed>
      }
    />
  );
}
