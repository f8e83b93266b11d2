import type { Database } from "../../database/database.ts";
import { DAY_MS, type DeleteExpiredChunk } from "../../database/expiry.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";
import { acrossOrganizations, transactionalOrganization } from "../tenancy/organization-scope.ts";
import { type ExpiringTable, selectKeysWithOldRows, selectOrganizationKeys } from "./old-rows-queries.ts";

/** Number of organizations that one statement looks at. */
const ORGANIZATIONS_PER_LOOK = 1_000;

interface Expiring {
  table: ExpiringTable;
  retentionDays: number;
  /** Number of rows that a transaction purges. */
  chunkRows: number;
  /** Purges up to `chunkRows` rows from before a time. Returns how many. */
  purge(scope: InTransaction<StoredOrganization>, time: number, chunkRows: number): Promise<number>;
}

/**
 * Returns the function that deletes rows that are older than `retentionDays`, in transactions of one organization each.
 * A call continues where the one before has stopped, behind an organization that failed, and returns fewer than `limit`
 * once it has seen the last one.
 */
export function expireByOrganization(
  database: Database,
  { table, retentionDays, chunkRows, purge }: Expiring,
): DeleteExpiredChunk {
  const scope = acrossOrganizations(database);
  let after: OrganizationKey | undefined;
  return async (limit) => {
    const time = Date.now() - retentionDays * DAY_MS;
    let count = 0;
    for (;;) {
      const keys = await selectOrganizationKeys(scope, after, ORGANIZATIONS_PER_LOOK);
      for (const key of await selectKeysWithOldRows(scope, table, time, keys)) {
        const organization = transactionalOrganization(database, key);
        const before = after;
        after = key;
        let purged: number;
        do {
          purged = await organization.transaction((transaction) => purge(transaction, time, chunkRows));
          count += purged;
          if (count < limit) continue;
          if (purged === chunkRows) after = before;
          return count;
        } while (purged === chunkRows);
      }
      after = keys.length < ORGANIZATIONS_PER_LOOK ? undefined : keys.at(-1);
      if (after === undefined) return count;
    }
  };
}
