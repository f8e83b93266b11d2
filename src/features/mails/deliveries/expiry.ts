import type { Database } from "../../../database/database.ts";
import { DAY_MS, type DeleteExpiredChunk } from "../../../database/expiry.ts";
import { acrossOrganizations, storedOrganization } from "../../tenancy/organization-scope.ts";
import { deleteOldWorkspaceMails } from "../../workspaces/workspace-mail-queries.ts";
import { purgeDeliveries, selectOldDeliveries } from "./mail-delivery-purge-queries.ts";

/** Returns the function that deletes mails from the delivery log that were queued more than `retentionDays` ago. */
export function deleteExpiredDeliveries(database: Database, retentionDays: number): DeleteExpiredChunk {
  return async (limit) => {
    const retentionMs = retentionDays * DAY_MS;
    const old = await selectOldDeliveries(acrossOrganizations(database), retentionMs, limit);
    let count = await deleteOldWorkspaceMails(database, retentionMs, limit);
    for (const [key, mails] of Map.groupBy(old, (mail) => mail.key)) {
      count += await purgeDeliveries(
        storedOrganization(database, key),
        mails.map(({ id }) => id),
      );
    }
    return count;
  };
}
