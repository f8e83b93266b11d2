import { Anchor, Button, Menu, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_USER } from "../../components/example-requests.ts";
import { Filters } from "../../components/Filters.tsx";
import { useGroupNames } from "../../components/group-names.ts";
import { pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { RowMenu } from "../../components/RowMenu.tsx";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { UserFigureCells, UserNameCell } from "./UserCells.tsx";
import { EditUser, NewUser, RemoveUser } from "./UserForms.tsx";

const PATH = "/v2/users/figures/get";
const ORDERS = ["name", "documents", "lastActivityAt"] as const;

type User = ResponseData<typeof PATH>["users"][number];
export type UserDialog = { kind: "new" } | { kind: "edit" | "remove"; user: User };

interface UserTableProps {
  organizationId: string;
  isEnabled: boolean;
  /** Whether to show the filters, unless the page has its own. */
  hasFilters?: boolean;
}

/** The users of an organization, or of the group that the URL selects, who can be added and changed in place. */
export function UserTable({ organizationId, isEnabled, hasFilters = true }: UserTableProps) {
  const { get } = useUrlParameters();
  const [group, search] = [get("group"), get("search")];
  const sort = useSort(ORDERS, "name");
  const request = { organizationId, groupId: group, search, ...sort, pageSize: usePageSize(), pageToken: get("page") };
  const apiQuery = useApiQuery(PATH, request);
  const [dialog, setDialog] = useState<UserDialog>();
  const total = apiQuery.query.data?.data.totalCount;
  return (
    <>
      {hasFilters && (
        <Filters label="Filters of users">
          <TextFilter isSearch label="Search" placeholder="Name, address or ID" name="search" />
        </Filters>
      )}
      {group && <GroupNotice organizationId={organizationId} group={group} />}
      <Panel
        title={total ? pluralize(total, "user") : "Users"}
        apiQuery={apiQuery}
        isFollowed={isEnabled}
        actions={
          <Button size="compact-xs" onClick={() => setDialog({ kind: "new" })}>
            Create user
          </Button>
        }
        isEmpty={({ totalCount }) => totalCount === 0}
        empty={<NoUsers {...{ organizationId, group, search }} />}
      >
        {({ users, totalCount }, { pageToken }) => (
          <>
            <Table className="stacked numbers" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <SortableHeader label="Name" name="name" sort={sort} />
                  <Table.Th scope="col" className="words">
                    Email
                  </Table.Th>
                  <Table.Th scope="col" className="words">
                    Role
                  </Table.Th>
                  <SortableHeader label="Documents" name="documents" sort={sort} first="desc" />
                  <SortableHeader
                    label="Last activity"
                    name="lastActivityAt"
                    sort={sort}
                    first="desc"
                    className="words"
                  />
                  <Table.Td />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {users.map((user) => (
                  <Table.Tr key={user.userId}>
                    <UserNameCell organizationId={organizationId} user={user} />
                    <UserFigureCells user={user} />
                    <UserMenuCell user={user} onOpen={setDialog} />
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager hasSizes label="users" nextToken={pageToken} counts={{ shown: users.length, total: totalCount }} />
          </>
        )}
      </Panel>
      {dialog && <UserDialogs dialog={dialog} organizationId={organizationId} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function GroupNotice({ organizationId, group }: { organizationId: string; group: string }) {
  const name = useGroupNames(organizationId, [group])(group);
  const { link } = useUrlParameters();
  return (
    <Text size="sm" mb="sm">
      Members of group <UntrustedText>{name}</UntrustedText>.{" "}
      <Anchor component={Link} href={link({ group: undefined })} size="sm">
        Show all users
      </Anchor>
    </Text>
  );
}

interface NoUsersProps {
  organizationId: string;
  group: string | undefined;
  search: string | undefined;
}

function NoUsers({ organizationId, group, search }: NoUsersProps) {
  if (search) return <UnknownUserLink search={search} />;
  if (group) return <EmptyState>This group has no members.</EmptyState>;
  const example = { ...EXAMPLE_USER, data: { ...EXAMPLE_USER.data, organizationId } };
  return <EmptyState example={example}>No users yet. Your backend adds them:</EmptyState>;
}

/** Says that nobody matches a search, and leads to the data that may exist under it as an ID. */
export function UnknownUserLink({ search }: { search: string }) {
  return (
    <EmptyState>
      No user matches this search.{" "}
      <Anchor component={Link} href={`/people?${new URLSearchParams({ user: search })}`} size="sm" underline="always">
        Check for data under the ID "<UntrustedText>{search}</UntrustedText>"
      </Anchor>
    </EmptyState>
  );
}

interface UserMenuCellProps {
  user: User;
  onOpen: (dialog: UserDialog) => void;
}

/** The cell with the actions on a user in an organization. */
export function UserMenuCell({ user, onOpen }: UserMenuCellProps) {
  return (
    <Table.Td className="row-menu">
      <RowMenu name={userLabel(user)}>
        {user.isInOrganization && <Menu.Item onClick={() => onOpen({ kind: "edit", user })}>Edit…</Menu.Item>}
        <Menu.Item onClick={() => onOpen({ kind: "remove", user })}>Remove…</Menu.Item>
      </RowMenu>
    </Table.Td>
  );
}

interface UserDialogsProps {
  dialog: UserDialog;
  organizationId: string;
  onClose: () => void;
}

/** The dialog that an action has opened. */
export function UserDialogs({ dialog, organizationId, onClose }: UserDialogsProps) {
  if (dialog.kind === "new") return <NewUser organizationId={organizationId} onClose={onClose} />;
  const common = { organizationId, user: dialog.user, onClose };
  return dialog.kind === "edit" ? <EditUser {...common} /> : <RemoveUser {...common} />;
}
