import { setTimeout as delay } from "node:timers/promises";
import type { Queryable } from "../../database/database.ts";
import type { Job, JobContext, JobQueue } from "../../jobs/jobs.ts";
import {
  DOCUMENT_TABLES,
  type DocumentErasure,
  eraseDocumentRows,
  eraseSomeRows,
  insertErasures,
  passErasure,
  selectErasures,
  settleErasure,
} from "./queries.ts";
import { noteRunningTransactions } from "./running-transactions.ts";

/** So many are deleted at once, so that an ordinary document is empty when the call is answered. */
const ROWS_AT_ONCE = 5_000;
/** For rows that somebody has locked. */
const AGAIN_MS = 50;

/**
 * Deletes everything of the documents that was written up to now, the first rows at once and the rest by a job, and
 * keeps what is newer. Needs the documents' rows to be locked, and to be the last thing in its transaction.
 */
export async function beginErasure(
  transaction: Queryable,
  jobs: JobQueue,
  organizationKey: string,
  documentIds: string[],
): Promise<void> {
  const erasedAt = await insertErasures(transaction, organizationKey, documentIds);
  let left = ROWS_AT_ONCE;
  for (const table of DOCUMENT_TABLES) {
    const scope = { organizationKey, documentIds, erasedAt };
    if (left > 0) left -= await eraseSomeRows(transaction, table, scope, left);
  }
  await jobs.send(transaction, eraseDocuments, [{ organizationKey, erasedAt }]);
  await passErasure(transaction, erasedAt);
}

/**
 * What was being written at the moment of the call may go or stay; it is waited for, so that a document of which
 * something stays exists.
 */
export const eraseDocuments: Job<{ organizationKey: string; erasedAt: number }> = {
  name: "erase-documents",
  async run(context, { organizationKey, erasedAt }) {
    const { database, signal } = context;
    const untilTheyEnd = await noteRunningTransactions(context);
    let last: DocumentErasure | undefined;
    do {
      const erasures = await selectErasures(database, organizationKey, erasedAt, last?.documentId ?? "");
      for (const erasure of erasures) await eraseAllRows(context, erasure);
      await untilTheyEnd();
      for (const erasure of erasures) {
        await eraseAllRows(context, erasure);
        while (!(await settleErasure(database, erasure))) {
          await delay(AGAIN_MS, undefined, { signal });
          await eraseAllRows(context, erasure);
        }
      }
      last = erasures.at(-1);
    } while (last);
  },
};

async function eraseAllRows({ database, signal }: JobContext, erasure: DocumentErasure): Promise<void> {
  for (const table of DOCUMENT_TABLES) {
    let from: number | undefined = 0;
    do {
      signal.throwIfAborted();
      from = await eraseDocumentRows(database, table, erasure, from);
    } while (from !== undefined);
  }
}
