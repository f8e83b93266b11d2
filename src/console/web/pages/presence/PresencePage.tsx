import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { AnyApiRequest } from "../../api/call.ts";
import type { Presence } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DocumentPicker } from "../../components/DocumentPicker.tsx";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { formatCount } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { DocumentFilter } from "../../components/SuggestingFilters.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";
import { compareByStatus, statusSummary } from "./presence.ts";

const REFETCH_MS = 3_000;
/** Number of rows shown at first. The operation is not paginated. */
const INITIAL_ROWS = 200;

/** Shows which users are in a document right now. */
export default function PresencePage() {
  const { get } = useUrlParameters();
  const selected = useSelectedOrganization();
  const { organizationId } = selected;
  const document = get("document");
  return (
    <>
      <PageTitle title="Presence">
        Users in a document right now. Offline after 10 minutes without a heartbeat; removed after 24 hours.
      </PageTitle>
      <Filters>
        <OrganizationSelect selected={selected} />
        <DocumentFilter organizationId={organizationId} placeholder="Name or ID" />
      </Filters>
      {organizationId === undefined && <NoOrganizationPanel title="Users" selected={selected} />}
      {organizationId !== undefined && document === undefined && (
        <DocumentPicker organizationId={organizationId}>Choose a document to see who is in it.</DocumentPicker>
      )}
      {organizationId !== undefined && document !== undefined && (
        <UserPresence key={document} organizationId={organizationId} documentId={document} />
      )}
    </>
  );
}

function UserPresence({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const apiQuery = useApiQuery("/v2/presence/get", { organizationId, documentId }, { refetchMs: REFETCH_MS });
  const [isAll, setIsAll] = useState(false);
  const example: AnyApiRequest = {
    path: "/v2/presence/add",
    data: { organizationId, documentId, users: [{ userId: "ada", name: "Ada Lovelace", status: "online" }] },
  };
  return (
    <Panel
      title={`Users in ${documentId}`}
      apiQuery={apiQuery}
      isEmpty={(users) => users.length === 0}
      empty={
        <EmptyState example={example}>
          No users in this document. Your backend adds a user and repeats the call at least every 10 minutes. Run this
          command; the user appears here within 3 seconds:
        </EmptyState>
      }
    >
      {(users) => (
        <>
          <Text size="sm" role="status">
            {statusSummary(users)}
          </Text>
          <ul className="rows">
            {users
              .toSorted(compareByStatus)
              .slice(0, isAll ? undefined : INITIAL_ROWS)
              .map((user) => (
                <Row key={user.userId} organizationId={organizationId} user={user} />
              ))}
          </ul>
          {!isAll && users.length > INITIAL_ROWS && (
            <Button size="compact-sm" variant="default" mt="sm" onClick={() => setIsAll(true)}>
              Show all {formatCount(users.length)}
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

function Row({ organizationId, user }: { organizationId: string; user: Presence }) {
  return (
    <li>
      <WithAvatar kind="user" id={user.userId} name={userLabel(user)}>
        <UserLink organizationId={organizationId} user={user} />
        <Text size="xs" c="dimmed" component="div" className="details">
          {userLabel(user) !== user.userId && <UntrustedText>{user.userId}</UntrustedText>}
          {user.email && user.email !== userLabel(user) && <UntrustedText>{user.email}</UntrustedText>}
          <span>
            last active <Time at={user.lastActive} />
          </span>
        </Text>
      </WithAvatar>
      <Text size="sm" className="status" data-status={user.status}>
        {user.status}
      </Text>
    </li>
  );
}
