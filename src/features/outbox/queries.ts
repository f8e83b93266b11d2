import type { Queryable } from "../../database/database.ts";

/** When each of those came to be that are open, in milliseconds since the epoch, by key of 32 digits. */
export async function selectOpenSince(
  database: Queryable,
  workspaceId: string,
  organizationKeys: string[],
): Promise<Map<string, number>> {
  const { rows } = await database.query<{ key: string; createdAt: number }>(
    `select replace(organization_key::text, '-', '') as key,
       floor(extract(epoch from created_at) * 1000)::bigint as "createdAt"
     from organizations
     where workspace_id = $1 and organization_key = any($2::uuid[]) and not disabled and deleted_at is null`,
    [workspaceId, organizationKeys],
  );
  return new Map(rows.map(({ key, createdAt }) => [key, createdAt]));
}
