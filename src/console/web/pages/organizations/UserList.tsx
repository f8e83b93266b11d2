import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { UserRecord } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { useUrlParameters } from "../../url.ts";

const PAGE_SIZE = 50;

/** The people of an organization, by id; of one group where the address names it. */
export function UserList({ organizationId }: { organizationId: string }) {
  const { get, link } = useUrlParameters();
  const group = get("group");
  const apiQuery = useApiQuery<UserRecord[]>("/v2/users/get", {
    organizationId,
    organizationUserGroupIds: group && [group],
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const first = {
    path: "/v2/users/add",
    data: { organizationId, users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com" }] },
  };
  return (
    <>
      {group && (
        <Text size="sm" mb="sm">
          Members of group <UntrustedText>{group}</UntrustedText>.{" "}
          <Anchor component={Link} href={link({ group: undefined, page: undefined })} size="sm">
            Show everybody
          </Anchor>
        </Text>
      )}
      <Panel
        title="People"
        apiQuery={apiQuery}
        isEmpty={(users) => users.length === 0}
        empty={
          group ? (
            <EmptyState>This group has no members.</EmptyState>
          ) : (
            <EmptyState first={first}>
              Your backend tells who belongs to an organization, such as by this command:
            </EmptyState>
          )
        }
      >
        {(users, { pageToken }) => (
          <>
            <ul className="rows">
              {users.map((user) => (
                <li key={user.userId}>
                  <div>
                    <UserLink organizationId={organizationId} user={user} />
                    <Text size="xs" c="dimmed" component="div" className="details">
                      <UntrustedText>{user.userId}</UntrustedText>
                      {user.email && user.email !== user.userId && <UntrustedText>{user.email}</UntrustedText>}
                      {user.accessRole && <UntrustedText>{user.accessRole}</UntrustedText>}
                    </Text>
                  </div>
                </li>
              ))}
            </ul>
            <Pager label="people" nextToken={pageToken} />
          </>
        )}
      </Panel>
    </>
  );
}
