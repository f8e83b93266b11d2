import { useOrganizationName } from "./organization-names.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** The name of an organization, or its ID if it has none. */
export function OrganizationName({ id }: { id: string }) {
  return <UntrustedText>{useOrganizationName(id)}</UntrustedText>;
}
