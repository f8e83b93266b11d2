import type { Database } from "../database/database.ts";
import type { Mailer } from "../email/mailer.ts";
import { createPurgeDocuments, PURGE_DOCUMENTS } from "../features/documents/purge/job.ts";
import { createSendMail, SEND_MAIL } from "../features/mails/send-mail.ts";
import { unsubscribeToken } from "../features/mails/unsubscribe.ts";
import { createPurgeOrganization, PURGE_ORGANIZATION } from "../features/organizations/purge/job.ts";
import { createSendLoginLink, SEND_LOGIN_LINK } from "../features/sign-in/login-link-job.ts";
import { createDeleteUserData, DELETE_USER_DATA } from "../features/user-data/deletion/job.ts";
import { UNSUBSCRIBE_PATH } from "../http/unsubscribe-page.ts";
import { type Jobs, openJobs } from "../jobs/jobs.ts";
import type { Keys } from "./keys.ts";
import type { StartContext } from "./start-context.ts";

const DEFINITIONS = [DELETE_USER_DATA, PURGE_DOCUMENTS, PURGE_ORGANIZATION, SEND_MAIL, SEND_LOGIN_LINK];

/** Opens the job queues. The process takes jobs from them once `startWorkers` has run. */
export async function openJobQueues(context: StartContext, database: Database): Promise<Jobs> {
  const { log, resources, telemetry } = context;
  const jobs = await openJobs({ database, definitions: DEFINITIONS, log, telemetry });
  resources.defer(() => jobs.stop());
  return jobs;
}

/** Starts to work on jobs. The workers stop with the queues. */
export async function startWorkers(
  { config }: StartContext,
  { jobs, mailer, keys, baseUrl }: { jobs: Jobs; mailer: Mailer; keys: Keys; baseUrl: string },
): Promise<void> {
  const { secrets, subscriptions } = keys;
  const unsubscribeUrl = (subscription: { organizationKey: string; userId: string }) =>
    config.isPublicUrlSet
      ? `${config.publicUrl}${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(subscriptions, subscription)}`
      : undefined;
  await jobs.work([
    createDeleteUserData(mailer.outbox),
    createPurgeDocuments(),
    createPurgeOrganization(mailer.outbox),
    createSendMail({ mailer, secrets, unsubscribeUrl }),
    createSendLoginLink({ mailer, secrets, baseUrl }),
  ]);
}
