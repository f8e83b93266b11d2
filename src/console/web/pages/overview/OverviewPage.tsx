import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useParameters } from "../../address.ts";
import type { Activity } from "../../api/records.ts";
import { type Asked, useAnswer } from "../../api/use-answer.ts";
import { ActivitySummary } from "../../components/ActivitySummary.tsx";
import { Empty } from "../../components/Empty.tsx";
import { NoActivity } from "../../components/NoActivity.tsx";
import { formatBytes, formatCount } from "../../components/numbers.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { RecordRow } from "../../components/RecordRow.tsx";
import { ActivityChart } from "./ActivityChart.tsx";
import type { Overview } from "./overview.ts";
import { SetupList } from "./SetupList.tsx";

const PERIODS = ["7", "14", "30", "90"];
const DEFAULT_PERIOD = "14";
const NEWEST = 15;
const NEWEST_EVERY_MS = 5_000;
const OVERVIEW_EVERY_MS = 30_000;

/** How the workspace is doing, at one look. */
export default function OverviewPage() {
  const { get } = useParameters();
  const period = get("days");
  const days = Number(PERIODS.find((known) => known === period) ?? DEFAULT_PERIOD);
  const asked = useAnswer<Overview>("/v2/workspace/overview/get", { days }, { everyMs: OVERVIEW_EVERY_MS });
  return (
    <>
      <PageTitle title="Overview" />
      <Figures asked={asked} />
      <Panel
        title="Activity per day"
        asked={asked}
        actions={<Period days={days} />}
        isEmpty={({ activitiesPerDay }) => activitiesPerDay.every(({ total }) => total === 0)}
        empty={<Empty>Nothing has happened in these {days} days.</Empty>}
      >
        {({ activitiesPerDay }) => <ActivityChart days={activitiesPerDay} />}
      </Panel>
      <div className="columns">
        <Newest />
        <Panel title="Not set up yet" asked={asked}>
          {({ setup }) => <SetupList setup={setup} />}
        </Panel>
      </div>
    </>
  );
}

function Figures({ asked }: { asked: Asked<Overview> }) {
  return (
    <Panel title="In numbers" asked={asked}>
      {({ activitiesPerDay, organizations, documents, users, queuedJobs, databaseSizeBytes }) => {
        const today = activitiesPerDay[activitiesPerDay.length - 1]?.total ?? 0;
        const figures = [
          ["Activities today (UTC)", formatCount(today)],
          ["Organizations", formatCount(organizations)],
          ["Documents", formatCount(documents)],
          ["People", formatCount(users)],
          ["Jobs waiting", formatCount(queuedJobs)],
          ["Database", formatBytes(databaseSizeBytes)],
        ];
        return (
          <dl className="figures">
            {figures.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        );
      }}
    </Panel>
  );
}

function Period({ days }: { days: number }) {
  const { change } = useParameters();
  return (
    <NativeSelect
      size="xs"
      aria-label="How many days"
      value={String(days)}
      data={PERIODS.map((value) => ({ value, label: `${value} days` }))}
      onChange={({ currentTarget: { value } }) => change({ days: value === DEFAULT_PERIOD ? undefined : value })}
    />
  );
}

function Newest() {
  const asked = useAnswer<Activity[]>(
    "/v2/workspace/activities/get",
    { pageSize: NEWEST },
    { everyMs: NEWEST_EVERY_MS },
  );
  const [selected, setSelected] = useState<Activity>();
  return (
    <>
      <Panel
        title="Newest activity"
        asked={asked}
        isEmpty={(activities) => activities.length === 0}
        empty={<NoActivity>Nothing has happened yet. Run this, and it shows up here within 5 seconds:</NoActivity>}
      >
        {(activities) => (
          <ul className="rows">
            {activities.map((activity) => {
              const { organizationId } = activity.metadata;
              return (
                <RecordRow key={`${organizationId}\n${activity.id}`} onSelect={() => setSelected(activity)}>
                  <ActivitySummary
                    activity={activity}
                    hasOrganization
                    linkTo={(filter) =>
                      `/activities?${new URLSearchParams({ organization: organizationId, ...filter })}`
                    }
                  />
                </RecordRow>
              );
            })}
          </ul>
        )}
      </Panel>
      <RecordDrawer title="Activity record" value={selected} onClose={() => setSelected(undefined)} />
    </>
  );
}
