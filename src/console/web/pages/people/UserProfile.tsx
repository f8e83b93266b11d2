import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { FactList } from "../../components/FactList.tsx";
import { useGroupNames } from "../../components/group-names.ts";
import { useOrganizationName } from "../../components/organization-names.ts";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

const PATH = "/v2/users/figures/get";

interface UserProfileProps {
  userId: string;
  organizationId: string;
}

/** The role of a user in an organization, when they were last seen and active there, and their groups. */
export function UserProfile({ userId, organizationId }: UserProfileProps) {
  const name = useOrganizationName(organizationId);
  const apiQuery = useApiQuery(PATH, { organizationId, userIds: [userId] });
  const { data: response } = useApiQuery("/v2/users/data/get", { organizationId, userId }).query;
  return (
    <Panel title={`In ${name}`} apiQuery={apiQuery}>
      {({ users }) => {
        const user = users.find((found) => found.userId === userId);
        return (
          <FactList
            facts={[
              ["Role", user ? (user.accessRole ?? "no role on the organization") : "no user record"],
              ["Last activity", user?.lastActivityAt ? <Time key="activity" at={user.lastActivityAt} /> : "none"],
              ["Last seen", <LastSeen key="seen" data={response?.data} />],
              ["Groups", <Groups key="groups" organizationId={organizationId} data={response?.data} />],
            ]}
          />
        );
      }}
    </Panel>
  );
}

/** What is stored about a user; undefined while loading. */
type Data = ResponseData<"/v2/users/data/get"> | undefined;

function LastSeen({ data }: { data: Data }): ReactNode {
  const times = data?.presence?.map((presence) => Number(Reflect.get(Object(presence), "lastActive"))) ?? [];
  if (times.length > 0) return <Time at={Math.max(...times)} />;
  return data && "not in the last 24 hours";
}

function Groups({ organizationId, data }: { organizationId: string; data: Data }): ReactNode {
  const ids = data?.userGroups?.map((group) => String(Reflect.get(Object(group), "organizationUserGroupId"))) ?? [];
  const toName = useGroupNames(organizationId, ids);
  if (ids.length === 0) return data && "none";
  return ids.map((group, index) => (
    <span key={group}>
      {index > 0 && ", "}
      <Anchor
        component={Link}
        size="sm"
        href={`/organizations?${new URLSearchParams({ organization: organizationId, tab: "users", group })}`}
      >
        <UntrustedText>{toName(group)}</UntrustedText>
      </Anchor>
    </span>
  ));
}
