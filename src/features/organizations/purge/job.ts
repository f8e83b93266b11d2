import Type from "typebox";
import { toOrganizationKey } from "../../../database/keys.ts";
import type { Outbox } from "../../../email/outbox.ts";
import type { FileStore } from "../../../files/file-store.ts";
import type { Job } from "../../../jobs/jobs.ts";
import { removeAllFiles } from "../../files/remove-files.ts";
import { OWNED_TABLES } from "../../purge/owned-tables.ts";
import { retryUntilComplete } from "../../purge/retry.ts";
import { saveRunningTransactions } from "../../purge/running-transactions.ts";
import { OrganizationKeyText } from "../../tenancy/organization-key.ts";
import { type StoredOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import { deleteEmptyOrganization, purgeOrganizationRows } from "./organization-purge-queries.ts";

/** The payload is a MarkedOrganization. */
export const PURGE_ORGANIZATION = {
  name: "purge-organization",
  payload: Type.Object({ organizationKey: OrganizationKeyText, deletedAt: Type.String() }),
};

/** What holds data outside of the database. */
interface Stores {
  outbox: Outbox;
  files: FileStore;
}

/**
 * Purges everything of an organization that markDeleted has marked, its own row last, which frees the ID. Before that
 * it waits for writers that checked access before the mark, and purges what they have written. Mails of a new
 * organization with that ID are newer than the mark.
 */
export function createPurgeOrganization({ outbox, files }: Stores): Job<typeof PURGE_ORGANIZATION.payload> {
  return {
    ...PURGE_ORGANIZATION,
    async run(context, { organizationKey, deletedAt }) {
      // Jobs of the version before have keys with hyphens.
      const organization = transactionalOrganization(context.database, toOrganizationKey(organizationKey));
      const waitForTransactions = await saveRunningTransactions(context);
      await purgeAll(organization, files, deletedAt, context.signal);
      await waitForTransactions();
      await retryUntilComplete(context, async () => {
        await purgeAll(organization, files, deletedAt, context.signal);
        return deleteEmptyOrganization(organization, deletedAt);
      });
      await outbox.purgeOrganization(organization.key, Number(deletedAt) * 1000);
    },
  };
}

async function purgeAll(
  organization: StoredOrganization,
  files: FileStore,
  deletedAt: string,
  signal: AbortSignal,
): Promise<void> {
  await removeAllFiles(organization, files, { deletedAt, signal });
  for (const table of OWNED_TABLES) {
    let last: string[] | undefined;
    do {
      signal.throwIfAborted();
      last = await purgeOrganizationRows(organization, table, deletedAt, last);
    } while (last);
  }
}
