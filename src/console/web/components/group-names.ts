import { useApiQuery } from "../api/use-api.ts";
import { nameOrId } from "./display-text.ts";

/** Returns the function that returns the name of a user group, or its ID until it is known and if there is none. */
export function useGroupNames(organizationId: string, ids: readonly string[]): (id: string) => string {
  const request = { organizationId, organizationUserGroupIds: [...ids].sort() };
  const { query } = useApiQuery("/v2/organizations/usergroups/get", request, { isEnabled: ids.length > 0 });
  const names = new Map(query.data?.data.map(({ groupId, groupName }) => [groupId, groupName]));
  return (id) => nameOrId(names.get(id), id);
}
