import { useApiQuery } from "../api/use-api.ts";
import { userLabel } from "./display-text.ts";

/** Returns the name or address of a user in an organization, or the ID until it is known and if there is none. */
export function useUserName(organizationId: string, userId = ""): string {
  const { query } = useApiQuery("/v2/workspace/users/get", { userId, pageSize: 20 }, { isEnabled: userId !== "" });
  const records = query.isPlaceholderData ? [] : (query.data?.data ?? []);
  const record = records.find((found) => found.organizationId === organizationId) ?? records[0];
  return record ? userLabel(record.user) : userId;
}
