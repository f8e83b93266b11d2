import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Cipher } from "../../config/cipher.ts";
import { ServiceError, unavailable } from "../../contract/errors.ts";
import type { KeyedAnswer, KeyedRequest } from "../../contract/keyed-request.ts";
import type { Queryable } from "../../database/statement.ts";
import { type Attempt, claimKey, releaseKey, renewLease, selectKey, storeAnswer } from "./queries.ts";

/** Time for which a request waits for the answer of an earlier one with its key, in milliseconds. */
const MAX_WAIT_MS = 5_000;
const FIRST_WAIT_MS = 20;
/** Interval at which the lease is renewed, a third of its duration. */
const RENEWAL_MS = 20_000;

interface Dependencies {
  database: Queryable;
  /** Encrypts the answers, which may contain secrets such as a new auth token. */
  secrets: Cipher;
  log: Logger;
  /** Interval at which the lease is renewed, in milliseconds. */
  renewalMs?: number;
}

/**
 * Returns the answer of `runOperation` for the first request with the key, and the stored answer for further ones.
 * Waits for a request in progress. A request that fails releases its key.
 *
 * The operation runs twice only if a process is killed, or loses the database, after the commit of the operation and
 * before the answer is stored.
 *
 * @throws {ServiceError} ALREADY_EXISTS if the key was sent with another request, UNAVAILABLE after waiting in vain,
 * FAILED_PRECONDITION if the stored answer cannot be decrypted.
 */
export async function answerOnce(
  { database, secrets, log, renewalMs = RENEWAL_MS }: Dependencies,
  request: KeyedRequest,
  runOperation: () => Promise<string | Buffer>,
): Promise<KeyedAnswer> {
  const attempt: Attempt = { ...request, holder: randomUUID() };
  const boundTo = `idempotency key ${request.workspaceId} ${request.keyHash.toString("hex")}`;
  const storedAnswer = await claimOrWait(database, attempt);
  if (storedAnswer) return { body: decryptAnswer(secrets, storedAnswer, boundTo), isRepeated: true };
  const renewal = setInterval(() => {
    renewLease(database, attempt).catch((err) => log.warn({ err }, "the lease of a request could not be renewed"));
  }, renewalMs);
  let body: string | Buffer;
  try {
    body = await runOperation();
  } catch (error) {
    await releaseKey(database, attempt).catch((cause) => logLoss(cause));
    throw error;
  } finally {
    clearInterval(renewal);
  }
  // The operation is committed, so the caller gets the answer even if it cannot be stored.
  const answer = secrets.encrypt(body.toString(), boundTo);
  await database.run(storeAnswer({ ...attempt, answer })).catch((cause) => logLoss(cause));
  return { body, isRepeated: false };

  function logLoss(cause: unknown): void {
    log.warn({ err: cause }, "the outcome of a request with an Idempotency-Key was not stored");
  }
}

/** Decrypts an answer. Answers are not re-encrypted when SECRET_KEY changes, because they expire after a day. */
function decryptAnswer(secrets: Cipher, encrypted: Buffer, boundTo: string): string {
  try {
    return secrets.decrypt(encrypted, boundTo);
  } catch {
    throw new ServiceError(
      "secret_unreadable",
      "The request was carried out. Its answer cannot be read, as the server's SECRET_KEY has changed since.",
    );
  }
}

/** Claims the key, or returns the encrypted answer that another attempt has stored. */
async function claimOrWait(database: Queryable, attempt: Attempt): Promise<Buffer | undefined> {
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  for (let waitMs = FIRST_WAIT_MS; !(await database.run(claimKey(attempt))); waitMs *= 2) {
    const stored = await selectKey(database, attempt);
    if (stored && !stored.requestHash.equals(attempt.requestHash)) {
      throw new ServiceError(
        "idempotency_key_reused",
        "The Idempotency-Key was sent with another request. Use a new key for each request.",
      );
    }
    if (stored?.answer) return stored.answer;
    const leftMs = waitsUntil - performance.now();
    if (leftMs <= 0) {
      throw unavailable("idempotency_key_in_progress", "The first request with this Idempotency-Key is in progress.");
    }
    await setTimeout(Math.min(waitMs, leftMs));
  }
  return undefined;
}
