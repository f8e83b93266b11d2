import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { FoundUser } from "../../api/records.ts";
import { type ApiQuery, useApiQuery } from "../../api/use-api.ts";
import { userLabel } from "../../components/display-text.ts";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { useUrlParameters } from "../../url.ts";

const PAGE_SIZE = 20;

/** Reads the records of a user in all organizations, or those with an email address. */
export function useFoundUsers(user: { email: string } | { userId: string }): ApiQuery<FoundUser[]> {
  const { get } = useUrlParameters();
  return useApiQuery("/v2/workspace/users/get", { ...user, pageSize: PAGE_SIZE, pageToken: get("found") });
}

interface UserOrganizationsProps {
  apiQuery: ApiQuery<FoundUser[]>;
  empty: ReactNode;
}

/** The organizations that have a record of a user. */
export function UserOrganizations({ apiQuery, empty }: UserOrganizationsProps) {
  const { link } = useUrlParameters();
  const getName = useOrganizationNames(apiQuery.query.data?.data.map(({ organizationId }) => organizationId) ?? []);
  return (
    <Panel title="Organizations" apiQuery={apiQuery} isEmpty={(found) => found.length === 0} empty={empty}>
      {(found, { pageToken }) => (
        <>
          <ul className="rows">
            {found.map(({ organizationId, user }) => (
              <li key={`${organizationId}\n${user.userId}`}>
                <WithAvatar kind="organization" id={organizationId} name={getName(organizationId)}>
                  <Anchor
                    component={Link}
                    size="sm"
                    lineClamp={2}
                    data-opens
                    href={link({ user: user.userId, email: undefined, organization: organizationId })}
                  >
                    <UntrustedText>{getName(organizationId)}</UntrustedText>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    {[...new Set([userLabel(user), user.userId, user.email])].map(
                      (text) => text && <UntrustedText key={text}>{text}</UntrustedText>,
                    )}
                    {user.accessRole && <UntrustedText>{user.accessRole}</UntrustedText>}
                  </Text>
                </WithAvatar>
              </li>
            ))}
          </ul>
          <Pager label="organizations" name="found" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
