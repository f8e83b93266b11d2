import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, EMPTY, identifier, integer, type Sql, sql, unprepared, uuid, uuids } from "../../database/sql.ts";
import type { CrossTenantScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../tenancy/tenancy-queries.ts";

/** A table whose rows expire by their age. */
export type ExpiringTable = "activities" | "notifications";

/**
 * Returns the FROM of the oldest rows of an organization from before a time, which it locks. It skips locked rows: a
 * statement that waits for no lock is part of no deadlock.
 */
export function lockingOldest({ key }: StoredOrganization, table: ExpiringTable, time: number, limit: number): Sql {
  return sql`from ${identifier(table)} where organization_key = ${uuid(key)} and created_at < ${bigint(time)}
    order by created_at, sequence limit ${integer(limit)} for update skip locked`;
}

/** Returns the keys of the next organizations, in their order. */
export async function selectOrganizationKeys(
  scope: CrossTenantScope,
  after: OrganizationKey | undefined,
  limit: number,
): Promise<OrganizationKey[]> {
  const rows = await scope.run(
    sql<{ key: OrganizationKey }>`select ${KEY_DIGITS} as key from organizations
      ${after === undefined ? EMPTY : sql`where organization_key > ${uuid(after)}`}
      order by organization_key limit ${integer(limit)}`,
  );
  return rows.map(({ key }) => key);
}

/** Returns which of the organizations have rows of the table from before a time, in the order of their keys. */
export async function selectKeysWithOldRows(
  scope: CrossTenantScope,
  table: ExpiringTable,
  time: number,
  keys: OrganizationKey[],
): Promise<OrganizationKey[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ key: OrganizationKey }>`select ${KEY_DIGITS} as key from organizations
        where organization_key = any(${uuids(keys)}) and exists (
          select 1 from ${identifier(table)} old
          where old.organization_key = organizations.organization_key and old.created_at < ${bigint(time)}
        ) order by organization_key`,
    ),
  );
  return rows.map(({ key }) => key);
}
