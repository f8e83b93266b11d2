import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../../api/use-api.ts";
import { ACCESS_TYPE_LABELS } from "../../../components/access-type.ts";
import { Pager } from "../../../components/Pager.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { UserLink } from "../../../components/UserLink.tsx";
import { useUrlParameters } from "../../../url.ts";
import {
  ACCESS_TYPE_MEANINGS,
  type Explanation,
  isSameResource,
  lastDay,
  type PermittedUser,
  type Resource,
} from "./access.ts";
import { ChangeAccess } from "./ChangeAccess.tsx";
import { GrantAccess } from "./GrantAccess.tsx";
import { ResourceLink } from "./ResourceLink.tsx";
import { RevokeAccess } from "./RevokeAccess.tsx";

const PAGE_SIZE = 50;
/** URL parameter of the page token, distinct from that of the documents on the same page. */
const PAGE = "users";

/** The access type of a folder or document, and the users who have access to it by a permission. */
export function AccessPanel({ resource }: { resource: Resource }) {
  const { type, organizationId, id } = resource;
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/auth/permissions/explain", {
    organizationId,
    ...(type === "folder" ? { folderId: id } : { documentId: id }),
    pageSize: PAGE_SIZE,
    pageToken: get(PAGE),
  });
  const explanation = apiQuery.query.data?.data;
  return (
    <Panel
      title="Access"
      apiQuery={apiQuery}
      actions={
        explanation && (
          <>
            <ChangeAccess resource={resource} explanation={explanation} />
            <GrantAccess resource={resource} isPublic={explanation.accessType === "public"} />
          </>
        )
      }
    >
      {(shown, { pageToken }) => (
        <Stack gap="sm">
          <Summary resource={resource} explanation={shown} />
          {shown.users.length > 0 ? (
            <ul className="rows" aria-label="Users with a permission">
              {shown.users.map((user) => (
                <UserRow key={user.userId} resource={resource} user={user} />
              ))}
            </ul>
          ) : (
            <Text size="sm">{emptyText(shown)}</Text>
          )}
          <Pager label="users" name={PAGE} nextToken={pageToken} />
          <Text size="xs" c="dimmed" maw="46rem">
            Permissions in user tokens are not listed. Access contexts and visibility may hide single records from users
            with access.
          </Text>
        </Stack>
      )}
    </Panel>
  );
}

function Summary({ resource, explanation }: { resource: Resource; explanation: Explanation }) {
  const { accessType, definedBy, disabled } = explanation;
  return (
    <>
      <div>
        <Text size="sm">
          <strong>{ACCESS_TYPE_LABELS[accessType]}</strong>,{" "}
          {isSameResource(resource, definedBy) ? (
            `set on this ${resource.type}`
          ) : definedBy.type === "workspace" ? (
            <>
              the{" "}
              <Anchor component={Link} href="/settings?tab=access" size="sm" underline="always">
                default of the workspace
              </Anchor>
            </>
          ) : (
            <>
              defined by <ResourceLink organizationId={resource.organizationId} resource={definedBy} />
            </>
          )}
        </Text>
        <Text size="sm" c="dimmed" maw="46rem">
          {ACCESS_TYPE_MEANINGS[accessType]}
        </Text>
      </div>
      {disabled && (
        <Alert variant="outline" color="gray" title="Nobody has access at present">
          <Text size="sm">The {resource.type} or its organization is disabled.</Text>
        </Alert>
      )}
    </>
  );
}

function emptyText({ accessType, disabled }: Explanation): string {
  if (disabled) return "No user has access while it is disabled. Its permissions are kept.";
  return accessType === "public"
    ? "No user has a permission here. Access is public: every user is an editor."
    : "No user has access. Grant access to the first one.";
}

function UserRow({ resource, user }: { resource: Resource; user: PermittedUser }) {
  const { organizationId } = resource;
  const { userId, name, email, accessRole, through, expiresAt } = user;
  const isOwn = isSameResource(resource, through);
  return (
    <li>
      <div>
        <UserLink organizationId={organizationId} user={user} />
        <Text size="sm">
          {accessRole} through{" "}
          {isOwn ? (
            `this ${resource.type}`
          ) : (
            <ResourceLink organizationId={organizationId} resource={through} tabIndex={-1} />
          )}
          {expiresAt !== undefined && `, until ${lastDay(expiresAt)}`}
        </Text>
        {(name || email) && (
          <Text size="xs" c="dimmed" component="div" className="details">
            {userId !== email && <UntrustedText>{userId}</UntrustedText>}
            {name && email && <UntrustedText>{email}</UntrustedText>}
          </Text>
        )}
      </div>
      {isOwn && <RevokeAccess resource={resource} user={user} />}
    </li>
  );
}
