import { setTimeout as delay } from "node:timers/promises";
import type { Queryable } from "../../../database/statement.ts";
import type { Job, JobContext, JobQueue } from "../../../jobs/jobs.ts";
import { DOCUMENT_TABLES } from "../../erasure/queries.ts";
import { recordRunningTransactions } from "../../erasure/running-transactions.ts";
import {
  type DocumentPurge,
  finishPurge,
  insertPurges,
  purgeDocumentRows,
  purgeSomeRows,
  selectPurges,
  waitPastPurge,
} from "./queries.ts";

/** So many are deleted at once, so that an ordinary document is empty when the call is answered. */
const ROWS_AT_ONCE = 5_000;
/** For rows that somebody has locked. */
const AGAIN_MS = 50;

/**
 * Deletes everything of the documents that was written up to now, the first rows at once and the rest by a job, and
 * keeps what is newer. Needs the documents' rows to be locked, and to be the last thing in its transaction.
 */
export async function beginPurge(
  transaction: Queryable,
  jobs: JobQueue,
  organizationKey: string,
  documentIds: string[],
): Promise<void> {
  const erasedAt = await insertPurges(transaction, organizationKey, documentIds);
  let left = ROWS_AT_ONCE;
  for (const table of DOCUMENT_TABLES) {
    const scope = { organizationKey, documentIds, erasedAt };
    if (left > 0) left -= await purgeSomeRows(transaction, table, scope, left);
  }
  await jobs.send(transaction, purgeDocuments, [{ organizationKey, erasedAt }]);
  await waitPastPurge(transaction, erasedAt);
}

/**
 * What was being written at the moment of the call may go or stay; it is waited for, so that a document of which
 * something stays exists.
 */
export const purgeDocuments: Job<{ organizationKey: string; erasedAt: number }> = {
  name: "purge-documents",
  async run(context, { organizationKey, erasedAt }) {
    const { database, signal } = context;
    const untilTheyEnd = await recordRunningTransactions(context);
    let last: DocumentPurge | undefined;
    do {
      const erasures = await selectPurges(database, organizationKey, erasedAt, last?.documentId ?? "");
      for (const erasure of erasures) await purgeAllRows(context, erasure);
      await untilTheyEnd();
      for (const erasure of erasures) {
        await purgeAllRows(context, erasure);
        while (!(await finishPurge(database, erasure))) {
          await delay(AGAIN_MS, undefined, { signal });
          await purgeAllRows(context, erasure);
        }
      }
      last = erasures.at(-1);
    } while (last);
  },
};

async function purgeAllRows({ database, signal }: JobContext, erasure: DocumentPurge): Promise<void> {
  for (const table of DOCUMENT_TABLES) {
    let from: number | undefined = 0;
    do {
      signal.throwIfAborted();
      from = await purgeDocumentRows(database, table, erasure, from);
    } while (from !== undefined);
  }
}
