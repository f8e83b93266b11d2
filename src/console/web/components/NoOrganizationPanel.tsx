import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { EmptyState } from "./EmptyState.tsx";
import { EXAMPLE_ORGANIZATION } from "./example-requests.ts";
import type { SelectedOrganization } from "./OrganizationSelect.tsx";
import { Panel } from "./Panel.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

/** In the place of a page's list while it is not known which organization it is of, or there is none. */
export function NoOrganizationPanel({
  title,
  chosen: { apiQuery, missingId },
}: {
  title: string;
  chosen: SelectedOrganization;
}) {
  const empty =
    missingId === undefined ? (
      <EmptyState first={EXAMPLE_ORGANIZATION}>
        There is no organization yet. It comes to exist on its first use, or by this command of your backend:
      </EmptyState>
    ) : (
      <OrganizationNotFound organizationId={missingId} />
    );
  return (
    <Panel title={title} apiQuery={apiQuery} isEmpty={() => true} empty={empty}>
      {() => null}
    </Panel>
  );
}

/** What to do where an id names no organization. */
export function OrganizationNotFound({ organizationId }: { organizationId: string }) {
  return (
    <Text size="sm">
      There is no organization <UntrustedText>{organizationId}</UntrustedText>. Ids are compared as they are, with
      capitals.{" "}
      <Anchor component={Link} href="/organizations" size="sm" underline="always">
        All organizations
      </Anchor>
    </Text>
  );
}
