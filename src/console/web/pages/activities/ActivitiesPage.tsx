import { NativeSelect } from "@mantine/core";
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
const FEATURES = ["comment", "reaction", "recorder", "crdt", "custom"] as const;

/** Shows the activity feed of an organization. */
export default function ActivitiesPage() {
  const selected = useSelectedOrganization();
  return (
    <>
      <PageTitle title="Activities">User actions in an organization, newest first.</PageTitle>
      <Filters selected={selected} />
      {selected.organizationId !== undefined && <Feed organizationId={selected.organizationId} />}
      {selected.organizationId === undefined && <NoOrganizationPanel title="Activity feed" selected={selected} />}
    </>
  );
}

function Filters({ selected }: { selected: SelectedOrganization }) {
  const { get, change } = useUrlParameters();
  return (
    <search className="filters" aria-label="Filters">
      <OrganizationSelect selected={selected} />
      <TextFilter label="Document" name="document" placeholder="Any ID" />
      <TextFilter label="User" name="user" placeholder="Any ID" />
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
  const [document, user, action] = [get("document"), get("user"), get("action")];
  const feature = FEATURES.find((known) => known === get("feature"));
  const apiQuery = useApiQuery(PATH, {
    organizationId,
    documentId: document,
    userId: user,
    featureTypes: feature && [feature],
    actionTypes: action ? [action] : undefined,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const isFiltered = [document, user, feature, action, get("page")].some((filter) => filter !== undefined);
  return (
    <RecordList
      title="Activity feed"
      label="activities"
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={(activities) => activities}
      empty={
        isFiltered ? (
          <EmptyState>No activity matches these filters.</EmptyState>
        ) : (
          <EmptyActivityFeed organizationId={organizationId}>
            No activity in <UntrustedText>{organizationId}</UntrustedText> yet. Run this command to add one:
          </EmptyActivityFeed>
        )
      }
      recordTitle="Activity record"
      idOf={({ id }) => id}
      requestFor={(id) => ({ organizationId, activityIds: [id] })}
    >
      {(activity) => <ActivitySummary activity={activity} linkTo={(filter) => link({ ...filter, page: undefined })} />}
    </RecordList>
  );
}
