import { useState } from "react";
import type { Activity } from "../api/records.ts";
import { ActivitySummary } from "./ActivitySummary.tsx";
import { RecordDrawer } from "./RecordDrawer.tsx";
import { RecordRow } from "./RecordRow.tsx";

/** Activities of several organizations. Each opens its record, and links to the feed of its organization. */
export function WorkspaceActivityList({ activities }: { activities: Activity[] }) {
  const [selected, setSelected] = useState<Activity>();
  return (
    <>
      <ul className="rows">
        {activities.map((activity) => {
          const { organizationId } = activity.metadata;
          return (
            <RecordRow key={`${organizationId}\n${activity.id}`} onSelect={() => setSelected(activity)}>
              <ActivitySummary
                activity={activity}
                hasOrganization
                linkTo={(filter) => `/activities?${new URLSearchParams({ organization: organizationId, ...filter })}`}
              />
            </RecordRow>
          );
        })}
      </ul>
      <RecordDrawer title="Activity record" value={selected} onClose={() => setSelected(undefined)} />
    </>
  );
}
