import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import { UntrustedText } from "./UntrustedText.tsx";

interface OrganizationCellProps {
  page: "people" | "documents";
  organizationId: string;
  /** Name of the organization, or its ID if there is none. */
  name: string;
}

/** The cell of a table of all organizations that leads to the same page of one. */
export function OrganizationCell({ page, organizationId, name }: OrganizationCellProps) {
  const organization = new URLSearchParams({ organization: organizationId });
  return (
    <Table.Td data-label="Organization" className="words">
      <Anchor component={Link} href={`/${page}?${organization}`} size="sm" tabIndex={-1} lineClamp={2}>
        <UntrustedText>{name}</UntrustedText>
      </Anchor>
      {name !== organizationId && (
        <Text size="xs" c="dimmed">
          <UntrustedText>{organizationId}</UntrustedText>
        </Text>
      )}
    </Table.Td>
  );
}
