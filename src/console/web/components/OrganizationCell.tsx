import { Anchor, Table } from "@mantine/core";
import { Link } from "wouter";
import { UntrustedText } from "./UntrustedText.tsx";

/** The cell of a table of all organizations that leads to the same page of one. */
export function OrganizationCell({ page, organizationId }: { page: "people" | "documents"; organizationId: string }) {
  const organization = new URLSearchParams({ organization: organizationId });
  return (
    <Table.Td data-label="Organization" className="words">
      <Anchor component={Link} href={`/${page}?${organization}`} size="sm" tabIndex={-1} lineClamp={2}>
        <UntrustedText>{organizationId}</UntrustedText>
      </Anchor>
    </Table.Td>
  );
}
