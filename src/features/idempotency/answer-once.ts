import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Cipher } from "../../config/cipher.ts";
import { ServiceError, unavailable } from "../../contract/errors.ts";
import type { KeyedAnswer, KeyedRequest } from "../../contract/keyed-request.ts";
import type { Queryable } from "../../database/statement.ts";
import { type Attempt, claimKey, keepAnswer, releaseKey, selectKey } from "./queries.ts";

/** Time for which a request waits for the answer of an earlier one with its key, in milliseconds. */
const MAX_WAIT_MS = 5_000;
const FIRST_WAIT_MS = 20;

interface Dependencies {
  database: Queryable;
  /** Encrypts the answers, which may contain secrets such as a new auth token. */
  secrets: Cipher;
  log: Logger;
}

/**
 * Returns the answer of the request that was sent first with the key: that of `work`, or the one that is kept. Waits
 * for one in progress. A request that fails has changed nothing, so its key is free again.
 *
 * The work is done twice only if a process is killed, or loses the database, after the commit of the work and before
 * the answer is kept.
 *
 * @throws {ServiceError} ALREADY_EXISTS if the key was sent with another request, UNAVAILABLE after waiting in vain,
 * FAILED_PRECONDITION if the kept answer cannot be decrypted.
 */
export async function answerOnce(
  { database, secrets, log }: Dependencies,
  request: KeyedRequest,
  work: () => Promise<string | Buffer>,
): Promise<KeyedAnswer> {
  const attempt: Attempt = { ...request, holder: randomUUID() };
  const boundTo = `idempotency key ${request.workspaceId} ${request.keyHash.toString("hex")}`;
  const kept = await claimOrWait(database, attempt);
  if (kept) return { body: decryptAnswer(secrets, kept, boundTo), isRepeated: true };
  let body: string | Buffer;
  try {
    body = await work();
  } catch (error) {
    await releaseKey(database, attempt).catch((cause) => logLoss(cause));
    throw error;
  }
  // The work is committed: the caller gets the answer even if it cannot be kept.
  const answer = secrets.encrypt(body.toString(), boundTo);
  await database.run(keepAnswer({ ...attempt, answer })).catch((cause) => logLoss(cause));
  return { body, isRepeated: false };

  function logLoss(cause: unknown): void {
    log.warn({ err: cause }, "the outcome of a request with an Idempotency-Key was not stored");
  }
}

/** Answers are not encrypted again when the secret key changes: they are many, and kept for a day only. */
function decryptAnswer(secrets: Cipher, kept: Buffer, boundTo: string): string {
  try {
    return secrets.decrypt(kept, boundTo);
  } catch {
    throw new ServiceError(
      "secret_unreadable",
      "The request was carried out. Its answer cannot be read, as the server's SECRET_KEY has changed since.",
    );
  }
}

/** Takes the key, or returns the encrypted answer that another attempt has kept. */
async function claimOrWait(database: Queryable, attempt: Attempt): Promise<Buffer | undefined> {
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  for (let waitMs = FIRST_WAIT_MS; !(await database.run(claimKey(attempt))); waitMs *= 2) {
    const known = await selectKey(database, attempt);
    if (known && !known.requestHash.equals(attempt.requestHash)) {
      throw new ServiceError(
        "idempotency_key_reused",
        "The Idempotency-Key was sent with another request. Use a new key for each request.",
      );
    }
    if (known?.answer) return known.answer;
    const leftMs = waitsUntil - performance.now();
    if (leftMs <= 0) {
      throw unavailable("idempotency_key_in_progress", "The first request with this Idempotency-Key is in progress.");
    }
    await setTimeout(Math.min(waitMs, leftMs));
  }
  return undefined;
}
