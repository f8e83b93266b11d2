import Type from "typebox";
import type { OrganizationKey } from "../../../database/keys.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import { type Job, type JobContext, RetryLater } from "../../../jobs/jobs.ts";
import { redactActors } from "../../audit/audit-queries.ts";
import { recordStoredEvents } from "../../event-log/record-events.ts";
import { purgeUnownedMails } from "../../mails/user-data.ts";
import { Mentions } from "../../purge/mentions.ts";
import { retryUntilComplete } from "../../purge/retry.ts";
import { saveRunningTransactions } from "../../purge/running-transactions.ts";
import type { Position, PurgeStep, UserDeletion } from "../../purge/user-data-kind.ts";
import { redactRequestLog } from "../../request-log/user-data.ts";
import {
  acrossOrganizations,
  storedOrganization,
  type TransactionalOrganization,
  transactionalOrganization,
} from "../../tenancy/organization-scope.ts";
import { findAffected, findOwnAddresses } from "../affected/find-affected.ts";
import { PURGED_OR_EXPORTED_KINDS } from "../kinds.ts";
import {
  type Deletion,
  finishDeletion,
  hasEarlierMigration,
  type OrganizationInScope,
  saveAddresses,
  saveProgress,
  selectAffected,
  selectDeletion,
  selectOrganizations,
  startPurging,
} from "./user-deletion-queries.ts";

export const DELETE_USER_DATA = {
  name: "delete-user-data",
  payload: Type.Object({ deletionId: Type.String() }),
  longestRetryDelaySeconds: 10,
};

/** What holds data outside of the database. */
type Stores = Pick<UserDeletion, "outbox" | "files">;

const ORGANIZATIONS_AT_ONCE = 100;
/** Time between saves of the position. After a kill, work since the last save is repeated and finds little. */
const PROGRESS_INTERVAL_MS = 200;

/**
 * Creates the job that deletes users' data. It first waits for the transactions in progress, and for the migrations of
 * documents that do not wait for it. Then it visits the organizations twice: to collect the users' addresses, which any
 * organization may contain, and to purge. Each time it first finds out, for many organizations at once, which are
 * affected.
 */
export function createDeleteUserData(stores: Stores): Job<typeof DELETE_USER_DATA.payload> {
  return {
    ...DELETE_USER_DATA,
    async run(context, { deletionId }) {
      const waitForTransactions = await saveRunningTransactions(context);
      await waitForTransactions();
      if (await hasEarlierMigration(acrossOrganizations(context.database), deletionId)) {
        throw new RetryLater("documents are being migrated");
      }
      for (;;) {
        const deletion = await selectDeletion(context.database, deletionId);
        if (!deletion || deletion.stage === "done") return;
        const organizations = await selectOrganizations(
          acrossOrganizations(context.database),
          deletion,
          ORGANIZATIONS_AT_ONCE,
        );
        if (deletion.stage === "finding") await find(context, deletion, organizations);
        else await purge(context, stores, deletion, organizations);
      }
    },
  };
}

async function find(
  { database, signal }: JobContext,
  deletion: Deletion,
  organizations: OrganizationInScope[],
): Promise<void> {
  const last = organizations.at(-1);
  if (!last) return startPurging(database, deletion);
  const users = { ...deletion, organizationKeys: getKeys(organizations) };
  const mayName = await findOwnAddresses(acrossOrganizations(database), users);
  const addresses = new Set(deletion.addresses);
  let reached = deletion;
  let savedAt = performance.now();
  for (const { organizationKey, organizationId: position } of organizations) {
    const organization = storedOrganization(database, organizationKey);
    for (const data of PURGED_OR_EXPORTED_KINDS) {
      signal.throwIfAborted();
      if (!data.findAddresses || !mayName(data, organizationKey)) continue;
      for await (const address of data.findAddresses(organization, deletion)) addresses.add(address);
    }
    if (position !== last.organizationId && performance.now() - savedAt < PROGRESS_INTERVAL_MS) continue;
    if (!(await saveAddresses(database, reached, [...addresses], position))) return;
    reached = { ...reached, position };
    savedAt = performance.now();
  }
}

async function purge(
  context: JobContext,
  stores: Stores,
  deletion: Deletion,
  organizations: OrganizationInScope[],
): Promise<void> {
  const { database, signal } = context;
  const mentions = new Mentions(deletion.userIds, deletion.addresses);
  const last = organizations.at(-1);
  if (!last) {
    await purgeUnownedMails(database, deletion, { ...stores, mentions });
    await redactRequestLog(database, { ...deletion, mentions }, signal);
    await redactActors(database, deletion);
    return finishDeletion(database, deletion.id);
  }
  const search = { ...deletion, organizationKeys: getKeys(organizations), mentions, ...stores };
  const mayHaveWork = await findAffected(acrossOrganizations(database), search, signal);
  let reached = deletion;
  let tasksDone = 0;
  let savedAt = performance.now();
  let purged: OrganizationInScope[] = [];
  for (const found of organizations) {
    const { organizationKey, organizationId } = found;
    const organization = transactionalOrganization(database, organizationKey);
    for (const { kind, steps } of PURGED_OR_EXPORTED_KINDS) {
      const receipt = { deletionId: deletion.id, organizationId, kind };
      const affected = steps.filter((step) => mayHaveWork(step, organizationKey));
      await purgeKind(context, affected, organization, { ...deletion, ...stores, mentions, receipt });
    }
    purged.push(found);
    tasksDone += PURGED_OR_EXPORTED_KINDS.length;
    if (found !== last && performance.now() - savedAt < PROGRESS_INTERVAL_MS) continue;
    await reportDeletion(database, deletion, purged);
    purged = [];
    if (!(await saveProgress(database, reached, organizationId, tasksDone))) return;
    reached = { ...reached, position: organizationId };
    tasksDone = 0;
    savedAt = performance.now();
  }
}

/** Writes an event for each of the organizations that had records of the users; twice if the job is killed after it. */
async function reportDeletion(
  database: TransactionalQueryable,
  { id }: Deletion,
  organizations: readonly OrganizationInScope[],
): Promise<void> {
  const affected = await selectAffected(
    database,
    id,
    organizations.map(({ organizationId }) => organizationId),
  );
  const event = {
    documentId: undefined,
    audience: "everyone",
    kind: "user_data.deleted",
    subject: { jobId: id },
  } as const;
  for (const { organizationId, organizationKey } of organizations) {
    if (!affected.has(organizationId)) continue;
    const organization = transactionalOrganization(database, organizationKey);
    await organization.transaction((transaction) => recordStoredEvents(transaction, [event]));
  }
}

function getKeys(organizations: OrganizationInScope[]): OrganizationKey[] {
  return organizations.map(({ organizationKey }) => organizationKey);
}

async function purgeKind(
  context: JobContext,
  steps: readonly PurgeStep[],
  organization: TransactionalOrganization,
  deletion: UserDeletion,
): Promise<void> {
  for (const step of steps) {
    await retryUntilComplete(context, () => purgeStep(step, organization, deletion, context.signal));
  }
}

/** Runs a step to its end. Returns whether it is complete; false if it has skipped locked rows. */
async function purgeStep(
  step: PurgeStep,
  organization: TransactionalOrganization,
  deletion: UserDeletion,
  signal: AbortSignal,
): Promise<boolean> {
  let after: Position | undefined;
  do {
    signal.throwIfAborted();
    const { next, isIncomplete = false } = await step.purge(organization, deletion, after);
    if (!next && isIncomplete) return false;
    after = next;
  } while (after);
  return true;
}
