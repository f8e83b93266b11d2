import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Activity } from "../api/records.ts";
import { type ApiQuery, useApiQuery } from "../api/use-api.ts";
import { ActivityDetail } from "../components/ActivityDetail.tsx";
import { ActivitySummary } from "../components/ActivitySummary.tsx";
import { parseActivityKey } from "../components/activity-key.ts";
import { DisabledOrganization } from "../components/DisabledOrganization.tsx";
import { usePlaceNames } from "../components/document-names.ts";
import { EmptyActivityFeed } from "../components/EmptyActivityFeed.tsx";
import { Filters } from "../components/Filters.tsx";
import { FEATURES } from "../components/features.ts";
import { NoMatch } from "../components/NoMatch.tsx";
import { NoOrganizationPanel } from "../components/NoOrganizationPanel.tsx";
import { OrganizationName } from "../components/OrganizationName.tsx";
import {
  OrganizationSelect,
  type SelectedOrganization,
  useSelectedOrganization,
} from "../components/OrganizationSelect.tsx";
import { PageTitle } from "../components/PageTitle.tsx";
import { usePageSize } from "../components/page-size.ts";
import { RecordList } from "../components/RecordList.tsx";
import { KeptFor } from "../components/Retention.tsx";
import { SelectFilter } from "../components/SelectFilter.tsx";
import { ActionFilter, DocumentFilter, UserFilter } from "../components/SuggestingFilters.tsx";
import { TextFilter } from "../components/TextFilter.tsx";
import { TimeFilters } from "../components/TimeFilters.tsx";
import { parseTime } from "../components/time-input.ts";
import { UntrustedText } from "../components/UntrustedText.tsx";
import { WorkspaceActivityList } from "../components/WorkspaceActivityList.tsx";
import { useUrlParameters } from "../url.ts";

const PATH = "/v2/activities/get";
/** URL parameters of the filters that mean the same in every organization. */
const KEPT_FILTERS = ["query", "user", "feature", "action", "from", "to"];
const FILTERS = [...KEPT_FILTERS, "document"];

/** Shows the activity feed of an organization, or of all. */
export default function ActivitiesPage() {
  const isOfAll = useUrlParameters().get("organization") === undefined;
  return (
    <>
      <PageTitle title="Activities">
        What users did, newest first.
        <KeptFor kind="activityDays" />
      </PageTitle>
      {isOfAll ? <WorkspaceFeed /> : <OrganizationFeed />}
    </>
  );
}

function WorkspaceFeed() {
  const selected = useSelectedOrganization({ isOptional: true });
  const { get } = useUrlParameters();
  const organizations = selected.apiQuery.query;
  const { organizationId: recordOrganizationId } = parseActivityKey(get("record") ?? "");
  const isDisabled = organizations.data?.data.organizations.some(
    ({ id, disabled }) => disabled && id === recordOrganizationId,
  );
  const { documentId, ...filters } = useFilters();
  const request = { ...filters, pageSize: usePageSize(), pageToken: get("page") };
  const apiQuery = useApiQuery("/v2/workspace/activities/get", request);
  return (
    <>
      <ActivityFilters selected={selected} shown={apiQuery.query.data?.data ?? []} />
      {documentId !== undefined && <UnusedDocument documentId={documentId} />}
      {isDisabled && <DisabledOrganization organizationId={recordOrganizationId} isNamed />}
      <WorkspaceActivityList
        title="Activity feed"
        apiQuery={apiQuery}
        empty={
          isAnySet(filters) ? (
            <NoActivity />
          ) : (
            <EmptyActivityFeed>No activity yet. Run this command to add one:</EmptyActivityFeed>
          )
        }
        hasPages
        canReadRecord={!organizations.isPending && !isDisabled}
      />
    </>
  );
}

/** Says that a document in the URL needs an organization, since documents of several may have the same ID. */
function UnusedDocument({ documentId }: { documentId: string }) {
  const { link } = useUrlParameters();
  return (
    <Alert variant="outline" color="gray" role="status">
      <Text size="sm">
        Choose the organization of document <UntrustedText>{documentId}</UntrustedText> to see its activities, or{" "}
        <Anchor component={Link} href={link({ document: undefined })} size="sm" underline="always">
          clear this filter
        </Anchor>
        .
      </Text>
    </Alert>
  );
}

function OrganizationFeed() {
  const selected = useSelectedOrganization();
  const { organizationId } = selected;
  const filters = useFilters();
  const pageToken = useUrlParameters().get("page");
  const request = { organizationId: organizationId ?? "", ...filters, pageSize: usePageSize(), pageToken };
  const apiQuery = useApiQuery(PATH, request, { isEnabled: organizationId !== undefined });
  return (
    <>
      <ActivityFilters selected={selected} shown={apiQuery.query.data?.data ?? []} />
      {organizationId !== undefined && <Feed organizationId={organizationId} filters={filters} apiQuery={apiQuery} />}
      {organizationId === undefined && <NoOrganizationPanel title="Activity feed" selected={selected} />}
    </>
  );
}

/** Returns the filters in the URL. */
function useFilters() {
  const { get } = useUrlParameters();
  const feature = FEATURES.find(({ value }) => value === get("feature"))?.value;
  const action = get("action");
  return {
    query: get("query"),
    documentId: get("document"),
    userId: get("user"),
    featureTypes: feature && [feature],
    actionTypes: action ? [action] : undefined,
    from: parseTime(get("from")),
    to: parseTime(get("to")),
  };
}

/** The filters, which suggest what the activities on the page have until something is typed. */
function ActivityFilters({ selected, shown }: { selected: SelectedOrganization; shown: Activity[] }) {
  const { organizationId } = selected;
  const isOfAll = useUrlParameters().get("organization") === undefined;
  return (
    <Filters hasViews hidden={FILTERS}>
      <OrganizationSelect selected={selected} keep={isOfAll ? FILTERS : KEPT_FILTERS} hasAll />
      <TextFilter isSearch label="Words" name="query" type="search" placeholder="signed contract" />
      {organizationId !== undefined && (
        <DocumentFilter organizationId={organizationId} shown={shown.map(({ metadata }) => metadata.documentId)} />
      )}
      <UserFilter organizationId={organizationId} shown={shown.map(({ actionUser }) => actionUser)} />
      <SelectFilter label="Feature" name="feature" options={FEATURES} />
      <ActionFilter organizationId={organizationId} shown={shown.map(({ actionType }) => actionType)} />
      <TimeFilters />
    </Filters>
  );
}

interface FeedProps {
  organizationId: string;
  filters: ReturnType<typeof useFilters>;
  apiQuery: ApiQuery<Activity[]>;
}

function Feed({ organizationId, filters, apiQuery }: FeedProps) {
  const { link } = useUrlParameters();
  const toDocumentName = usePlaceNames(apiQuery.query.data?.data.map(({ metadata }) => metadata) ?? []);
  return (
    <RecordList
      title="Activity feed"
      label="activities"
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={(activities) => activities}
      empty={
        isAnySet(filters) ? (
          <NoActivity />
        ) : (
          <EmptyActivityFeed organizationId={organizationId}>
            No activity in <OrganizationName id={organizationId} /> yet. Run this command to add one:
          </EmptyActivityFeed>
        )
      }
      recordTitle="Activity"
      getId={({ id }) => id}
      requestFor={(id) => ({ organizationId, activityIds: [id] })}
      details={(activity) => <ActivityDetail activity={activity} />}
    >
      {(activity) => (
        <ActivitySummary
          activity={activity}
          documentName={toDocumentName(activity.metadata)}
          linkTo={(filter) => link({ ...filter })}
        />
      )}
    </RecordList>
  );
}

function isAnySet(filters: object): boolean {
  return Object.values(filters).some((filter) => filter !== undefined);
}

function NoActivity() {
  return <NoMatch filters={FILTERS}>No activity matches these filters.</NoMatch>;
}
