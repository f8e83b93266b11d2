import Type from "typebox";
import type { Workspace } from "../../../contract/operation.ts";
import { CHUNK_ROWS } from "../../../database/records.ts";
import type { Queryable } from "../../../database/statement.ts";
import { waitPast } from "../../../database/time.ts";
import type { Job, JobContext, JobQueue } from "../../../jobs/jobs.ts";
import { DOCUMENT_TABLES } from "../../erasure/purge-queries.ts";
import { retryUntilComplete } from "../../erasure/retry.ts";
import { recordRunningTransactions } from "../../erasure/running-transactions.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { requireNotMigrating } from "../../tenancy/access-block.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { deleteDocumentRows } from "../document-queries.ts";
import { eventsOfDocuments } from "../event-log.ts";
import {
  type DocumentPurge,
  finishPurge,
  insertPurges,
  lockDocumentsInFolders,
  purgeDocumentRows,
  purgeSomeRows,
  selectPurges,
} from "./document-purge-queries.ts";

export const PURGE_DOCUMENTS = {
  name: "purge-documents",
  payload: Type.Object({
    organizationKey: Type.String(),
    /** Milliseconds since the epoch. */
    erasedAt: Type.Number(),
  }),
};

/** Number of rows deleted within the request, so that an ordinary document is empty when it is answered. */
const ROWS_AT_ONCE = 5_000;

/**
 * Purges everything written to the documents up to now, the first rows at once and the rest by a job. Newer rows are
 * kept. The documents' rows must be locked, and nothing may follow in the transaction.
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
  await jobs.send(transaction, PURGE_DOCUMENTS, [{ organizationKey, erasedAt }]);
  await waitPast(transaction, erasedAt);
}

/**
 * Deletes the documents in locked folders, and records an event of each. A job purges everything written to them up to
 * now. Throws if one is being migrated. Nothing may follow in the transaction.
 */
export async function deleteDocumentsInFolders(
  transaction: Queryable,
  jobs: JobQueue,
  { workspace, organizationId }: { workspace: Workspace; organizationId: string },
  folderIds: string[],
): Promise<void> {
  const key = organizationKey(workspace.id, organizationId);
  let erasedAt: number | undefined;
  let ids = [""];
  do {
    ids = await lockDocumentsInFolders(transaction, key, folderIds, ids.at(-1) ?? "", CHUNK_ROWS);
    if (ids.length === 0) break;
    await requireNotMigrating(transaction, key, organizationId, ids);
    await deleteDocumentRows(transaction, key, ids);
    erasedAt = await insertPurges(transaction, key, ids);
    const deleted = ids;
    await recordEvents(transaction, workspace, () => eventsOfDocuments(key, deleted, "document.delete"));
  } while (ids.length === CHUNK_ROWS);
  if (erasedAt === undefined) return;
  await jobs.send(transaction, PURGE_DOCUMENTS, [{ organizationKey: key, erasedAt }]);
  await waitPast(transaction, erasedAt);
}

/**
 * Creates the job that purges documents. Rows written concurrently with the request may be purged or kept; the job
 * waits for their transactions, so that a document with kept rows exists.
 */
export function createPurgeDocuments(): Job<typeof PURGE_DOCUMENTS.payload> {
  return {
    ...PURGE_DOCUMENTS,
    async run(context, { organizationKey, erasedAt }) {
      const { database } = context;
      const waitForTransactions = await recordRunningTransactions(context);
      let last: DocumentPurge | undefined;
      do {
        const purges = await selectPurges(database, organizationKey, erasedAt, last?.documentId ?? "");
        for (const purge of purges) await purgeAllRows(context, purge);
        await waitForTransactions();
        for (const purge of purges) {
          await retryUntilComplete(context, async () => {
            await purgeAllRows(context, purge);
            return finishPurge(database, purge);
          });
        }
        last = purges.at(-1);
      } while (last);
    },
  };
}

async function purgeAllRows({ database, signal }: JobContext, purge: DocumentPurge): Promise<void> {
  for (const table of DOCUMENT_TABLES) {
    let from: number | undefined = 0;
    do {
      signal.throwIfAborted();
      from = await purgeDocumentRows(database, table, purge, from);
    } while (from !== undefined);
  }
}
