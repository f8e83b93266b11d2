import { NativeSelect } from "@mantine/core";
import { useParameters } from "../../address.ts";
import type { Activity } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ActivitySummary } from "../../components/ActivitySummary.tsx";
import { Empty } from "../../components/Empty.tsx";
import { NoActivity } from "../../components/NoActivity.tsx";
import { NoOrganization } from "../../components/NoOrganization.tsx";
import { type ChosenOrganization, OrganizationSelect, useOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";

const PATH = "/v2/activities/get";
const PAGE_SIZE = 50;
const FEATURES = ["comment", "reaction", "recorder", "crdt", "custom"];

/** The feed of one organization, as its people would read it. */
export default function ActivitiesPage() {
  const chosen = useOrganization();
  return (
    <>
      <PageTitle title="Activities">What people did in an organization, newest first.</PageTitle>
      <Filters chosen={chosen} />
      {chosen.organizationId !== undefined && <Feed organizationId={chosen.organizationId} />}
      {chosen.organizationId === undefined && <NoOrganization title="Feed" chosen={chosen} />}
    </>
  );
}

function Filters({ chosen }: { chosen: ChosenOrganization }) {
  const { get, change } = useParameters();
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
  const { get, link } = useParameters();
  const [document, user, feature, action] = [get("document"), get("user"), get("feature"), get("action")];
  const asked = useAnswer<Activity[]>(PATH, {
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
      asked={asked}
      empty={
        isFiltered ? (
          <Empty>No activity is like this. Clear a filter to see more.</Empty>
        ) : (
          <NoActivity organizationId={organizationId}>
            Organization <Verbatim>{organizationId}</Verbatim> has no activity yet. Your backend adds them, such as by
            this command:
          </NoActivity>
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
