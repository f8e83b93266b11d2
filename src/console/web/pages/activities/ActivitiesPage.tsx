import { NativeSelect } from "@mantine/core";
import type { Activity } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { ActivitySummary } from "../../components/ActivitySummary.tsx";
import { EmptyActivityFeed } from "../../components/EmptyActivityFeed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import {
  OrganizationSelect,
  type SelectedOrganization,
  useSelectedOrganization,
} from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

const PATH = "/v2/activities/get";
const PAGE_SIZE = 50;
const FEATURES = ["comment", "reaction", "recorder", "crdt", "custom"];

/** The feed of one organization, as its people would read it. */
export default function ActivitiesPage() {
  const chosen = useSelectedOrganization();
  return (
    <>
      <PageTitle title="Activities">What people did in an organization, newest first.</PageTitle>
      <Filters chosen={chosen} />
      {chosen.organizationId !== undefined && <Feed organizationId={chosen.organizationId} />}
      {chosen.organizationId === undefined && <NoOrganizationPanel title="Feed" chosen={chosen} />}
    </>
  );
}

function Filters({ chosen }: { chosen: SelectedOrganization }) {
  const { get, change } = useUrlParameters();
  return (
    <search className="filters" aria-label="Which activities">
      <OrganizationSelect chosen={chosen} />
      <TextFilter label="Document" name="document" placeholder="Any id" />
      <TextFilter label="Person" name="user" placeholder="Any id" />
      <NativeSelect
        label="Feature"
        value={get("feature") ?? ""}
        data={[{ value: "", label: "Any" }, ...FEATURES]}
        onChange={({ currentTarget: { value } }) => change({ feature: value || undefined, page: undefined })}
      />
      <TextFilter label="Action" name="action" placeholder="Any" />
    </search>
  );
}

function Feed({ organizationId }: { organizationId: string }) {
  const { get, link } = useUrlParameters();
  const [document, user, feature, action] = [get("document"), get("user"), get("feature"), get("action")];
  const apiQuery = useApiQuery<Activity[]>(PATH, {
    organizationId,
    documentId: document,
    userId: user,
    featureTypes: feature && [feature],
    actionTypes: action && [action],
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const isFiltered = [document, user, feature, action, get("page")].some((filter) => filter !== undefined);
  return (
    <RecordList
      title="Feed"
      label="activities"
      apiQuery={apiQuery}
      empty={
        isFiltered ? (
          <EmptyState>No activity is like this. Clear a filter to see more.</EmptyState>
        ) : (
          <EmptyActivityFeed organizationId={organizationId}>
            Organization <UntrustedText>{organizationId}</UntrustedText> has no activity yet. Your backend adds them,
            such as by this command:
          </EmptyActivityFeed>
        )
      }
      recordTitle="Activity record"
      idOf={({ id }) => id}
      requestFor={(id) => ({ path: PATH, data: { organizationId, activityIds: [id] } })}
    >
      {(activity) => <ActivitySummary activity={activity} linkTo={(filter) => link({ ...filter, page: undefined })} />}
    </RecordList>
  );
}
