import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import type { Presence, UserRecord } from "../api/records.ts";
import { userLabel } from "./display-text.ts";
import { UntrustedText } from "./UntrustedText.tsx";

interface UserLinkProps {
  organizationId: string;
  user: UserRecord | Presence;
}

/** A user's name that links to their data in the organization. */
export function UserLink({ organizationId, user }: UserLinkProps) {
  const parameters = new URLSearchParams({ user: user.userId, organization: organizationId });
  return (
    <Anchor component={Link} size="sm" data-opens href={`/people?${parameters}`}>
      <UntrustedText>{userLabel(user)}</UntrustedText>
    </Anchor>
  );
}
