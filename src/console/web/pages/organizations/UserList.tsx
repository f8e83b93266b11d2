import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AnyApiRequest, ResponseData } from "../../api/call.ts";
import type { UserRecord } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";

const PATH = "/v2/users/get";
const PAGE_SIZE = 50;

/** The users of an organization, or of the group that the URL selects, sorted by ID. */
export function UserList({ organizationId }: { organizationId: string }) {
  const { get, link } = useUrlParameters();
  const group = get("group");
  const apiQuery = useApiQuery(PATH, {
    organizationId,
    organizationUserGroupIds: group ? [group] : undefined,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const example: AnyApiRequest = {
    path: "/v2/users/add",
    data: { organizationId, users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com" }] },
  };
  return (
    <>
      {group && (
        <Text size="sm" mb="sm">
          Members of group <UntrustedText>{group}</UntrustedText>.{" "}
          <Anchor component={Link} href={link({ group: undefined, page: undefined })} size="sm">
            Show all users
          </Anchor>
        </Text>
      )}
      <Panel
        title="Users"
        apiQuery={apiQuery}
        isEmpty={(page) => usersOf(page).length === 0}
        empty={
          group ? (
            <EmptyState>This group has no members.</EmptyState>
          ) : (
            <EmptyState example={example}>No users yet. Your backend adds them:</EmptyState>
          )
        }
      >
        {(page, { pageToken }) => (
          <>
            <ul className="rows">
              {usersOf(page).map((user) => (
                <li key={user.userId}>
                  <WithAvatar kind="user" id={user.userId} name={userLabel(user)}>
                    <UserLink organizationId={organizationId} user={user} />
                    <Text size="xs" c="dimmed" component="div" className="details">
                      <UntrustedText>{user.userId}</UntrustedText>
                      {user.email && user.email !== user.userId && <UntrustedText>{user.email}</UntrustedText>}
                      {user.accessRole && <UntrustedText>{user.accessRole}</UntrustedText>}
                    </Text>
                  </WithAvatar>
                </li>
              ))}
            </ul>
            <Pager label="users" nextToken={pageToken} />
          </>
        )}
      </Panel>
    </>
  );
}

/** Returns the users of a page, which is a list unless it was requested by document. */
function usersOf(page: ResponseData<typeof PATH>): UserRecord[] {
  return Array.isArray(page) ? page : Object.values(page).flat();
}
