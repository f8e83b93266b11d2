import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AnyApiRequest } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { nameOrId } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

const PAGE_SIZE = 20;

/** The groups of an organization, sorted by ID. Each opens its members on the users tab. */
export function GroupList({ organizationId }: { organizationId: string }) {
  const { get, link } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/organizations/usergroups/get", {
    organizationId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const example: AnyApiRequest = {
    path: "/v2/organizations/usergroups/add",
    data: { organizationId, organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }] },
  };
  return (
    <Panel
      title="Groups"
      apiQuery={apiQuery}
      isEmpty={(groups) => groups.length === 0}
      empty={<EmptyState example={example}>No groups yet. Run this command to add one:</EmptyState>}
    >
      {(groups, { pageToken }) => (
        <>
          <ul className="rows">
            {groups.map(({ groupId, groupName, userIds = [] }) => (
              <li key={groupId}>
                <div>
                  <Text size="sm">
                    <UntrustedText>{nameOrId(groupName, groupId)}</UntrustedText>
                  </Text>
                  {nameOrId(groupName, groupId) !== groupId && (
                    <Text size="xs" c="dimmed">
                      <UntrustedText>{groupId}</UntrustedText>
                    </Text>
                  )}
                </div>
                <Anchor component={Link} href={link({ tab: "users", group: groupId })} size="sm" data-opens>
                  {pluralize(userIds.length, "member")}
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
