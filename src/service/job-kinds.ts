import type { Queryable } from "../database/statement.ts";
import { selectDeliveryTimes } from "../features/comments/delayed/delayed-notification-queries.ts";
import { selectUnendedMigrations } from "../features/documents/migration/document-migration-queries.ts";
import { MIGRATE_DOCUMENT } from "../features/documents/migration/job.ts";
import { selectPendingPurges } from "../features/documents/purge/document-purge-queries.ts";
import { PURGE_DOCUMENTS } from "../features/documents/purge/job.ts";
import { type MailKey, selectQueuedMails } from "../features/mails/mail-queries.ts";
import { SEND_MAIL } from "../features/mails/send-mail.ts";
import { PURGE_ORGANIZATION } from "../features/organizations/purge/job.ts";
import { selectMarkedOrganizations } from "../features/organizations/purge/organization-purge-queries.ts";
import { SEND_LOGIN_LINK } from "../features/sign-in/login-link-job.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../features/tenancy/deliver-delayed-notifications.ts";
import { acrossOrganizations } from "../features/tenancy/organization-scope.ts";
import { DELETE_USER_DATA } from "../features/user-data/deletion/job.ts";
import { selectUnfinishedDeletions } from "../features/user-data/deletion/user-deletion-queries.ts";
import { SEND_DISABLED_NOTICE } from "../features/webhooks/delivery/sending/disabled-notice.ts";
import type { JobQueue } from "../jobs/jobs.ts";
import type { JobDefinition } from "../jobs/payload.ts";

interface JobKind {
  definition: JobDefinition;
  /** Queues the jobs whose work is recorded in the rows of a restored database, which has no queue yet. */
  requeue(jobs: JobQueue, transaction: Queryable): Promise<void>;
}

const ROWS_AT_ONCE = 1_000;

/** Every kind of job. */
export const JOB_KINDS: readonly JobKind[] = [
  {
    definition: DELIVER_DELAYED_NOTIFICATIONS,
    async requeue(jobs, transaction) {
      let times: Awaited<ReturnType<typeof selectDeliveryTimes>> = [];
      do {
        times = await selectDeliveryTimes(acrossOrganizations(transaction), times.at(-1), ROWS_AT_ONCE);
        const payloads = times.map(({ organizationKey }) => ({ organizationKey }));
        const startsAt = times.map(({ at }) => new Date(at));
        await jobs.send(transaction, DELIVER_DELAYED_NOTIFICATIONS, payloads, startsAt);
      } while (times.length > 0);
    },
  },
  {
    definition: DELETE_USER_DATA,
    async requeue(jobs, transaction) {
      await jobs.send(transaction, DELETE_USER_DATA, await selectUnfinishedDeletions(transaction));
    },
  },
  {
    definition: MIGRATE_DOCUMENT,
    async requeue(jobs, transaction) {
      await jobs.send(transaction, MIGRATE_DOCUMENT, await selectUnendedMigrations(acrossOrganizations(transaction)));
    },
  },
  {
    definition: PURGE_DOCUMENTS,
    async requeue(jobs, transaction) {
      await jobs.send(transaction, PURGE_DOCUMENTS, await selectPendingPurges(acrossOrganizations(transaction)));
    },
  },
  {
    definition: PURGE_ORGANIZATION,
    async requeue(jobs, transaction) {
      await jobs.send(
        transaction,
        PURGE_ORGANIZATION,
        await selectMarkedOrganizations(acrossOrganizations(transaction)),
      );
    },
  },
  {
    definition: SEND_MAIL,
    async requeue(jobs, transaction) {
      let last: MailKey | undefined;
      do {
        const mails = await selectQueuedMails(acrossOrganizations(transaction), last, ROWS_AT_ONCE);
        await jobs.send(transaction, SEND_MAIL, mails);
        last = mails.at(-1);
      } while (last);
    },
  },
  {
    definition: SEND_DISABLED_NOTICE,
    // The console and the API show that the endpoint is disabled.
    requeue: async () => {},
  },
  {
    definition: SEND_LOGIN_LINK,
    // A login link is valid for 15 minutes; its owner asks for another one.
    requeue: async () => {},
  },
];
