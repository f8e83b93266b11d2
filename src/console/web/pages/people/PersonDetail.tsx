import { Group } from "@mantine/core";
import { useState } from "react";
import { useParameters } from "../../address.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { NoOrganization } from "../../components/NoOrganization.tsx";
import { formatCount } from "../../components/numbers.ts";
import { OrganizationSelect, useOrganization } from "../../components/OrganizationSelect.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordDrawer } from "../../components/RecordDrawer.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { DeletePerson } from "./DeletePerson.tsx";
import { ExportPerson } from "./ExportPerson.tsx";
import type { FoundUser } from "./PeoplePage.tsx";
import { StoredKinds, type UserData, wordsOf } from "./StoredKinds.tsx";

const WITH_DATA = "/v2/users/data/organizations/get";

interface PersonDetailProps {
  userId: string;
  /** Where the person has a record; undefined while that is being read. */
  known: FoundUser[] | undefined;
}

/** What is stored about a person in one organization, and what can be done with all of it. */
export function PersonDetail({ userId, known }: PersonDetailProps) {
  const { get } = useParameters();
  const all = useOrganization();
  const isNowhere = known?.length === 0 && get("organization") === undefined;
  const withData = useAnswer<string[]>(WITH_DATA, { userId }, { isEnabled: isNowhere });
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
          <ExportPerson key={get("job")} userId={userId} />
          <DeletePerson userId={userId} organizationId={organizationId} />
        </Group>
      </Group>
      {all.missingId !== undefined && <NoOrganization title="Stored" chosen={all} />}
      {organizationId !== undefined && <Stored key={organizationId} userId={userId} organizationId={organizationId} />}
    </>
  );
}

function Stored({ userId, organizationId }: { userId: string; organizationId: string }) {
  const { get } = useParameters();
  const asked = useAnswer<UserData>("/v2/users/data/get", { organizationId, userId, pageToken: get("page") });
  const [kind, setKind] = useState<string>();
  const records = kind === undefined ? undefined : asked.query.data?.data[kind];
  return (
    <>
      <Panel
        title={`Stored in ${organizationId}`}
        asked={asked}
        isEmpty={(data) => get("page") === undefined && Object.values(data).every((list) => list.length === 0)}
        empty={
          <Empty>
            Nothing is stored about <Verbatim>{userId}</Verbatim> in this organization.
          </Empty>
        }
      >
        {(data, { pageToken }) => (
          <>
            <StoredKinds data={data} onSelect={setKind} />
            <Pager label="what is stored" nextToken={pageToken} />
          </>
        )}
      </Panel>
      <RecordDrawer
        title={`${wordsOf(kind ?? "")}: ${formatCount(records?.length ?? 0)} on this page`}
        value={records}
        onClose={() => setKind(undefined)}
      />
    </>
  );
}
