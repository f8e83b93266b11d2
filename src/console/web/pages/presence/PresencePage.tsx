import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useParameters } from "../../address.ts";
import type { Presence } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ChooseDocument } from "../../components/ChooseDocument.tsx";
import { Empty } from "../../components/Empty.tsx";
import { nameOf } from "../../components/message.ts";
import { NoOrganization } from "../../components/NoOrganization.tsx";
import { formatCount } from "../../components/numbers.ts";
import { OrganizationSelect, useOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { PersonLink } from "../../components/PersonLink.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { byPresence, summaryOf } from "./presence.ts";

const EVERY_MS = 3_000;
/** The operation has no pages; more rows than this are shown when they are asked for. */
const SHOWN = 200;

/** Who is in a document now. */
export default function PresencePage() {
  const { get } = useParameters();
  const chosen = useOrganization();
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
      {organizationId === undefined && <NoOrganization title="Here now" chosen={chosen} />}
      {organizationId !== undefined && document === undefined && (
        <ChooseDocument organizationId={organizationId}>Choose a document to see who is in it.</ChooseDocument>
      )}
      {organizationId !== undefined && document !== undefined && (
        <HereNow key={document} organizationId={organizationId} documentId={document} />
      )}
    </>
  );
}

function HereNow({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const asked = useAnswer<Presence[]>("/v2/presence/get", { organizationId, documentId }, { everyMs: EVERY_MS });
  const [isAll, setIsAll] = useState(false);
  const first = {
    path: "/v2/presence/add",
    data: { organizationId, documentId, users: [{ userId: "ada", name: "Ada Lovelace", status: "online" }] },
  };
  return (
    <Panel
      title={`In ${documentId}`}
      asked={asked}
      isEmpty={(users) => users.length === 0}
      empty={
        <Empty first={first}>
          Nobody is here. Your backend says who is, and says it again at least every 10 minutes; this shows somebody
          within 3 seconds:
        </Empty>
      }
    >
      {(users) => (
        <>
          <Text size="sm" role="status">
            {summaryOf(users)}
          </Text>
          <ul className="rows">
            {users
              .toSorted(byPresence)
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
        <PersonLink organizationId={organizationId} user={user} />
        <Text size="xs" c="dimmed" component="div" className="details">
          {nameOf(user) !== user.userId && <Verbatim>{user.userId}</Verbatim>}
          {user.email && user.email !== nameOf(user) && <Verbatim>{user.email}</Verbatim>}
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
