import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import type { FoundUser } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { pluralize } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { useOrganizationName } from "../../components/organization-names.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { RevokeUserTokens } from "../../components/RevokeUserTokens.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DeleteUser } from "./DeleteUser.tsx";
import { ExportUser } from "./ExportUser.tsx";
import { kindLabel, RecordCounts } from "./RecordCounts.tsx";
import { UserActivity } from "./UserActivity.tsx";
import { UserDocuments } from "./UserDocuments.tsx";
import { UserProfile } from "./UserProfile.tsx";

interface UserDetailProps {
  userId: string;
  /** The user's records; undefined while loading. */
  known: FoundUser[] | undefined;
  /** Organizations with data of a user without records; undefined while loading. */
  withData: string[] | undefined;
  /** Whether a deletion has left nothing to show. */
  isGone: boolean;
  /** The organizations that have a record of the user. */
  organizations: ReactNode;
}

/** Shows what a user did and may do, and below it the user's data in one organization, to export or delete it. */
export function UserDetail({ userId, known, withData, isGone, organizations }: UserDetailProps) {
  const { get } = useUrlParameters();
  const headingId = useId();
  // A user without a record starts in an organization that has their data, or else in the first one.
  const presetId = known?.[0]?.organizationId ?? withData?.[0];
  const selected = useSelectedOrganization({ allowsDisabled: true, isOptional: withData === undefined, presetId });
  const { organizationId, isEnabled } = selected;
  return (
    <>
      {!isGone && (
        <Group>
          <OrganizationSelect selected={selected} keep={["user", "found", "job"]} />
        </Group>
      )}
      {selected.missingId !== undefined && <NoOrganizationPanel title="Data" selected={selected} />}
      {organizationId !== undefined && !isGone && (
        <div className="columns">
          <UserActivity userId={userId} />
          <Stack>
            <UserProfile {...{ userId, organizationId }} />
            {isEnabled && <UserDocuments key={organizationId} {...{ userId, organizationId }} />}
          </Stack>
        </div>
      )}
      <Stack component="section" aria-labelledby={headingId} mt="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4" id={headingId}>
            Data protection
          </Title>
          {!isGone && (
            <Group gap="xs">
              <RevokeUserTokens userId={userId} />
              <ExportUser key={get("job")} userId={userId} />
              <DeleteUser userId={userId} organizationId={organizationId} />
            </Group>
          )}
        </Group>
        {organizations}
        {organizationId !== undefined && !isGone && (
          <UserData key={organizationId} userId={userId} organizationId={organizationId} />
        )}
      </Stack>
    </>
  );
}

function UserData({ userId, organizationId }: { userId: string; organizationId: string }) {
  const { get } = useUrlParameters();
  const name = useOrganizationName(organizationId);
  const apiQuery = useApiQuery("/v2/users/data/get", { organizationId, userId, pageToken: get("page") });
  const [kind, setKind] = useState<string>();
  const records = kind === undefined ? undefined : apiQuery.query.data?.data[kind];
  return (
    <>
      <Panel
        title={`Data in ${name}`}
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
