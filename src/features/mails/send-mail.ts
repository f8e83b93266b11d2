import { setTimeout as delay } from "node:timers/promises";
import Type from "typebox";
import type { Cipher } from "../../config/cipher.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import type { Mailer } from "../../email/mailer.ts";
import { ATTEMPT_TIMEOUT_MS, type SendResult, toReason } from "../../email/send-attempt.ts";
import { type MailEvent, renderMail } from "../../email/templates.ts";
import { type Job, type JobContext, RetryLater } from "../../jobs/jobs.ts";
import { describeBlock, isMigrationBlock } from "../tenancy/access-block.ts";
import { annotationKey, OrganizationKeyText, userKey } from "../tenancy/organization-key.ts";
import { type StoredOrganization, storedOrganization } from "../tenancy/organization-scope.ts";
import { getSender, getSending } from "../workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../workspaces/email-config/email-config-queries.ts";
import type { DeliveryChange } from "./deliveries/mail-delivery-queries.ts";
import {
  deferMail,
  deleteAbandoned,
  endMail,
  replaceMailRecord,
  requeueMail,
  type TakenMail,
  takeMail,
} from "./mail-queries.ts";
import { readPresent } from "./mailed-comment-queries.ts";
import { isStillSeen } from "./still-seen.ts";

/** The payload is a MailKey. */
export const SEND_MAIL = {
  name: "send-mail",
  payload: Type.Object({ organizationKey: OrganizationKeyText, id: Type.String() }),
};

/** Longer than any attempt takes: a process that took a mail longer ago must have died. */
const MAX_HOLD_MS = 2 * ATTEMPT_TIMEOUT_MS;
/** Time that an attempt has to end when the process stops. */
const STOP_GRACE_MS = 4_000;
const GIVEN_UP_AFTER_MS = 3 * 24 * 60 * 60 * 1000;
/** Maximum number of attempts at the same time, and so of those that a slow server can delay. */
const CONCURRENCY = 4;

type FinalOutcome = Exclude<keyof Mailer["counts"], "deferred">;

interface Dependencies {
  mailer: Mailer;
  /** Decrypts the provider keys of the workspaces. */
  secrets: Cipher;
  /** Returns the URL that unsubscribes a user from an organization; undefined if the service has no such page. */
  unsubscribeUrl: (subscription: { organizationKey: OrganizationKey; userId: string }) => string | undefined;
}

/**
 * Creates the job that sends a mail at most once. It takes the mail before an attempt and releases it only if the
 * server certainly has not accepted it. If the process dies in between, the mail is given up: its outcome is unknown.
 */
export function createSendMail(dependencies: Dependencies): Job<typeof SEND_MAIL.payload> {
  return {
    ...SEND_MAIL,
    concurrency: CONCURRENCY,
    async run(context, { organizationKey, id }) {
      context.signal.throwIfAborted();
      const job = { ...context, organization: storedOrganization(context.database, organizationKey), id };
      const mail = await takeMail(job.organization, id);
      if (mail) await sendTaken(dependencies, job, mail);
      else await giveUpAbandoned(dependencies, job);
    },
  };
}

interface MailJob extends JobContext {
  organization: StoredOrganization;
  /** The mail's ID. */
  id: string;
}

async function sendTaken(dependencies: Dependencies, job: MailJob, mail: TakenMail): Promise<void> {
  const { mailer, secrets } = dependencies;
  const { organization, id } = job;
  if (isMigrationBlock(mail.block)) {
    await requeueMail(organization, id);
    throw new RetryLater("the document of the mail is being migrated");
  }
  if (mail.block !== null) return finish(mailer, job, mail, "canceled", { explanation: describeBlock(mail.block) });
  if (mail.ageMs > GIVEN_UP_AFTER_MS) return finish(mailer, job, mail, "expired", {});
  let result: SendResult;
  try {
    if (!(await isStillSeen(organization, mail))) {
      return await finish(mailer, job, mail, "canceled", { explanation: "its recipient may not see what it is about" });
    }
    const event = await readPresent(organization, mail.documentId, parseEvent(mail.record));
    if (!event) return await finish(mailer, job, mail, "canceled", { explanation: "what it is about was deleted" });
    // The deletion of a user's data searches the records of mails that are being sent.
    await replaceMailRecord(organization, id, { from: mail.record, to: JSON.stringify(event) });
    const { workspaceId } = mail;
    const sending = getSending(secrets, workspaceId, await selectEmailConfig(job.database, workspaceId));
    if (sending === undefined) {
      return await finish(mailer, job, mail, "canceled", { explanation: "the email service is off" });
    }
    result = await attempt(dependencies, job, { ...mail, event }, sending);
  } catch (err) {
    // Nothing was sent: an SMTP attempt does not throw, and the outbox writes files atomically.
    if (!(err instanceof ServiceError)) {
      await requeueMail(organization, id);
      throw err;
    }
    result = { outcome: "deferred", reason: err.message, response: err.message };
  }
  const { outcome } = result;
  if (outcome !== "deferred") return finish(mailer, job, mail, outcome, result);
  await deferMail(organization, id, toReason(result));
  mailer.counts.deferred++;
  if (!job.signal.aborted) report(job, mail, "deferred", result.reason);
  throw new RetryLater("the mail could not be sent yet");
}

async function attempt(
  { mailer, unsubscribeUrl: getUnsubscribeUrl }: Dependencies,
  { signal, organization, id }: MailJob,
  mail: TakenMail & { event: MailEvent },
  { provider, settings }: NonNullable<ReturnType<typeof getSending>>,
): Promise<SendResult> {
  const { event } = mail;
  const from = getSender(mailer, settings);
  const to = { name: event.recipient, address: mail.address };
  const userKeys = [mail.userId, ...mail.otherUserIds].map(userKey);
  const ended = new AbortController();
  const cut = cutOff(signal, ended.signal);
  try {
    const unsubscribeUrl = getUnsubscribeUrl({ organizationKey: organization.key, userId: mail.userId });
    const rendered = renderMail(event, from.address, unsubscribeUrl);
    const threadId = getThreadId(organization.key, event);
    const message = { id, from, to, createdAt: mail.createdAt, unsubscribeUrl, threadId, ...rendered };
    const mark = { workspaceId: mail.workspaceId, organizationKey: organization.key, userKeys };
    return await mailer.send(message, { provider, mark, signal: cut });
  } finally {
    ended.abort();
  }
}

/** Returns the ID that all mails about one annotation have in common; undefined if a mail is about several. */
function getThreadId(key: OrganizationKey, { annotationId, further = [] }: MailEvent): string | undefined {
  return further.every((event) => event.annotationId === annotationId) ? annotationKey(key, annotationId) : undefined;
}

/** Reads the record of a mail, which only queueMails and sendTaken write. */
function parseEvent(record: string): MailEvent {
  return JSON.parse(record);
}

/** Returns a signal that aborts 4 s after `signal`, unless `ended` aborts first. */
function cutOff(signal: AbortSignal, ended: AbortSignal): AbortSignal {
  const cut = new AbortController();
  const abortLater = () => {
    delay(STOP_GRACE_MS, undefined, { signal: ended }).then(
      () => cut.abort(),
      () => {},
    );
  };
  if (signal.aborted) abortLater();
  else signal.addEventListener("abort", abortLater, { once: true, signal: ended });
  return cut.signal;
}

/** Counts and records the final outcome of a mail. */
async function finish(
  mailer: Mailer,
  job: MailJob,
  mail: Pick<TakenMail, "workspaceId">,
  outcome: FinalOutcome,
  result: Omit<SendResult, "outcome">,
): Promise<void> {
  mailer.counts[outcome]++;
  if (outcome !== "sent") report(job, mail, outcome, result.reason ?? result.explanation);
  await endMail(job.organization, job.id, toChange(outcome, result));
}

async function giveUpAbandoned({ mailer }: Dependencies, job: MailJob): Promise<void> {
  const explanation = "the process that was sending it has ended";
  const outcome = toChange("uncertain", { explanation });
  const found = await deleteAbandoned(job.organization, job.id, { maxHoldMs: MAX_HOLD_MS, outcome });
  if (found === "taken") throw new RetryLater("another process may be sending the mail");
  if (found === "gone") return;
  mailer.counts.uncertain++;
  report(job, {}, "uncertain", explanation);
}

/** Returns the entry of the delivery log for a final outcome. An expired mail keeps the reason of its last attempt. */
function toChange(state: FinalOutcome, result: Omit<SendResult, "outcome">): DeliveryChange {
  if (state === "expired") return { state };
  if (state === "canceled") return { state, reason: `It was canceled because ${result.explanation}.` };
  return { state, reason: toReason({ ...result, outcome: state }), isAttempt: true };
}

/** Logs an outcome for the operator, without the address or content of the mail. */
function report(
  { log, id }: MailJob,
  { workspaceId }: Partial<Pick<TakenMail, "workspaceId">>,
  outcome: string,
  reason: string | undefined,
): void {
  const fields = { mail: id, ...(workspaceId && { workspaceId }), outcome, ...(reason && { reason }) };
  log.warn(fields, outcome === "deferred" ? "a mail will be tried again" : "a mail was given up");
}
