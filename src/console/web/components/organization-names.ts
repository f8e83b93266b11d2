import { useApiQuery } from "../api/use-api.ts";
import { nameOrId } from "./display-text.ts";

/** The organizations that pages load up front, for their names and to choose from. */
export const PRELOADED = { orderBy: "lastActivityAt", order: "desc", pageSize: 200 } as const;
/** Maximum number of other organizations whose names are read. */
const MAX_OTHERS = 200;

/** Returns the function that returns the name of an organization, or its ID until it is known and if there is none. */
export function useOrganizationNames(ids: readonly string[]): (id: string) => string {
  const { query } = useApiQuery("/v2/workspace/organizations/get", PRELOADED, { isEnabled: ids.length > 0 });
  const preloaded = query.data?.data.organizations ?? [];
  const known = new Map(preloaded.map(({ id, organizationName }) => [id, organizationName]));
  const others = [...new Set(ids)].filter((id) => !known.has(id)).sort();
  const isEnabled = query.data !== undefined && others.length > 0;
  const read = useApiQuery("/v2/organizations/get", { organizationIds: others.slice(0, MAX_OTHERS) }, { isEnabled });
  for (const { id, organizationName } of read.query.data?.data ?? []) known.set(id, organizationName);
  return (id) => nameOrId(known.get(id), id);
}

/** Returns the name of an organization, or its ID until it is known and if there is none. */
export function useOrganizationName(id: string): string {
  return useOrganizationNames([id])(id);
}
