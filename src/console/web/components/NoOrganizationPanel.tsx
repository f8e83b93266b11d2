import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { DisabledOrganization } from "./DisabledOrganization.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { EXAMPLE_ORGANIZATION } from "./example-requests.ts";
import type { SelectedOrganization } from "./OrganizationSelect.tsx";
import { Loading, Panel } from "./Panel.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

/** Replaces the list of a page while its organization is loading, if there is none, or if it is disabled. */
export function NoOrganizationPanel({
  title,
  selected: { stateQuery, missingId, disabledId },
}: {
  title: string;
  selected: SelectedOrganization;
}) {
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
      isEmpty={() => true}
      empty={stateQuery.query.isPlaceholderData ? <Loading /> : empty}
    >
      {() => null}
    </Panel>
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
