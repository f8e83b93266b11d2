import { LRUCache } from "lru-cache";
import type { Limits } from "../config/limits.ts";
import { getClient } from "../contract/client-address.ts";
import { ServiceError } from "../contract/errors.ts";
import { limitError } from "../contract/limit-error.ts";
import { DelayedRejections } from "./delayed-rejections.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Number of credentials whose last lookup succeeded that are remembered. */
const MAX_KNOWN = 10_000;

/**
 * Limits lookups of wrong credentials for each client address, so that guessing does not keep the database busy.
 * Credentials that were right before are always looked up: others may have failed at the same address.
 */
export class WrongCredentials {
  readonly #buckets: TokenBuckets;
  readonly #rejections: DelayedRejections;
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor({ delayMs, ...rate }: Limits["wrongCredentials"]) {
    this.#buckets = new TokenBuckets(rate);
    this.#rejections = new DelayedRejections(delayMs);
  }

  /** Returns what `find` resolves to. Throws RESOURCE_EXHAUSTED instead of calling it if too many lookups failed. */
  async lookUp<Found>(credentials: string, clientAddress: string, find: () => Promise<Found>): Promise<Found> {
    const client = getClient(clientAddress);
    // A lookup in progress counts as wrong, so that concurrent ones cannot exceed the limit.
    const isCounted = !this.#known.has(credentials);
    if (isCounted && !this.#buckets.take(client)) return this.#reject(client);
    try {
      const found = await find();
      if (isCounted) this.#buckets.giveBack(client);
      this.#known.set(credentials, true);
      return found;
    } catch (error) {
      const isWrong = error instanceof ServiceError && error.status === "PERMISSION_DENIED";
      if (isWrong) this.#known.delete(credentials);
      else if (isCounted) this.#buckets.giveBack(client);
      throw error;
    }
  }

  async #reject(client: string): Promise<never> {
    await this.#rejections.wait();
    throw limitError(
      "wrong_credentials",
      "Too many requests from your address had wrong credentials. Check the API key and the auth token.",
      { retryAfterSeconds: Math.max(1, this.#buckets.getState(client).secondsToNext) },
    );
  }
}
