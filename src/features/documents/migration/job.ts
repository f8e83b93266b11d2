import Type from "typebox";
import { type Job, type JobQueue, RetryLater } from "../../../jobs/jobs.ts";
import { removeAllTokenGrants } from "../../access/grant-queries.ts";
import { recordStoredEvents } from "../../event-log/record-events.ts";
import { DOCUMENT_TABLES } from "../../purge/purge-queries.ts";
import { saveRunningTransactions } from "../../purge/running-transactions.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../../tenancy/deliver-delayed-notifications.ts";
import { OrganizationKeyText } from "../../tenancy/organization-key.ts";
import {
  type InTransaction,
  type StoredOrganization,
  type TransactionalOrganization,
  transactionalOrganization,
} from "../../tenancy/organization-scope.ts";
import { buildDocumentEvents } from "../event-log.ts";
import {
  completeMigration,
  failMigration,
  hasEarlierDeletion,
  hasPurge,
  isUsed,
  lockMigration,
  type Migration,
  selectMigration,
  startMoving,
} from "./document-migration-queries.ts";
import { moveRows } from "./move-rows.ts";

/** The payload is a MigrationKey. */
export const MIGRATE_DOCUMENT = {
  name: "migrate-document",
  payload: Type.Object({ organizationKey: OrganizationKeyText, migrationId: Type.String() }),
  longestRetryDelaySeconds: 10,
};

/** Tables whose rows move one chunk after another. The documents' own rows change with the end of the migration. */
const MOVED_TABLES = DOCUMENT_TABLES.filter(({ name }) => name !== "documents");

/**
 * Creates the job that moves the rows of a document to its new ID. Both documents are disabled: after the job has
 * waited for the transactions that may have checked access before, no other one adds rows to them. Each chunk of rows
 * moves in a transaction of its own, and what was moved is not found again, so the job goes on after a kill.
 */
export function createMigrateDocument(jobs: JobQueue): Job<typeof MIGRATE_DOCUMENT.payload> {
  return {
    ...MIGRATE_DOCUMENT,
    async run(context, { organizationKey, migrationId }) {
      const organization = transactionalOrganization(context.database, organizationKey);
      const waitForTransactions = await saveRunningTransactions(context);
      const { status } = (await selectMigration(organization, migrationId)) ?? {};
      if (status === "pending") {
        await waitForTransactions();
        await inMigration(organization, migrationId, (scope, migration) => start(scope, jobs, migration));
      }
      for (const table of MOVED_TABLES) {
        let isMoved: boolean | undefined;
        do {
          context.signal.throwIfAborted();
          isMoved = await inMigration(organization, migrationId, (scope, migration) =>
            moveRows(scope, table, migration),
          );
        } while (isMoved === false);
      }
      await inMigration(organization, migrationId, (scope, migration) => complete(scope, jobs, migration));
    },
  };
}

/**
 * Runs a step in a transaction that locks the rows of both documents. Does nothing if the migration has ended or its
 * organization is deleted. A deletion of users' data would miss a row that changes its key, so the two never run at the
 * same time: the migration waits for the deletions that were in progress when it began, and later ones wait for it.
 */
function inMigration<Result>(
  organization: TransactionalOrganization,
  migrationId: string,
  step: (scope: InTransaction<StoredOrganization>, migration: Migration) => Promise<Result>,
): Promise<Result | undefined> {
  return organization.transaction(async (scope) => {
    const migration = await lockMigration(scope, migrationId);
    if (!migration) return undefined;
    if (await hasEarlierDeletion(scope, migration)) throw new RetryLater("users' data is being deleted");
    return step(scope, migration);
  });
}

/** Starts to move if nothing was written to the new document since it was reserved; fails otherwise. */
async function start(scope: StoredOrganization, jobs: JobQueue, migration: Migration): Promise<void> {
  const { documentId, newDocumentId } = migration;
  // What was deleted with an earlier document of the old ID must not move.
  if (await hasPurge(scope, documentId)) throw new RetryLater("the document is being purged");
  if (!(await isUsed(scope, newDocumentId))) return startMoving(scope, migration);
  await failMigration(scope, migration, "The new document was written to while the migration began.");
  await recordStoredEvents(scope, buildDocumentEvents([documentId, newDocumentId]));
  await jobs.send(scope, DELIVER_DELAYED_NOTIFICATIONS, [{ organizationKey: scope.key }]);
}

/** Completes the migration. Throws if the old document still has rows, which another run of the job then moves. */
async function complete(scope: StoredOrganization, jobs: JobQueue, migration: Migration): Promise<void> {
  const { documentId, newDocumentId } = migration;
  if (await isUsed(scope, documentId)) throw new RetryLater("the old document still has rows");
  await completeMigration(scope, migration);
  await removeAllTokenGrants(scope, "document", [documentId]);
  await recordStoredEvents(scope, [
    ...buildDocumentEvents([documentId], "document.delete"),
    ...buildDocumentEvents([newDocumentId]),
  ]);
  await jobs.send(scope, DELIVER_DELAYED_NOTIFICATIONS, [{ organizationKey: scope.key }]);
}
