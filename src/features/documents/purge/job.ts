import Type from "typebox";
import { waitPast } from "../../../database/time.ts";
import type { Job, JobQueue } from "../../../jobs/jobs.ts";
import { type ListenedWorkspace, recordEvents } from "../../event-log/record-events.ts";
import { DOCUMENT_TABLES } from "../../purge/purge-queries.ts";
import { retryUntilComplete } from "../../purge/retry.ts";
import { saveRunningTransactions } from "../../purge/running-transactions.ts";
import { requireNotMigrating } from "../../tenancy/access-block.ts";
import { OrganizationKeyText } from "../../tenancy/organization-key.ts";
import {
  type InTransaction,
  type OrganizationScope,
  type StoredOrganization,
  storedOrganization,
} from "../../tenancy/organization-scope.ts";
import { CHUNK_ROWS } from "../../tenancy/record-queries.ts";
import { deleteDocumentRows } from "../document-queries.ts";
import { buildDocumentEvents } from "../event-log.ts";
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
    organizationKey: OrganizationKeyText,
    /** Milliseconds since the epoch. */
    deletedAt: Type.Number(),
  }),
};

/** Number of rows deleted within the request, so that an ordinary document is empty after the response. */
const ROWS_AT_ONCE = 5_000;

/**
 * Purges everything that exists in the documents, the first rows at once and the rest by a job. Newer rows are
 * kept. The documents' rows must be locked, and nothing may follow in the transaction.
 */
export async function beginPurge(
  organization: StoredOrganization,
  jobs: JobQueue,
  documentIds: string[],
): Promise<void> {
  const deleted = await insertPurges(organization, documentIds);
  let left = ROWS_AT_ONCE;
  for (const table of DOCUMENT_TABLES) {
    if (left > 0) left -= await purgeSomeRows(organization, table, { documentIds, deleted }, left);
  }
  await jobs.send(organization, PURGE_DOCUMENTS, [{ organizationKey: organization.key, deletedAt: deleted.time }]);
  await waitPast(organization, deleted.time);
}

/**
 * Deletes the documents in locked folders, and records an event of each. A job purges everything written to them up to
 * now. Throws if one is being migrated. Nothing may follow in the transaction.
 */
export async function deleteDocumentsInFolders(
  scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
  jobs: JobQueue,
  folderIds: string[],
): Promise<void> {
  let deletedAt: number | undefined;
  let ids = [""];
  do {
    ids = await lockDocumentsInFolders(scope, folderIds, ids.at(-1) ?? "", CHUNK_ROWS);
    if (ids.length === 0) break;
    await requireNotMigrating(scope, ids);
    await deleteDocumentRows(scope, ids);
    deletedAt = (await insertPurges(scope, ids, deletedAt)).time;
    await recordEvents(scope, buildDocumentEvents([...ids], "document.delete"));
  } while (ids.length === CHUNK_ROWS);
  if (deletedAt === undefined) return;
  await jobs.send(scope, PURGE_DOCUMENTS, [{ organizationKey: scope.key, deletedAt }]);
  await waitPast(scope, deletedAt);
}

/**
 * Creates the job that purges documents. Rows written concurrently with the request may be purged or kept; the job
 * waits for their transactions, so that a document with kept rows exists.
 */
export function createPurgeDocuments(): Job<typeof PURGE_DOCUMENTS.payload> {
  return {
    ...PURGE_DOCUMENTS,
    async run(context, { organizationKey, deletedAt }) {
      const organization = storedOrganization(context.database, organizationKey);
      const waitForTransactions = await saveRunningTransactions(context);
      let last: DocumentPurge | undefined;
      do {
        const purges = await selectPurges(organization, deletedAt, last?.documentId ?? "");
        for (const purge of purges) await purgeAllRows(organization, context.signal, purge);
        await waitForTransactions();
        for (const purge of purges) {
          await retryUntilComplete(context, async () => {
            await purgeAllRows(organization, context.signal, purge);
            return finishPurge(organization, purge);
          });
        }
        last = purges.at(-1);
      } while (last);
    },
  };
}

async function purgeAllRows(
  organization: StoredOrganization,
  signal: AbortSignal,
  purge: DocumentPurge,
): Promise<void> {
  for (const table of DOCUMENT_TABLES) {
    let from: number | undefined = 0;
    do {
      signal.throwIfAborted();
      from = await purgeDocumentRows(organization, table, purge, from);
    } while (from !== undefined);
  }
}
