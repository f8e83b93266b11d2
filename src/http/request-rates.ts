import type { FastifyReply } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Limits the requests per second of each workspace in this process. A burst may use the requests of one second. */
export class RequestRates {
  readonly #perSecond: number;
  readonly #buckets: TokenBuckets;

  constructor(perSecond: number, now?: () => number) {
    this.#perSecond = perSecond;
    this.#buckets = new TokenBuckets({ burst: perSecond, perSecond, ...(now && { now }) });
  }

  /** Counts a request and says in the headers of its answer what is left. Throws RESOURCE_EXHAUSTED past the limit. */
  count({ id }: Pick<Workspace, "id">, reply: FastifyReply): void {
    const isAllowed = this.#buckets.take(id);
    const { remaining, secondsToNext, secondsToFull } = this.#buckets.stateOf(id);
    reply.headers({
      "ratelimit-limit": this.#perSecond,
      "ratelimit-remaining": remaining,
      "ratelimit-reset": secondsToFull,
    });
    if (isAllowed) return;
    const message = `The workspace has sent more than ${this.#perSecond} requests per second.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: secondsToNext });
  }
}
