import type { Cipher } from "../../config/cipher.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { KeyedDatabase, KeyedRequest, KeyedResponse } from "../../contract/keyed-request.ts";
import { LazyTransaction } from "../../database/lazy-transaction.ts";
import type { Queryable, TransactionalQueryable } from "../../database/statement.ts";
import { claimKey, releaseKey, type StoredResponse, selectResponse, storeResponse } from "./idempotency-queries.ts";

/** Time for which a request waits for the response of an earlier one with its key, in milliseconds. */
const MAX_WAIT_MS = 5_000;

interface Dependencies {
  database: TransactionalQueryable;
  /** Encrypts the responses, which may contain secrets such as a new auth token. */
  secrets: Cipher;
  maxWaitMs?: number;
}

/** Ends an operation whose key has a response. No caller sees it. */
class AlreadyDoneError extends Error {}

/**
 * Returns the response of `runOperation` for the first request with the key, and the stored response for further ones.
 * The key is claimed and the response stored in the transaction of the operation, so both exist exactly if its changes
 * do. A request with the key of one in progress waits until PostgreSQL has ended the transaction of that one. A request
 * that fails releases its key.
 *
 * @throws {ServiceError} ALREADY_EXISTS if the key was sent with another request, UNAVAILABLE after waiting in vain,
 * FAILED_PRECONDITION if the stored response cannot be decrypted.
 */
export async function respondOnce(
  { database, secrets, maxWaitMs = MAX_WAIT_MS }: Dependencies,
  request: KeyedRequest,
  runOperation: (database: KeyedDatabase) => Promise<string | Buffer>,
): Promise<KeyedResponse> {
  const boundTo = `idempotency key ${request.workspaceId} ${request.keyHash.toString("hex")}`;
  let stored: StoredResponse | undefined;
  const rejectDone = (found: StoredResponse | undefined) => {
    stored = found;
    if (found) throw new AlreadyDoneError();
  };
  const transaction = new LazyTransaction(database, async (begun) =>
    rejectDone(await claimKey(begun, request, maxWaitMs)),
  );
  let isKeyKnownFree = false;
  const earlyReads: Queryable = {
    async run(statement) {
      // A second connection could be a deadlock: all requests that have one may wait for another.
      if (transaction.hasBegun) return transaction.run(statement);
      if (!isKeyKnownFree) rejectDone(await selectResponse(database, request));
      isKeyKnownFree = true;
      return database.run(statement);
    },
  };
  try {
    const body = await runOperation({ database: transaction, earlyReads });
    await storeResponse(transaction, request, secrets.encrypt(body.toString(), boundTo));
    await transaction.commit();
    return { body, isRepeated: false };
  } catch (error) {
    if (error instanceof ServiceError && error.keepsChanges) {
      await releaseKey(transaction, request);
      await transaction.commit();
      throw error;
    }
    await transaction.rollBack();
    // An operation that fails before its first statement may have succeeded under other settings of the workspace.
    if (!transaction.hasBegun) stored ??= await selectResponse(database, request).catch(() => undefined);
    if (!stored) throw error;
    return { body: readResponse(secrets, request, stored, boundTo), isRepeated: true };
  }
}

/** Decrypts a response. Responses are not re-encrypted when SECRET_KEY changes, because they expire after a day. */
function readResponse(secrets: Cipher, { requestHash }: KeyedRequest, stored: StoredResponse, boundTo: string): string {
  if (!stored.requestHash.equals(requestHash)) {
    throw new ServiceError(
      "idempotency_key_reused",
      "The Idempotency-Key was sent with another request. Use a new key for each request.",
    );
  }
  try {
    return secrets.decrypt(stored.response, boundTo);
  } catch {
    throw new ServiceError(
      "secret_unreadable",
      "The request was carried out. Its response cannot be read, as the server's SECRET_KEY has changed since.",
    );
  }
}
