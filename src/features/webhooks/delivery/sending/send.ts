import type { Logger } from "pino";
import type { Cipher } from "../../../../config/cipher.ts";
import type { Database } from "../../../../database/database.ts";
import { isDatabaseUnavailable } from "../../../../database/database-errors.ts";
import { newId } from "../../../../database/new-id.ts";
import type { JobQueue } from "../../../../jobs/jobs.ts";
import { storedOrganization } from "../../../tenancy/organization-scope.ts";
import { advancedBody, basicBody } from "../../payloads/body.ts";
import { type Attempt, isDelivered, isOfLog, retryDelayMs } from "../message.ts";
import type { Target } from "../target.ts";
import type { Destination } from "./destination.ts";
import { SEND_DISABLED_NOTICE } from "./disabled-notice.ts";
import { bodyAboutMessages, reportExhausted } from "./exhausted.ts";
import type { WebhookPoster } from "./post.ts";
import {
  type AttemptResult,
  type DueMessage,
  endFailing,
  recordAttempt,
  recordFailing,
} from "./webhook-message-queries.ts";

/** An endpoint is disabled once all its attempts have failed for five days. */
const DISABLED_AFTER_MS = 5 * 24 * 60 * 60 * 1000;
/** Number of attempts that a message keeps. */
const KEPT_ATTEMPTS = 10;

export interface SendingDependencies {
  database: Database;
  secrets: Cipher;
  jobs: JobQueue;
  poster: Pick<WebhookPoster, "post">;
  log: Logger;
}

/**
 * Makes one attempt and records it. Returns whether the receiver has accepted the message, and who gets messages about
 * it. Throws if `signal` is aborted: nothing is recorded then, and the message is sent again.
 */
export async function sendMessage(
  dependencies: SendingDependencies,
  { workspaceId, target, destination }: { workspaceId: string; target: Target; destination: Destination },
  message: DueMessage,
  signal: AbortSignal,
): Promise<{ isAccepted: boolean; woken: Target[] }> {
  const { database, poster } = dependencies;
  const { body, error = destination.error } = await tryBody(
    dependencies,
    { workspaceId, target, destination },
    message,
    signal,
  );
  if (body === undefined) {
    await recordAttempt(
      storedOrganization(database, message.organizationKey),
      buildResult(message, "canceled", message),
    );
    return { isAccepted: true, woken: [] };
  }
  const attempt =
    error === undefined
      ? await poster.post(destination.url, destination.buildHeaders(message.id, body), body, signal)
      : { attemptedAt: Date.now(), latencyMs: 0, httpStatus: null, response: "", error };
  const attempts = [...message.attempts, attempt].slice(-KEPT_ATTEMPTS);
  if (isDelivered(attempt)) {
    await recordAttempt(
      storedOrganization(database, message.organizationKey),
      buildResult(message, "delivered", { failures: message.failures, attempts }),
    );
    if (destination.isFailing) await endFailing(database, target);
    return { isAccepted: true, woken: [] };
  }
  const woken = await recordFailure(dependencies, { workspaceId, target, destination }, message, attempts);
  return { isAccepted: false, woken };
}

/**
 * Builds the body, or returns why there is none. A message whose body cannot be built would otherwise stay the next one
 * that is due.
 */
async function tryBody(
  dependencies: SendingDependencies,
  { workspaceId, target, destination }: { workspaceId: string; target: Target; destination: Destination },
  message: DueMessage,
  signal: AbortSignal,
): Promise<{ body: string | undefined; error?: string }> {
  try {
    return { body: await buildBody(dependencies, destination, message) };
  } catch (err) {
    if (signal.aborted || isDatabaseUnavailable(err)) throw err;
    dependencies.log.error({ err, workspaceId, target }, "the body of a message to a webhook could not be built");
    return { body: "", error: "The body could not be built. The log of the service says why." };
  }
}

/** Builds the body from the records as they are now. Returns undefined if the webhook no longer wants the event. */
async function buildBody(
  { database }: SendingDependencies,
  { workspace, config, basicKind }: Destination,
  { id, event }: DueMessage,
): Promise<string | undefined> {
  if (!isOfLog(event)) return bodyAboutMessages(config, event, id);
  const reading = { workspace, database };
  if (basicKind) return basicBody(reading, config, event, id, basicKind);
  return advancedBody(reading, config, event, id);
}

function buildResult(
  { id, nextAt }: DueMessage,
  status: AttemptResult["status"],
  { failures, attempts }: { failures: number; attempts: readonly Attempt[] },
  delayMs: number | null = null,
): AttemptResult {
  return { id, nextAt, status, failures, delayMs, attempts };
}

async function recordFailure(
  { database, jobs, log }: SendingDependencies,
  { workspaceId, target, destination }: { workspaceId: string; target: Target; destination: Destination },
  message: DueMessage,
  attempts: readonly Attempt[],
): Promise<Target[]> {
  const failures = message.failures + 1;
  const delayMs = retryDelayMs(failures);
  const status = delayMs === undefined ? "failed" : "pending";
  const isEndpoint = destination.basicKind === undefined;
  const woken = await database.transaction(async (transaction) => {
    const organization = storedOrganization(transaction, message.organizationKey);
    await recordAttempt(organization, buildResult(message, status, { failures, attempts }, delayMs ?? null));
    if (!isEndpoint || status !== "failed" || !isOfLog(message.event)) return [];
    return reportExhausted(transaction, workspaceId, target, message);
  });
  if (!isEndpoint) return woken;
  await database.transaction(async (transaction) => {
    if (!(await recordFailing(transaction, target, DISABLED_AFTER_MS))) return;
    await jobs.send(transaction, SEND_DISABLED_NOTICE, [{ workspaceId, endpointId: target, mailId: newId() }]);
    log.warn({ workspaceId, endpointId: target }, "a webhook endpoint was disabled: its attempts failed for five days");
  });
  return woken;
}
