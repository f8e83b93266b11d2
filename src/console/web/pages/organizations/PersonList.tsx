import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { UserRecord } from "../../api/records.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { PersonLink } from "../../components/PersonLink.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";

const PAGE_SIZE = 50;

/** The people of an organization, by id; of one group where the address names it. */
export function PersonList({ organizationId }: { organizationId: string }) {
  const { get, link } = useParameters();
  const group = get("group");
  const asked = useAnswer<UserRecord[]>("/v2/users/get", {
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
          Members of group <Verbatim>{group}</Verbatim>.{" "}
          <Anchor component={Link} href={link({ group: undefined, page: undefined })} size="sm">
            Show everybody
          </Anchor>
        </Text>
      )}
      <Panel
        title="People"
        asked={asked}
        isEmpty={(users) => users.length === 0}
        empty={
          group ? (
            <Empty>This group has no members.</Empty>
          ) : (
            <Empty first={first}>Your backend tells who belongs to an organization, such as by this command:</Empty>
          )
        }
      >
        {(users, { pageToken }) => (
          <>
            <ul className="rows">
              {users.map((user) => (
                <li key={user.userId}>
                  <div>
                    <PersonLink organizationId={organizationId} user={user} />
                    <Text size="xs" c="dimmed" component="div" className="details">
                      <Verbatim>{user.userId}</Verbatim>
                      {user.email && user.email !== user.userId && <Verbatim>{user.email}</Verbatim>}
                      {user.accessRole && <Verbatim>{user.accessRole}</Verbatim>}
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
