import { setTimeout as delay } from "node:timers/promises";
import type { Outbox } from "../../email/outbox.ts";
import type { Job, JobContext } from "../../jobs/jobs.ts";
import { digitsOf } from "../organizations/organization-key.ts";
import { OWNED_TABLES } from "./owned-tables.ts";
import { deleteEmptyOrganization, eraseOrganizationRows, type MarkedOrganization } from "./queries.ts";
import { noteRunningTransactions } from "./running-transactions.ts";

/** For rows that somebody has locked. */
const AGAIN_MS = 50;

export const ERASE_ORGANIZATION: Pick<Job<MarkedOrganization>, "name"> = { name: "erase-organization" };

/**
 * Deletes everything of an organization that markDeleted has put out of reach, its own row last: from then on the id
 * is free. Before that it waits for the writers that may have come past the mark, and deletes what they have left.
 * Mails of a new organization of that id are younger than the mark.
 */
export function createEraseOrganization(outbox: Outbox): Job<MarkedOrganization> {
  return {
    ...ERASE_ORGANIZATION,
    async run(context, organization) {
      const { database, signal } = context;
      const untilTheyEnd = await noteRunningTransactions(context);
      await eraseAllRows(context, organization);
      await untilTheyEnd();
      await eraseAllRows(context, organization);
      while (!(await deleteEmptyOrganization(database, organization))) {
        await delay(AGAIN_MS, undefined, { signal });
        await eraseAllRows(context, organization);
      }
      await outbox.eraseOrganization(digitsOf(organization.organizationKey), Number(organization.deletedAt) * 1000);
    },
  };
}

async function eraseAllRows({ database, signal }: JobContext, organization: MarkedOrganization): Promise<void> {
  for (const table of OWNED_TABLES) {
    let last: string[] | undefined;
    do {
      signal.throwIfAborted();
      last = await eraseOrganizationRows(database, table, organization, last);
    } while (last);
  }
}
