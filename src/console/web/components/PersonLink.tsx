import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import type { Presence, UserRecord } from "../api/records.ts";
import { nameOf } from "./message.ts";
import { Verbatim } from "./Verbatim.tsx";

interface PersonLinkProps {
  organizationId: string;
  user: UserRecord | Presence;
}

/** A person's name, and the way to what is stored about them in the organization. */
export function PersonLink({ organizationId, user }: PersonLinkProps) {
  const parameters = new URLSearchParams({ user: user.userId, organization: organizationId });
  return (
    <Anchor component={Link} size="sm" href={`/people?${parameters}`}>
      <Verbatim>{nameOf(user)}</Verbatim>
    </Anchor>
  );
}
