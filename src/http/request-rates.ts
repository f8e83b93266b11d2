import type { FastifyReply } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Numbers of requests, by workspace. */
export type RequestCounts = Record<string, number>;

/**
 * Limits the requests per second of each workspace. A burst may use the requests of one second. Processes that send
 * each other their counts share the limit; a burst at several is made up for by the seconds after it.
 */
export class RequestRates {
  readonly #perSecond: number;
  readonly #buckets: TokenBuckets;
  #counted: RequestCounts = {};

  constructor(perSecond: number, now?: () => number) {
    this.#perSecond = perSecond;
    this.#buckets = new TokenBuckets({ burst: perSecond, perSecond, ...(now && { now }) });
  }

  /** Counts a request and says in its response headers how many are left. Throws RESOURCE_EXHAUSTED past the limit. */
  count({ id }: Pick<Workspace, "id">, reply: FastifyReply): void {
    const isAllowed = this.#buckets.take(id);
    const { remaining, secondsToNext, secondsToFull } = this.#buckets.getState(id);
    reply.headers({
      "ratelimit-limit": this.#perSecond,
      "ratelimit-remaining": remaining,
      "ratelimit-reset": secondsToFull,
    });
    if (isAllowed) {
      this.#counted[id] = (this.#counted[id] ?? 0) + 1;
      return;
    }
    const message = `The workspace has sent more than ${this.#perSecond} requests per second.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: secondsToNext });
  }

  /** Returns what this process has counted since the last call. */
  takeCounts(): RequestCounts {
    const counted = this.#counted;
    this.#counted = {};
    return counted;
  }

  /** Counts requests that another process has allowed. */
  addCounts(counts: RequestCounts): void {
    for (const [id, requests] of Object.entries(counts)) this.#buckets.spend(id, requests);
  }
}
