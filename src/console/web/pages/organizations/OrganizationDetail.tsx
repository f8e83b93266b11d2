import { Badge, Button, Stack, Tabs, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Organization } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { Json } from "../../components/Code.tsx";
import { nameOrId } from "../../components/display-text.ts";
import { OrganizationNotFound } from "../../components/NoOrganizationPanel.tsx";
import { Panel } from "../../components/Panel.tsx";
import { RecordTitle } from "../../components/RecordTitle.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { DocumentTable } from "../documents/DocumentTable.tsx";
import { UserTable } from "../people/UserTable.tsx";
import { AccessSwitch } from "./AccessSwitch.tsx";
import { GroupList } from "./GroupList.tsx";
import { RenameOrganization } from "./OrganizationForms.tsx";

const TABS = [
  // The API rejects requests for the documents of a disabled organization.
  { name: "documents", label: "Documents", List: DocumentTable, isRejected: true },
  { name: "users", label: "Users", List: UserTable, isRejected: false },
  { name: "groups", label: "Groups", List: GroupList, isRejected: false },
];

/** Shows one organization with its documents, users and groups. */
export function OrganizationDetail({ organizationId }: { organizationId: string }) {
  const { get, change, all } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/organizations/get", { organizationIds: [organizationId] });
  const organization = apiQuery.query.data?.data[0];
  const name = nameOrId(organization?.organizationName, organizationId);
  const metadata = organization && getMetadata(organization);
  // The panel also says that the organization is being loaded, does not exist, or cannot be read.
  const hasPanel = metadata === undefined || Object.keys(metadata).length > 0;
  const tab = TABS.find((known) => known.name === get("tab")) ?? TABS[0];
  /** Clears the filters of the tab that was open. */
  function openTab(next: string | undefined): void {
    const cleared = Object.fromEntries(all.map((parameter) => [parameter, undefined]));
    change({ ...cleared, organization: organizationId, tab: next });
  }
  return (
    <>
      <RecordTitle
        kind="organization"
        id={organizationId}
        title={name}
        parents={[{ label: "Organizations", href: "/organizations" }]}
        links={[{ label: "Activities", href: `/activities?${new URLSearchParams({ organization: organizationId })}` }]}
        actions={organization && <Actions organization={organization} />}
      >
        {(name !== organizationId || organization?.disabled) && (
          <>
            {name !== organizationId && <UntrustedText>{organizationId}</UntrustedText>}{" "}
            {organization?.disabled && (
              <Badge component="span" variant="default" tt="none">
                Disabled
              </Badge>
            )}
          </>
        )}
      </RecordTitle>
      {hasPanel && (
        <Panel
          title="Details"
          apiQuery={apiQuery}
          isEmpty={(organizations) => organizations.length === 0}
          empty={<OrganizationNotFound organizationId={organizationId} />}
        >
          {() => <Json label="Metadata" value={metadata} />}
        </Panel>
      )}
      {organization && (
        <Tabs value={tab?.name ?? null} onChange={(next) => openTab(next ?? undefined)} keepMounted={false}>
          <Tabs.List>
            {TABS.map(({ name: value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TABS.map(({ name: value, List, isRejected }) => (
            <Tabs.Panel key={value} value={value} pt="md">
              {organization.disabled && isRejected ? (
                <Text size="sm">Documents cannot be read until the organization is enabled again.</Text>
              ) : (
                <Stack gap="md">
                  <List organizationId={organizationId} isEnabled={!organization.disabled} />
                </Stack>
              )}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </>
  );
}

function Actions({ organization: { id, disabled, organizationName = "" } }: { organization: Organization }) {
  const [isRenaming, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {organizationName.trim() ? "Rename…" : "Add a name…"}
      </Button>
      {isRenaming && <RenameOrganization organization={{ id, organizationName }} onClose={close} />}
      <AccessSwitch organizationId={id} name={nameOrId(organizationName, id)} isDisabled={disabled} />
    </>
  );
}

/** Returns what the backend has stored with an organization beside its name. */
function getMetadata({ id: _id, disabled: _disabled, organizationName: _name, ...metadata }: Organization): object {
  return metadata;
}
