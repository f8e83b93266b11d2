import type { Grant } from "../../contract/end-user.ts";
import type { GrantTarget } from "../access/effective-grant-queries.ts";
import { toGrants } from "../access/resource.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

interface OrganizationGrants {
  organizationId: string;
  grants: Grant[];
}

/**
 * Returns the grants on the resources of a request by organization, in the order of their keys to avoid deadlocks.
 * Throws if a resource is repeated or names no organization.
 */
export function grantsByOrganization(
  workspaceId: string,
  resources: Parameters<typeof toGrants>[0],
): OrganizationGrants[] {
  const getKey = ({ organizationId }: OrganizationGrants) => organizationKey(workspaceId, organizationId);
  return [...Map.groupBy(toGrants(resources), ({ organizationId }) => organizationId)]
    .map(([organizationId, grants]) => ({ organizationId, grants }))
    .sort((one, other) => (getKey(one) < getKey(other) ? -1 : 1));
}

/** Returns the ids of the resources of a type. */
export function getIds(resources: readonly GrantTarget[], type: GrantTarget["type"]): string[] {
  return resources.flatMap((resource) => (resource.type === type ? [resource.id] : []));
}

/** Returns the target of an audit entry about permissions in these organizations. */
export function auditTarget(organizations: readonly OrganizationGrants[]) {
  const resources = organizations.flatMap(({ grants }) => grants);
  const [folderIds, documentIds] = [getIds(resources, "folder"), getIds(resources, "document")];
  return {
    organizationIds: organizations.map(({ organizationId }) => organizationId),
    ...(folderIds.length > 0 && { folderIds }),
    ...(documentIds.length > 0 && { documentIds }),
  };
}
