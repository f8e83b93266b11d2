import { Anchor, Badge, Group, Tabs, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Organization } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { Json } from "../../components/Code.tsx";
import { OrganizationNotFound } from "../../components/NoOrganizationPanel.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { AccessSwitch } from "./AccessSwitch.tsx";
import { AddName } from "./AddName.tsx";
import { DocumentList } from "./DocumentList.tsx";
import { GroupList } from "./GroupList.tsx";
import { UserList } from "./UserList.tsx";

const TABS = [
  // The API refuses to read the documents of a disabled organization.
  { name: "documents", label: "Documents", List: DocumentList, isRefused: true },
  { name: "users", label: "Users", List: UserList, isRefused: false },
  { name: "groups", label: "Groups", List: GroupList, isRefused: false },
];

/** Shows one organization with its documents, users and groups. */
export function OrganizationDetail({ organizationId }: { organizationId: string }) {
  const { get, change, link } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/organizations/get", { organizationIds: [organizationId] });
  const organization = apiQuery.query.data?.data[0];
  const name = organization?.organizationName || organizationId;
  const tab = TABS.find((known) => known.name === get("tab")) ?? TABS[0];
  return (
    <>
      <Anchor
        component={Link}
        href={link({ organization: undefined, tab: undefined, group: undefined, page: undefined })}
        size="sm"
      >
        All organizations
      </Anchor>
      <PageTitle title={name} />
      <Panel
        title="Details"
        apiQuery={apiQuery}
        isEmpty={(organizations) => organizations.length === 0}
        empty={<OrganizationNotFound organizationId={organizationId} />}
      >
        {([organization]) => organization && <Summary organization={organization} />}
      </Panel>
      <Tabs
        value={tab?.name ?? null}
        onChange={(next) => change({ tab: next ?? undefined, group: undefined, page: undefined })}
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map(({ name: value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name: value, List, isRefused }) => (
          <Tabs.Panel key={value} value={value} pt="md">
            {organization?.disabled && isRefused ? (
              <Text size="sm">Documents cannot be read until the organization is enabled again.</Text>
            ) : (
              organization && <List organizationId={organizationId} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function Summary({ organization }: { organization: Organization }) {
  const { id, disabled, organizationName, ...metadata } = organization;
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <div className="wide">
          <Text size="sm">
            ID{" "}
            <strong>
              <UntrustedText>{id}</UntrustedText>
            </strong>
          </Text>
          {!organizationName && <AddName organizationId={id} />}
          {disabled && (
            <Badge variant="default" mt="xs">
              Disabled
            </Badge>
          )}
        </div>
        <AccessSwitch organizationId={id} isDisabled={disabled} />
      </Group>
      {Object.keys(metadata).length > 0 && <Json label="Metadata" value={metadata} />}
    </>
  );
}
