import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../../url.ts";
import { resourceLabel } from "./access.ts";

interface ResourceLinkProps {
  organizationId: string;
  resource: { type: string; id?: string; name?: string };
  /** -1 in a row that opens as a whole, whose arrow keys reach the link. */
  tabIndex?: -1 | undefined;
}

/** A folder or organization that links to where its permissions are managed. */
export function ResourceLink({ organizationId, resource, tabIndex }: ResourceLinkProps) {
  const { link } = useUrlParameters();
  const href =
    resource.type === "folder"
      ? link({ folder: resource.id, tab: "access", document: undefined })
      : `/organizations?${new URLSearchParams({ organization: organizationId, tab: "users" })}`;
  return (
    <Anchor component={Link} href={href} size="sm" underline="always" tabIndex={tabIndex}>
      <UntrustedText>{resourceLabel(resource)}</UntrustedText>
    </Anchor>
  );
}
