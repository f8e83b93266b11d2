import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, integer, sql, texts, uuid } from "../../../database/sql.ts";
import { buildPurgeOfLockedRows, purging } from "../../purge/purge-queries.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

/**
 * Deletes up to `limit` removals for each organization that are older than any token. Returns how many. Goes by the
 * clock of the service, as the expiry of tokens does.
 */
export async function deleteOldRemovals(scope: CrossTenantScope, ageMs: number, limit: number): Promise<number> {
  const isOld = sql`removed_at < ${bigint(Date.now() - ageMs)}`;
  const old = await scope.run(
    sql<{ key: OrganizationKey; userId: string }>`select ${KEY_DIGITS} as key, user_id as "userId"
      from removed_token_grants where ${isOld} order by removed_at limit ${integer(limit)}`,
  );
  let count = 0;
  for (const [key, users] of Map.groupBy(old, (row) => row.key)) {
    const [row] = await scope.run(
      purging(
        (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
          select ctid as row_id from removed_token_grants
          where organization_key = ${uuid(key)} and ${isOld}
            and user_id = any(${texts([...new Set(users.map(({ userId }) => userId))])})
          limit ${integer(limit)} for update skip locked
        ), purged as (${buildPurgeOfLockedRows("removed_token_grants", key, isDistributed)} returning 1 as one)
        select count(*) as count from purged`,
      ),
    );
    count += row?.count ?? 0;
  }
  return count;
}
