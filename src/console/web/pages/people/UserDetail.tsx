import { Group } from "@mantine/core";
import { useState } from "react";
import type { FoundUser } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { pluralize } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { RevokeUserTokens } from "../../components/RevokeUserTokens.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeleteUser } from "./DeleteUser.tsx";
import { ExportUser } from "./ExportUser.tsx";
import { kindLabel, RecordCounts } from "./RecordCounts.tsx";

interface UserDetailProps {
  userId: string;
  /** The user's records; undefined while loading. */
  known: FoundUser[] | undefined;
  /** Organizations with data of a user without records; undefined while loading. */
  withData: string[] | undefined;
  /** Whether a deletion has left nothing to show. */
  isGone: boolean;
}

/** Shows a user's data in one organization, with buttons to export or delete all of it. */
export function UserDetail({ userId, known, withData, isGone }: UserDetailProps) {
  const { get } = useUrlParameters();
  // A user without a record starts in an organization that has their data, or else in the first one.
  const presetId = known?.[0]?.organizationId ?? withData?.[0];
  const selected = useSelectedOrganization({ allowsDisabled: true, isOptional: withData === undefined, presetId });
  const { organizationId } = selected;
  return (
    <>
      {!isGone && (
        <Group align="flex-end" justify="space-between">
          <OrganizationSelect selected={selected} keep={["user", "found", "job"]} />
          <Group gap="xs" ml="auto">
            <RevokeUserTokens userId={userId} />
            <ExportUser key={get("job")} userId={userId} />
            <DeleteUser userId={userId} organizationId={organizationId} />
          </Group>
        </Group>
      )}
      {selected.missingId !== undefined && <NoOrganizationPanel title="Data" selected={selected} />}
      {organizationId !== undefined && !isGone && (
        <UserData key={organizationId} userId={userId} organizationId={organizationId} />
      )}
    </>
  );
}

function UserData({ userId, organizationId }: { userId: string; organizationId: string }) {
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/users/data/get", { organizationId, userId, pageToken: get("page") });
  const [kind, setKind] = useState<string>();
  const records = kind === undefined ? undefined : apiQuery.query.data?.data[kind];
  return (
    <>
      <Panel
        title={`Data in ${organizationId}`}
        apiQuery={apiQuery}
        isEmpty={(data) => get("page") === undefined && Object.values(data).every((list) => list.length === 0)}
        empty={
          <EmptyState>
            No data about <UntrustedText>{userId}</UntrustedText> in this organization.
          </EmptyState>
        }
      >
        {(data, { pageToken }) => (
          <>
            <RecordCounts data={data} onSelect={setKind} />
            <Pager label="records" nextToken={pageToken} />
          </>
        )}
      </Panel>
      <RecordDrawer
        title={`${kindLabel(kind ?? "")}: ${pluralize(records?.length ?? 0, "record")} on this page`}
        value={records}
        onClose={() => setKind(undefined)}
      />
    </>
  );
}
