import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { OrganizationKey } from "../database/keys.ts";
import type { Queryable } from "../database/statement.ts";
import type { Mailer } from "../email/mailer.ts";
import { createDeliverDelayedNotifications } from "../features/comments/delayed/delivery-job.ts";
import { createMigrateDocument } from "../features/documents/migration/job.ts";
import { createPurgeDocuments } from "../features/documents/purge/job.ts";
import { createSendMail } from "../features/mails/send-mail.ts";
import { unsubscribeToken } from "../features/mails/unsubscribe.ts";
import { createPurgeOrganization } from "../features/organizations/purge/job.ts";
import { createSendLoginLink } from "../features/sign-in/login-link-job.ts";
import { createDeleteUserData } from "../features/user-data/deletion/job.ts";
import { createSendDisabledNotice } from "../features/webhooks/delivery/sending/disabled-notice.ts";
import type { FileStore } from "../files/file-store.ts";
import { UNSUBSCRIBE_PATH } from "../http/unsubscribe-page.ts";
import { type Jobs, openJobs } from "../jobs/jobs.ts";
import { JOB_KINDS } from "./job-kinds.ts";
import type { Keys } from "./keys.ts";
import type { StartContext } from "./start-context.ts";

const DEFINITIONS = JOB_KINDS.map(({ definition }) => definition);

/** Opens the job queues. The process takes jobs from them once `startJobWorkers` has run. */
export async function openJobQueues(context: StartContext, database: Database): Promise<Jobs> {
  const { config, log, resources, telemetry } = context;
  const pollSeconds = config.limits.jobPollSeconds;
  const jobs = await openJobs({ database, definitions: DEFINITIONS, log, telemetry, pollSeconds });
  resources.defer(() => jobs.stop());
  return jobs;
}

/** Queues the jobs that are pending in a restored database. Opens the queues, which need connections of their own. */
export async function requeueJobs(database: Database, transaction: Queryable, log: Logger): Promise<void> {
  const jobs = await openJobs({ database, definitions: DEFINITIONS, log });
  try {
    for (const { requeue } of JOB_KINDS) await requeue(jobs, transaction);
  } finally {
    await jobs.stop();
  }
}

/** Starts to work on jobs. The workers stop with the queues. */
export async function startJobWorkers(
  { config }: StartContext,
  { jobs, mailer, files, keys, baseUrl }: { jobs: Jobs; mailer: Mailer; files: FileStore; keys: Keys; baseUrl: string },
): Promise<void> {
  const { secrets, subscriptions } = keys;
  const stores = { outbox: mailer.outbox, files };
  const unsubscribeUrl = (subscription: { organizationKey: OrganizationKey; userId: string }) =>
    config.isPublicUrlSet
      ? `${config.publicUrl}${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(subscriptions, subscription)}`
      : undefined;
  await jobs.work([
    createDeliverDelayedNotifications(jobs),
    createDeleteUserData(stores),
    createMigrateDocument(jobs),
    createPurgeDocuments(),
    createPurgeOrganization(stores),
    createSendMail({ mailer, secrets, unsubscribeUrl }),
    createSendDisabledNotice(mailer),
    createSendLoginLink({ mailer, secrets, baseUrl }),
  ]);
}
