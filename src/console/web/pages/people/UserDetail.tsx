import { Group } from "@mantine/core";
import { useState } from "react";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { formatCount } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeleteUser } from "./DeleteUser.tsx";
import { ExportUser } from "./ExportUser.tsx";
import type { FoundUser } from "./PeoplePage.tsx";
import { kindLabel, RecordCounts, type UserData } from "./RecordCounts.tsx";

const WITH_DATA = "/v2/users/data/organizations/get";

interface UserDetailProps {
  userId: string;
  /** Where the person has a record; undefined while that is being read. */
  known: FoundUser[] | undefined;
}

/** What is stored about a person in one organization, and what can be done with all of it. */
export function UserDetail({ userId, known }: UserDetailProps) {
  const { get } = useUrlParameters();
  const all = useSelectedOrganization();
  const isNowhere = known?.length === 0 && get("organization") === undefined;
  const withData = useApiQuery<string[]>(WITH_DATA, { userId }, { isEnabled: isNowhere });
  // Of those with data one may be behind the first page; the first organization is a beginning all the same.
  const likely = withData.query.isSuccess ? (withData.query.data.data[0] ?? all.organizationId) : undefined;
  const organizationId =
    get("organization") === undefined ? (known?.[0]?.organizationId ?? likely) : all.organizationId;
  const chosen = { ...all, organizationId };
  return (
    <>
      <Group align="flex-end" justify="space-between">
        <OrganizationSelect chosen={chosen} keep={["user", "found", "job", "tasks"]} />
        <Group gap="xs">
          <ExportUser key={get("job")} userId={userId} />
          <DeleteUser userId={userId} organizationId={organizationId} />
        </Group>
      </Group>
      {all.missingId !== undefined && <NoOrganizationPanel title="Stored" chosen={all} />}
      {organizationId !== undefined && <Stored key={organizationId} userId={userId} organizationId={organizationId} />}
    </>
  );
}

function Stored({ userId, organizationId }: { userId: string; organizationId: string }) {
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery<UserData>("/v2/users/data/get", { organizationId, userId, pageToken: get("page") });
  const [kind, setKind] = useState<string>();
  const records = kind === undefined ? undefined : apiQuery.query.data?.data[kind];
  return (
    <>
      <Panel
        title={`Stored in ${organizationId}`}
        apiQuery={apiQuery}
        isEmpty={(data) => get("page") === undefined && Object.values(data).every((list) => list.length === 0)}
        empty={
          <EmptyState>
            Nothing is stored about <UntrustedText>{userId}</UntrustedText> in this organization.
          </EmptyState>
        }
      >
        {(data, { pageToken }) => (
          <>
            <RecordCounts data={data} onSelect={setKind} />
            <Pager label="what is stored" nextToken={pageToken} />
          </>
        )}
      </Panel>
      <RecordDrawer
        title={`${kindLabel(kind ?? "")}: ${formatCount(records?.length ?? 0)} on this page`}
        value={records}
        onClose={() => setKind(undefined)}
      />
    </>
  );
}
