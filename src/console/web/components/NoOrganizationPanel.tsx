import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Organization } from "../api/records.ts";
import { useUrlParameters } from "../url.ts";
import { DisabledOrganization } from "./DisabledOrganization.tsx";
import { nameOrId } from "./display-text.ts";
import { EmptyState } from "./EmptyState.tsx";
import { EXAMPLE_ORGANIZATION } from "./example-requests.ts";
import type { SelectedOrganization } from "./OrganizationSelect.tsx";
import { Loading, Panel } from "./Panel.tsx";
import { UntrustedText } from "./UntrustedText.tsx";
import { WithAvatar } from "./WithAvatar.tsx";

/** Number of organizations to choose from. The field above the list finds the others. */
const MAX_CHOICES = 20;

interface NoOrganizationPanelProps {
  title: string;
  selected: SelectedOrganization;
}

/**
 * Replaces the list of a page of one organization until one is chosen, while it is loading, if there is none, or if it
 * is disabled.
 */
export function NoOrganizationPanel({ title, selected }: NoOrganizationPanelProps) {
  const { stateQuery, missingId, disabledId, apiQuery } = selected;
  const isNamed = useUrlParameters().get("organization") !== undefined;
  const choices = (apiQuery.query.data?.data.organizations ?? []).filter(({ disabled }) => !disabled);
  if (disabledId !== undefined) return <DisabledOrganization organizationId={disabledId} />;
  const empty =
    missingId === undefined ? (
      <EmptyState example={EXAMPLE_ORGANIZATION}>
        No organizations yet. An organization is created on its first write, or when your backend adds it:
      </EmptyState>
    ) : (
      <OrganizationNotFound organizationId={missingId} />
    );
  return (
    <Panel
      title={title}
      apiQuery={stateQuery}
      isEmpty={() => isNamed || choices.length === 0}
      empty={stateQuery.query.isPlaceholderData ? <Loading /> : empty}
    >
      {() => <OrganizationChoice organizations={choices.slice(0, MAX_CHOICES)} />}
    </Panel>
  );
}

function OrganizationChoice({ organizations }: { organizations: Organization[] }) {
  const { link } = useUrlParameters();
  return (
    <>
      <Text size="sm">This page shows one organization. Choose it:</Text>
      <ul className="rows">
        {organizations.map(({ id, organizationName }) => (
          <li key={id}>
            <WithAvatar kind="organization" id={id} name={nameOrId(organizationName, id)}>
              <Anchor component={Link} href={link({ organization: id })} size="sm" data-opens>
                <UntrustedText>{nameOrId(organizationName, id)}</UntrustedText>
              </Anchor>
            </WithAvatar>
          </li>
        ))}
      </ul>
    </>
  );
}

/** States that an organization does not exist and links to the list. */
export function OrganizationNotFound({ organizationId }: { organizationId: string }) {
  return (
    <Text size="sm">
      Organization <UntrustedText>{organizationId}</UntrustedText> does not exist. IDs are case-sensitive.{" "}
      <Anchor component={Link} href="/organizations" size="sm" underline="always">
        View all organizations
      </Anchor>
    </Text>
  );
}
