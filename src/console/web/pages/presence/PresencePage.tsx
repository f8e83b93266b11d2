import { Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { AnyApiRequest } from "../../api/call.ts";
import type { Presence } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { useDocumentNames } from "../../components/document-names.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { formatCount } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { useOrganizationName } from "../../components/organization-names.ts";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { DocumentFilter } from "../../components/SuggestingFilters.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";
import { compareByStatus, statusSummary } from "./presence.ts";

/** Interval of reads in addition to those that events cause: the end of a user's heartbeats is not an event. */
const REFETCH_MS = 30_000;
const PAGE_SIZE = 200;
/** Number of rows of a document shown at first. The operation is not paginated. */
const INITIAL_ROWS = 200;

/** Shows which users are in the documents of an organization right now. */
export default function PresencePage() {
  const { get } = useUrlParameters();
  const selected = useSelectedOrganization({ isOptional: true });
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
        <OrganizationPresence key={organizationId} organizationId={organizationId} />
      )}
      {organizationId !== undefined && document !== undefined && (
        <DocumentPresence key={document} organizationId={organizationId} documentId={document} />
      )}
    </>
  );
}

/** The users who are online or away in any document of an organization. */
function OrganizationPresence({ organizationId }: { organizationId: string }) {
  const { get, link } = useUrlParameters();
  const name = useOrganizationName(organizationId);
  const request = { organizationId, pageSize: PAGE_SIZE, pageToken: get("page") };
  const apiQuery = useApiQuery("/v2/organizations/presence/get", request, { refetchMs: REFETCH_MS });
  const documentIds = apiQuery.query.data?.data.map(({ documentId }) => documentId);
  const toDocumentName = useDocumentNames(organizationId, documentIds);
  return (
    <Panel
      title={`Users online or away in ${name}`}
      apiQuery={apiQuery}
      isEmpty={(users) => users.length === 0 && get("page") === undefined}
      empty={<NoUsers organizationId={organizationId} documentId="contract-7" place="organization" />}
    >
      {(users, { pageToken }) => (
        <>
          <Text size="sm" role="status">
            {statusSummary(users)}
          </Text>
          <ul className="rows">
            {users.toSorted(compareByStatus).map((user) => (
              <Row key={`${user.documentId}\n${user.userId}`} organizationId={organizationId} user={user}>
                <FilterLink href={link({ document: user.documentId })}>
                  in <UntrustedText>{toDocumentName(user.documentId)}</UntrustedText>
                </FilterLink>
              </Row>
            ))}
          </ul>
          <Pager label="users" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}

/** All users of a document, also those who are offline. */
function DocumentPresence({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const apiQuery = useApiQuery("/v2/presence/get", { organizationId, documentId }, { refetchMs: REFETCH_MS });
  const [isAll, setIsAll] = useState(false);
  const name = useDocumentNames(organizationId, [documentId])(documentId);
  return (
    <Panel
      title={`Users in ${name}`}
      apiQuery={apiQuery}
      isEmpty={(users) => users.length === 0}
      empty={<NoUsers organizationId={organizationId} documentId={documentId} place="document" />}
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

interface NoUsersProps {
  organizationId: string;
  documentId: string;
  place: "organization" | "document";
}

function NoUsers({ organizationId, documentId, place }: NoUsersProps) {
  const example: AnyApiRequest = {
    path: "/v2/presence/add",
    data: { organizationId, documentId, users: [{ userId: "ada", name: "Ada Lovelace", status: "online" }] },
  };
  return (
    <EmptyState example={example}>
      {place === "document" ? "No users in this document." : "No users are online or away in this organization."} Your
      backend adds a user and repeats the call at least every 10 minutes. Run this command; the user appears here within
      a second:
    </EmptyState>
  );
}

interface RowProps {
  organizationId: string;
  user: Presence;
  /** The document in which the user is. */
  children?: ReactNode;
}

function Row({ organizationId, user, children }: RowProps) {
  return (
    <li>
      <WithAvatar kind="user" id={user.userId} name={userLabel(user)}>
        <UserLink organizationId={organizationId} user={user} />
        <Text size="xs" c="dimmed" component="div" className="details">
          {children}
          {userLabel(user) !== user.userId && <UntrustedText>{user.userId}</UntrustedText>}
          {user.email && user.email !== userLabel(user) && user.email !== user.userId && (
            <UntrustedText>{user.email}</UntrustedText>
          )}
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
