import type { Cipher } from "../../config/cipher.ts";
import { getClient } from "../../contract/client-address.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { Queryable } from "../../database/statement.ts";
import { countAttempt } from "./sign-in-queries.ts";

export const WINDOW_MS = 15 * 60 * 1000;
const LIMITS = { address: 5, client: 20 };

interface Asking {
  /** Email address in the compared form. */
  address: string;
  /** IP address of the client. */
  clientAddress: string;
}

/**
 * Counts a request for a link, whether or not the address is an owner's. Throws RESOURCE_EXHAUSTED past the limit; the
 * transaction then rolls back and counts nothing.
 */
export async function admitAttempt(transaction: Queryable, secrets: Cipher, asking: Asking): Promise<void> {
  const subjects = [
    { limit: LIMITS.address, subjectHash: secrets.hash(`address ${asking.address}`), who: "for this email address" },
    { limit: LIMITS.client, subjectHash: secrets.hash(`client ${getClient(asking.clientAddress)}`), who: "by you" },
  ];
  // Locks subjects in one order to avoid deadlocks.
  subjects.sort((one, other) => Buffer.compare(one.subjectHash, other.subjectHash));
  for (const { limit, subjectHash, who } of subjects) {
    const { count, retryInMs } = await countAttempt(transaction, { subjectHash, windowMs: WINDOW_MS, limit });
    if (count <= limit) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil(retryInMs / 1000));
    throw new ServiceError(
      "rate_limited",
      `Too many login links were requested ${who}. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}
