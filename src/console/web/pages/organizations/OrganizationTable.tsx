import { Anchor, Button, Menu, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { nameOrId } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_ORGANIZATION } from "../../components/example-requests.ts";
import { Filters } from "../../components/Filters.tsx";
import { LastActivityCell } from "../../components/LastActivityCell.tsx";
import { NoMatch } from "../../components/NoMatch.tsx";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { RowMenu } from "../../components/RowMenu.tsx";
import { SortableHeader, useSort } from "../../components/SortableHeader.tsx";
import { StateCell } from "../../components/StateCell.tsx";
import { StateFilter, useStateFilter } from "../../components/StateFilter.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";
import { AccessDialog } from "./AccessSwitch.tsx";
import { NewOrganization, RenameOrganization } from "./OrganizationForms.tsx";

const PATH = "/v2/workspace/organizations/get";
const ORDERS = ["name", "users", "documents", "lastActivityAt", "createdAt"] as const;
type Organization = ResponseData<typeof PATH>["organizations"][number];
type Dialog = { kind: "new" } | { kind: "rename" | "access"; organization: Organization };

/** The organizations of the workspace, which can be created, renamed, disabled and enabled in place. */
export function OrganizationTable() {
  const { get } = useUrlParameters();
  const sort = useSort(ORDERS, "name");
  const search = get("search");
  const disabled = useStateFilter();
  const request = { search, disabled, ...sort, pageSize: usePageSize(), pageToken: get("page") };
  const apiQuery = useApiQuery(PATH, request);
  const [dialog, setDialog] = useState<Dialog>();
  const total = apiQuery.query.data?.data.totalCount;
  return (
    <>
      <Filters hasViews>
        <TextFilter isSearch label="Search" placeholder="Name or ID" name="search" />
        <StateFilter />
      </Filters>
      <Panel
        title={total ? pluralize(total, "organization") : "Organizations"}
        apiQuery={apiQuery}
        actions={
          <Button size="compact-xs" onClick={() => setDialog({ kind: "new" })}>
            Create organization
          </Button>
        }
        isEmpty={({ totalCount }) => totalCount === 0}
        empty={
          search || disabled !== undefined ? (
            <NoMatch filters={["search", "state"]}>No organization matches these filters.</NoMatch>
          ) : (
            <EmptyState example={EXAMPLE_ORGANIZATION}>
              No organizations yet. An organization is created on its first write, or when your backend adds it:
            </EmptyState>
          )
        }
      >
        {({ organizations, totalCount }, { pageToken }) => (
          <>
            <Table className="stacked numbers" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <SortableHeader label="Name" name="name" sort={sort} />
                  <SortableHeader label="Users" name="users" sort={sort} first="desc" />
                  <SortableHeader label="Documents" name="documents" sort={sort} first="desc" />
                  <SortableHeader
                    label="Last activity"
                    name="lastActivityAt"
                    sort={sort}
                    first="desc"
                    className="words"
                  />
                  <SortableHeader label="Created" name="createdAt" sort={sort} first="desc" className="words" />
                  <Table.Th scope="col" className="words">
                    State
                  </Table.Th>
                  <Table.Td />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {organizations.map((organization) => (
                  <Row key={organization.id} organization={organization} onOpen={setDialog} />
                ))}
              </Table.Tbody>
            </Table>
            <Pager
              hasSizes
              label="organizations"
              nextToken={pageToken}
              counts={{ shown: organizations.length, total: totalCount }}
            />
          </>
        )}
      </Panel>
      <Dialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  );
}

function Row({ organization, onOpen }: { organization: Organization; onOpen: (dialog: Dialog) => void }) {
  const { id, organizationName, disabled, users, documents, lastActivityAt, createdAt } = organization;
  const name = nameOrId(organizationName, id);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <WithAvatar kind="organization" id={id} name={name}>
          <Anchor
            component={Link}
            href={`/organizations?${new URLSearchParams({ organization: id })}`}
            size="sm"
            lineClamp={2}
            data-opens
          >
            <UntrustedText>{name}</UntrustedText>
          </Anchor>
          {name !== id && (
            <Text size="xs" c="dimmed">
              <UntrustedText>{id}</UntrustedText>
            </Text>
          )}
        </WithAvatar>
      </Table.Th>
      <Table.Td data-label="Users">{formatCount(users)}</Table.Td>
      <Table.Td data-label="Documents">{formatCount(documents)}</Table.Td>
      <LastActivityCell at={lastActivityAt} />
      <Table.Td data-label="Created" className="words">
        <Time at={createdAt} />
      </Table.Td>
      <StateCell isDisabled={disabled} />
      <Table.Td className="row-menu">
        <RowMenu name={name}>
          <Menu.Item onClick={() => onOpen({ kind: "rename", organization })}>Rename…</Menu.Item>
          <Menu.Item onClick={() => onOpen({ kind: "access", organization })}>
            {disabled ? "Enable…" : "Disable…"}
          </Menu.Item>
        </RowMenu>
      </Table.Td>
    </Table.Tr>
  );
}

function Dialogs({ dialog, onClose }: { dialog: Dialog | undefined; onClose: () => void }) {
  if (dialog === undefined) return null;
  if (dialog.kind === "new") return <NewOrganization onClose={onClose} />;
  const { organization } = dialog;
  return dialog.kind === "rename" ? (
    <RenameOrganization organization={organization} onClose={onClose} />
  ) : (
    <AccessDialog
      organizationId={organization.id}
      name={nameOrId(organization.organizationName, organization.id)}
      isDisabled={organization.disabled}
      isOpen
      onClose={onClose}
    />
  );
}
