import type { Cipher } from "../../config/cipher.ts";
import { RECORD_LIMITS } from "../../config/limits.ts";
import { getClient } from "../../contract/client-address.ts";
import { limitError } from "../../contract/limit-error.ts";
import type { Queryable } from "../../database/statement.ts";
import { countAttempt } from "./sign-in-queries.ts";

export const WINDOW_MS = 15 * 60 * 1000;

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
    {
      limit: RECORD_LIMITS.loginLinksOfAddress,
      subjectHash: secrets.hash(`address ${asking.address}`),
      who: "for this email address",
    },
    {
      limit: RECORD_LIMITS.loginLinksOfClient,
      subjectHash: secrets.hash(`client ${getClient(asking.clientAddress)}`),
      who: "by you",
    },
  ];
  // Locks subjects in one order to avoid deadlocks.
  subjects.sort((one, other) => Buffer.compare(one.subjectHash, other.subjectHash));
  for (const { limit, subjectHash, who } of subjects) {
    const { count, retryInMs } = await countAttempt(transaction, { subjectHash, windowMs: WINDOW_MS, limit });
    if (count <= limit) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil(retryInMs / 1000));
    throw limitError(
      "login_links",
      `Too many login links were requested ${who}. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}
