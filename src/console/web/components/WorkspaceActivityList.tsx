import type { Activity } from "../api/records.ts";
import { useUrlParameters } from "../url.ts";
import { ActivitySummary } from "./ActivitySummary.tsx";
import { activityKey, parseActivityKey } from "./activity-key.ts";
import { RecordRow } from "./RecordRow.tsx";
import { SelectedRecord } from "./SelectedRecord.tsx";

/**
 * Activities of several organizations. Each opens its record, which the URL parameter `record` selects, and links to
 * the feed of its organization.
 */
export function WorkspaceActivityList({ activities }: { activities: Activity[] }) {
  const { change } = useUrlParameters();
  return (
    <>
      <ul className="rows">
        {activities.map((activity) => {
          const { organizationId } = activity.metadata;
          const key = activityKey(activity);
          return (
            <RecordRow key={key} onSelect={() => change({ record: key })}>
              <ActivitySummary
                activity={activity}
                hasOrganization
                linkTo={(filter) => `/activities?${new URLSearchParams({ organization: organizationId, ...filter })}`}
              />
            </RecordRow>
          );
        })}
      </ul>
      <SelectedRecord
        title="Activity record"
        onPage={activities}
        isPageLoaded
        idOf={activityKey}
        path="/v2/activities/get"
        requestFor={(key) => {
          const { organizationId, id } = parseActivityKey(key);
          return { organizationId, activityIds: [id] };
        }}
        recordsIn={(found) => found}
      />
    </>
  );
}
