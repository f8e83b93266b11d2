import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { OrganizationName } from "./OrganizationName.tsx";

interface DisabledOrganizationProps {
  organizationId: string;
  /** Names the organization, on a page that shows others too. */
  isNamed?: boolean;
}

/** States that an organization is disabled and links to the page that enables it. */
export function DisabledOrganization({ organizationId, isNamed = false }: DisabledOrganizationProps) {
  const name = isNamed ? <OrganizationName id={organizationId} /> : "This organization";
  return (
    <Alert variant="outline" color="gray" role="status" title={<>{name} is disabled</>}>
      <Text size="sm">
        Data is kept, but cannot be read or changed until the organization is enabled again.{" "}
        <Anchor
          component={Link}
          href={`/organizations?${new URLSearchParams({ organization: organizationId })}`}
          size="sm"
          underline="always"
        >
          Go to the organization
        </Anchor>
      </Text>
    </Alert>
  );
}
