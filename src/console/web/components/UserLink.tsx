import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { userLabel } from "./display-text.ts";
import { UntrustedText } from "./UntrustedText.tsx";

interface UserLinkProps {
  organizationId: string;
  user: { userId: string; name?: string; email?: string };
  size?: "sm" | "xs";
}

/** A user's name that links to their data in the organization. */
export function UserLink({ organizationId, user, size = "sm" }: UserLinkProps) {
  const parameters = new URLSearchParams({ user: user.userId, organization: organizationId });
  return (
    <Anchor component={Link} size={size} lineClamp={2} data-opens href={`/people?${parameters}`}>
      <UntrustedText>{userLabel(user)}</UntrustedText>
    </Anchor>
  );
}
