import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { UserGroup } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { counted } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";

const PAGE_SIZE = 20;

/** The groups of an organization, by id; their members are on the tab of people. */
export function GroupList({ organizationId }: { organizationId: string }) {
  const { get, link } = useParameters();
  const asked = useAnswer<UserGroup[]>("/v2/organizations/usergroups/get", {
    organizationId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const first = {
    path: "/v2/organizations/usergroups/add",
    data: { organizationId, organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }] },
  };
  return (
    <Panel
      title="Groups"
      asked={asked}
      isEmpty={(groups) => groups.length === 0}
      empty={<Empty first={first}>Groups gather people of an organization. This command makes one:</Empty>}
    >
      {(groups, { pageToken }) => (
        <>
          <ul className="rows">
            {groups.map(({ groupId, groupName, userIds }) => (
              <li key={groupId}>
                <div>
                  <Text size="sm">
                    <Verbatim>{groupName || groupId}</Verbatim>
                  </Text>
                  {groupName && groupName !== groupId && (
                    <Text size="xs" c="dimmed">
                      <Verbatim>{groupId}</Verbatim>
                    </Text>
                  )}
                </div>
                <Anchor component={Link} href={link({ tab: "people", group: groupId, page: undefined })} size="sm">
                  {counted(userIds.length, "member")}
                </Anchor>
              </li>
            ))}
          </ul>
          <Pager label="groups" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
