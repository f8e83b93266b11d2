import type { ReactNode } from "react";
import type { Activity } from "../api/records.ts";
import type { ApiQuery } from "../api/use-api.ts";
import { useUrlParameters } from "../url.ts";
import { ActivityDetail } from "./ActivityDetail.tsx";
import { ActivitySummary } from "./ActivitySummary.tsx";
import { activityKey, parseActivityKey } from "./activity-key.ts";
import { usePlaceNames } from "./document-names.ts";
import { useOrganizationNames } from "./organization-names.ts";
import { Pager } from "./Pager.tsx";
import { Panel } from "./Panel.tsx";
import { RecordRow } from "./RecordRow.tsx";
import { SelectedRecord } from "./SelectedRecord.tsx";

interface WorkspaceActivityListProps {
  title: string;
  apiQuery: ApiQuery<Activity[]>;
  /** Shown instead of a list without activities. */
  empty: ReactNode;
  hasPages?: boolean;
  isErrorReported?: boolean;
  /** Whether the record that the URL selects can be requested if it is not on the page. */
  canReadRecord?: boolean;
}

/**
 * Activities of several organizations. Each opens its record, which the URL parameter `record` selects, and links to
 * the feed of its organization.
 */
export function WorkspaceActivityList(props: WorkspaceActivityListProps) {
  const { title, apiQuery, empty, hasPages = false, isErrorReported = false, canReadRecord = true } = props;
  const { change } = useUrlParameters();
  const { data: response, isPending, isPlaceholderData } = apiQuery.query;
  const getName = useOrganizationNames(response?.data.map(({ metadata }) => metadata.organizationId) ?? []);
  const toDocumentName = usePlaceNames(response?.data.map(({ metadata }) => metadata) ?? []);
  return (
    <>
      <Panel
        title={title}
        apiQuery={apiQuery}
        isEmpty={(activities) => activities.length === 0}
        empty={empty}
        isErrorReported={isErrorReported}
      >
        {(activities, { pageToken }) => (
          <>
            <ul className="rows">
              {activities.map((activity) => {
                const { organizationId } = activity.metadata;
                const key = activityKey(activity);
                return (
                  <RecordRow key={key} onSelect={() => change({ record: key })}>
                    <ActivitySummary
                      activity={activity}
                      documentName={toDocumentName(activity.metadata)}
                      organizationName={getName(organizationId)}
                      linkTo={(filter) =>
                        `/activities?${new URLSearchParams({ organization: organizationId, ...filter })}`
                      }
                    />
                  </RecordRow>
                );
              })}
            </ul>
            {hasPages && <Pager hasSizes label="activities" nextToken={pageToken} />}
          </>
        )}
      </Panel>
      <SelectedRecord
        title="Activity"
        onPage={response?.data ?? []}
        isPageLoaded={!isPending && !isPlaceholderData && canReadRecord}
        getId={activityKey}
        path="/v2/activities/get"
        requestFor={(key) => {
          const { organizationId, id } = parseActivityKey(key);
          return { organizationId, activityIds: [id] };
        }}
        recordsIn={(found) => found}
        details={(activity) => <ActivityDetail activity={activity} />}
      />
    </>
  );
}
