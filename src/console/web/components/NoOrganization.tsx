import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { Empty } from "./Empty.tsx";
import { FIRST_ORGANIZATION } from "./examples.ts";
import type { ChosenOrganization } from "./OrganizationSelect.tsx";
import { Panel } from "./Panel.tsx";
import { Verbatim } from "./Verbatim.tsx";

/** In the place of a page's list while it is not known which organization it is of, or there is none. */
export function NoOrganization({ title, chosen: { asked, missingId } }: { title: string; chosen: ChosenOrganization }) {
  const empty =
    missingId === undefined ? (
      <Empty first={FIRST_ORGANIZATION}>
        There is no organization yet. It comes to exist on its first use, or by this command of your backend:
      </Empty>
    ) : (
      <MissingOrganization organizationId={missingId} />
    );
  return (
    <Panel title={title} asked={asked} isEmpty={() => true} empty={empty}>
      {() => null}
    </Panel>
  );
}

/** What to do where an id names no organization. */
export function MissingOrganization({ organizationId }: { organizationId: string }) {
  return (
    <Text size="sm">
      There is no organization <Verbatim>{organizationId}</Verbatim>. Ids are compared as they are, with capitals.{" "}
      <Anchor component={Link} href="/organizations" size="sm" underline="always">
        All organizations
      </Anchor>
    </Text>
  );
}
