import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_USER } from "../../components/example-requests.ts";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";
import { UnknownUserLink } from "./UserTable.tsx";

const PATH = "/v2/workspace/users/figures/get";
const PAGE_SIZE = 50;
const ORDERS = ["organization", "id"] as const;

type User = ResponseData<typeof PATH>["users"][number];

/** The users of all organizations. Each opens the user's data in that organization. */
export function WorkspaceUserTable() {
  const { get } = useUrlParameters();
  const search = get("search");
  const sort = useSort(ORDERS, "organization");
  const apiQuery = useApiQuery(PATH, { search, ...sort, pageSize: PAGE_SIZE, pageToken: get("page") });
  const total = apiQuery.query.data?.data.totalCount;
  return (
    <Panel
      title={total ? `${pluralize(total, "user")} in all organizations` : "Users"}
      apiQuery={apiQuery}
      isEmpty={({ totalCount }) => totalCount === 0}
      empty={
        search ? (
          <UnknownUserLink search={search} />
        ) : (
          <EmptyState example={EXAMPLE_USER}>No users yet. Your backend adds them:</EmptyState>
        )
      }
    >
      {({ users }, { pageToken }) => (
        <>
          <Table className="stacked numbers" verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <SortableHeader label="User" name="id" sort={sort} />
                <SortableHeader label="Organization" name="organization" sort={sort} className="words" />
                <Table.Th scope="col" className="words">
                  Email
                </Table.Th>
                <Table.Th scope="col" className="words">
                  Role
                </Table.Th>
                <Table.Th scope="col">Documents</Table.Th>
                <Table.Th scope="col">Last activity</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {users.map((user) => (
                <Row key={JSON.stringify([user.organizationId, user.userId])} user={user} />
              ))}
            </Table.Tbody>
          </Table>
          <Pager label="users" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}

function Row({ user }: { user: User }) {
  const { organizationId, userId, email, accessRole, documents, lastActivityAt } = user;
  const label = userLabel(user);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <WithAvatar kind="user" id={userId} name={label}>
          <UserLink organizationId={organizationId} user={user} />
          {label !== userId && (
            <Text size="xs" c="dimmed">
              <UntrustedText>{userId}</UntrustedText>
            </Text>
          )}
        </WithAvatar>
      </Table.Th>
      <Table.Td data-label="Organization" className="words">
        <Anchor
          component={Link}
          href={`/people?${new URLSearchParams({ organization: organizationId })}`}
          size="sm"
          tabIndex={-1}
        >
          <UntrustedText>{organizationId}</UntrustedText>
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Email" className="words">
        {email ? <UntrustedText>{email}</UntrustedText> : "none"}
      </Table.Td>
      <Table.Td data-label="Role" className="words">
        {accessRole ?? "none"}
      </Table.Td>
      <Table.Td data-label="Documents">{formatCount(documents)}</Table.Td>
      <Table.Td data-label="Last activity">{lastActivityAt === null ? "none" : <Time at={lastActivityAt} />}</Table.Td>
    </Table.Tr>
  );
}
