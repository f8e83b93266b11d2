import { useApiQuery } from "../api/use-api.ts";
import { userLabel } from "./display-text.ts";
import type { KnownUser, KnownUsers } from "./UserField.tsx";

/** Maximum number of users whose names are read. */
const MAX_USERS = 200;

/** Returns the name or address of a user in an organization, or the ID until it is known and if there is none. */
export function useUserName(organizationId: string, userId = ""): string {
  const { query } = useApiQuery("/v2/workspace/users/get", { userId, pageSize: 20 }, { isEnabled: userId !== "" });
  const records = query.isPlaceholderData ? [] : (query.data?.data ?? []);
  const record = records.find((found) => found.organizationId === organizationId) ?? records[0];
  return record ? userLabel(record.user) : userId;
}

/** Returns the users by their ID: these, and those of the organization with one of the IDs once they are known. */
export function useNamedUsers(
  organizationId: string,
  ids: readonly string[],
  first: readonly KnownUser[] = [],
): KnownUsers {
  const userIds = [...new Set(ids)].sort().slice(0, MAX_USERS);
  const isEnabled = userIds.length > 0;
  const { query } = useApiQuery("/v2/users/figures/get", { organizationId, userIds }, { isEnabled });
  return new Map([...first, ...(query.data?.data.users ?? [])].map((user) => [user.userId, user]));
}
