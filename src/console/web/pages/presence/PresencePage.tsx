import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { Presence } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DocumentPicker } from "../../components/DocumentPicker.tsx";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { formatCount } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { useUrlParameters } from "../../url.ts";
import { compareByStatus, summaryOf } from "./presence.ts";

const EVERY_MS = 3_000;
/** The operation has no pages; more rows than this are shown when they are asked for. */
const SHOWN = 200;

/** Who is in a document now. */
export default function PresencePage() {
  const { get } = useUrlParameters();
  const chosen = useSelectedOrganization();
  const { organizationId } = chosen;
  const document = get("document");
  return (
    <>
      <PageTitle title="Presence">
        Who is in a document now. Who was not heard of for 10 minutes is offline, and gone after 24 hours.
      </PageTitle>
      <search className="filters" aria-label="Where">
        <OrganizationSelect chosen={chosen} />
        <TextFilter label="Document" name="document" placeholder="Id" />
      </search>
      {organizationId === undefined && <NoOrganizationPanel title="Here now" chosen={chosen} />}
      {organizationId !== undefined && document === undefined && (
        <DocumentPicker organizationId={organizationId}>Choose a document to see who is in it.</DocumentPicker>
      )}
      {organizationId !== undefined && document !== undefined && (
        <HereNow key={document} organizationId={organizationId} documentId={document} />
      )}
    </>
  );
}

function HereNow({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const apiQuery = useApiQuery<Presence[]>("/v2/presence/get", { organizationId, documentId }, { refetchMs: EVERY_MS });
  const [isAll, setIsAll] = useState(false);
  const first = {
    path: "/v2/presence/add",
    data: { organizationId, documentId, users: [{ userId: "ada", name: "Ada Lovelace", status: "online" }] },
  };
  return (
    <Panel
      title={`In ${documentId}`}
      apiQuery={apiQuery}
      isEmpty={(users) => users.length === 0}
      empty={
        <EmptyState first={first}>
          Nobody is here. Your backend says who is, and says it again at least every 10 minutes; this shows somebody
          within 3 seconds:
        </EmptyState>
      }
    >
      {(users) => (
        <>
          <Text size="sm" role="status">
            {summaryOf(users)}
          </Text>
          <ul className="rows">
            {users
              .toSorted(compareByStatus)
              .slice(0, isAll ? undefined : SHOWN)
              .map((user) => (
                <Row key={user.userId} organizationId={organizationId} user={user} />
              ))}
          </ul>
          {!isAll && users.length > SHOWN && (
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
      <div>
        <UserLink organizationId={organizationId} user={user} />
        <Text size="xs" c="dimmed" component="div" className="details">
          {userLabel(user) !== user.userId && <UntrustedText>{user.userId}</UntrustedText>}
          {user.email && user.email !== userLabel(user) && <UntrustedText>{user.email}</UntrustedText>}
          <span>
            heard of <Time at={user.lastActive} />
          </span>
        </Text>
      </div>
      <Text size="sm" className="status" data-status={user.status}>
        {user.status}
      </Text>
    </li>
  );
}
