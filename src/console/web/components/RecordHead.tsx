import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { DocumentName } from "./DocumentName.tsx";
import { userLabel } from "./display-text.ts";
import { OrganizationName } from "./OrganizationName.tsx";
import { UntrustedText } from "./UntrustedText.tsx";
import { UserLink } from "./UserLink.tsx";
import { WithAvatar } from "./WithAvatar.tsx";

interface RecordHeadProps {
  headline: string;
  organizationId: string;
  /** User who made the record. */
  user: { userId: string; name?: string; email?: string } | undefined;
}

/** The headline of a record, and the user who made it. */
export function RecordHead({ headline, organizationId, user }: RecordHeadProps) {
  const title = (
    <Text fw={600}>
      <UntrustedText>{headline}</UntrustedText>
    </Text>
  );
  if (!user) return title;
  return (
    <WithAvatar kind="user" id={user.userId} name={userLabel(user)}>
      {title}
      <UserLink organizationId={organizationId} user={user} />
    </WithAvatar>
  );
}

/** Returns the facts that say where a record is, with links to the organization and the document. */
export function placeFacts({ organizationId, documentId }: { organizationId: string; documentId: string }) {
  const organization = new URLSearchParams({ organization: organizationId });
  const document = new URLSearchParams({ organization: organizationId, document: documentId });
  return [
    [
      "Organization",
      <PlaceLink key="organization" href={`/organizations?${organization}`}>
        <OrganizationName id={organizationId} />
      </PlaceLink>,
    ],
    [
      "Document",
      <PlaceLink key="document" href={`/documents?${document}`}>
        <DocumentName place={{ organizationId, documentId }} />
      </PlaceLink>,
    ],
  ] as const;
}

function PlaceLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} size="sm" display="inline-block" pb={4}>
      {children}
    </Anchor>
  );
}
