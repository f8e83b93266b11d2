import { setTimeout as delay } from "node:timers/promises";
import type { Outbox } from "../../../email/outbox.ts";
import type { Job, JobContext } from "../../../jobs/jobs.ts";
import { OWNED_TABLES } from "../../erasure/owned-tables.ts";
import { recordRunningTransactions } from "../../erasure/running-transactions.ts";
import { digitsOf } from "../../tenancy/organization-key.ts";
import { deleteEmptyOrganization, type MarkedOrganization, purgeOrganizationRows } from "./queries.ts";

/** For rows that somebody has locked. */
const AGAIN_MS = 50;

export const PURGE_ORGANIZATION: Pick<Job<MarkedOrganization>, "name"> = { name: "purge-organization" };

/**
 * Deletes everything of an organization that markDeleted has put out of reach, its own row last: from then on the id
 * is free. Before that it waits for the writers that may have come past the mark, and deletes what they have left.
 * Mails of a new organization of that id are younger than the mark.
 */
export function createPurgeOrganization(outbox: Outbox): Job<MarkedOrganization> {
  return {
    ...PURGE_ORGANIZATION,
    async run(context, organization) {
      const { database, signal } = context;
      const untilTheyEnd = await recordRunningTransactions(context);
      await purgeAllRows(context, organization);
      await untilTheyEnd();
      await purgeAllRows(context, organization);
      while (!(await deleteEmptyOrganization(database, organization))) {
        await delay(AGAIN_MS, undefined, { signal });
        await purgeAllRows(context, organization);
      }
      await outbox.purgeOrganization(digitsOf(organization.organizationKey), Number(organization.deletedAt) * 1000);
    },
  };
}

async function purgeAllRows({ database, signal }: JobContext, organization: MarkedOrganization): Promise<void> {
  for (const table of OWNED_TABLES) {
    let last: string[] | undefined;
    do {
      signal.throwIfAborted();
      last = await purgeOrganizationRows(database, table, organization, last);
    } while (last);
  }
}
