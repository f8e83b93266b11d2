import { useApiQuery } from "../api/use-api.ts";
import { nameOrId } from "./display-text.ts";

/** Returns a function that returns the name of one of these organizations, or its ID while the name is not known. */
export function useOrganizationNames(organizationIds: string[]): (organizationId: string) => string {
  const ids = [...new Set(organizationIds)].sort();
  const { query } = useApiQuery("/v2/organizations/get", { organizationIds: ids }, { isEnabled: ids.length > 0 });
  const names = new Map(query.data?.data.map(({ id, organizationName }) => [id, organizationName]));
  return (organizationId) => nameOrId(names.get(organizationId), organizationId);
}
