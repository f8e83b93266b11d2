import { Table } from "@mantine/core";
import { useState } from "react";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_USER } from "../../components/example-requests.ts";
import { pluralize } from "../../components/numbers.ts";
import { OrganizationCell } from "../../components/OrganizationCell.tsx";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { useUrlParameters } from "../../url.ts";
import { UserFigureCells, UserNameCell } from "./UserCells.tsx";
import { UnknownUserLink, type UserDialog, UserDialogs, UserMenuCell } from "./UserTable.tsx";

const PATH = "/v2/workspace/users/figures/get";
const ORDERS = ["organization", "id"] as const;

/** The users of all organizations. Each opens the user's data in that organization. */
export function WorkspaceUserTable() {
  const { get } = useUrlParameters();
  const search = get("search");
  const sort = useSort(ORDERS, "organization");
  const apiQuery = useApiQuery(PATH, { search, ...sort, pageSize: usePageSize(), pageToken: get("page") });
  const getName = useOrganizationNames(
    apiQuery.query.data?.data.users.map(({ organizationId }) => organizationId) ?? [],
  );
  const total = apiQuery.query.data?.data.totalCount;
  const [opened, setOpened] = useState<{ organizationId: string; dialog: UserDialog }>();
  return (
    <>
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
        {({ users, totalCount }, { pageToken }) => (
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
                  <Table.Th scope="col">Added to documents</Table.Th>
                  <Table.Th scope="col" className="words">
                    Last activity
                  </Table.Th>
                  <Table.Td />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {users.map((user) => (
                  <Table.Tr key={JSON.stringify([user.organizationId, user.userId])}>
                    <UserNameCell organizationId={user.organizationId} user={user} />
                    <OrganizationCell
                      page="people"
                      organizationId={user.organizationId}
                      name={getName(user.organizationId)}
                    />
                    <UserFigureCells user={user} />
                    <UserMenuCell
                      user={user}
                      onOpen={(dialog) => setOpened({ organizationId: user.organizationId, dialog })}
                    />
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager hasSizes label="users" nextToken={pageToken} counts={{ shown: users.length, total: totalCount }} />
          </>
        )}
      </Panel>
      {opened && <UserDialogs {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
