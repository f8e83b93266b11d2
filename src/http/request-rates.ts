import type { FastifyReply } from "fastify";
import type { LimitKind } from "../config/limit-kinds.ts";
import type { Limits } from "../config/limits.ts";
import type { EndUser } from "../contract/end-user.ts";
import { limitError } from "../contract/limit-error.ts";
import type { AuthenticatedOperation, Workspace } from "../contract/operation.ts";
import { DelayedRejections } from "./delayed-rejections.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Rates of a service; 0 for no limit. */
export interface RateLimits {
  /** Requests per second of a workspace, and in a burst. */
  requestsPerSecond: number;
  /** Records per second that a user writes, for each kind. */
  userWritesPerSecond: number;
  userWriteBurst: number;
  limits: Pick<Limits, "userRates">;
}

/** Part of the requests of its workspace that one user may send, per second and in a burst. */
const USER_SHARE = { perSecond: 1 / 10, burst: 1 / 2 };

/** A user who sends a request. */
interface UserCaller {
  workspace: Pick<Workspace, "id">;
  user: Pick<EndUser, "userId">;
}

type RateName = Extract<LimitKind, "requests" | "user_requests" | "user_writes">;

/** What a process has counted, by the limit and by whom it counts for. */
export type RequestCounts = Partial<Record<RateName, Record<string, number>>>;

/**
 * Limits the requests per second of each workspace, and of each user in it, and what each user writes. Processes that
 * send each other their counts share the limits; a burst at several is made up for by the seconds after it.
 */
export class RequestRates {
  readonly #rates = new Map<RateName, Rate>();
  readonly #rejections: DelayedRejections;
  #counted: RequestCounts = {};

  constructor(options: RateLimits, now?: () => number) {
    const { requestsPerSecond, userWritesPerSecond, userWriteBurst, limits } = options;
    this.#rejections = new DelayedRejections(limits.userRates.delayMs);
    const add = (name: RateName, perSecond: number, burst: number) => {
      if (perSecond > 0) this.#rates.set(name, new Rate(perSecond, burst, now));
    };
    const ofUser = { perSecond: requestsPerSecond * USER_SHARE.perSecond, burst: requestsPerSecond * USER_SHARE.burst };
    add("requests", requestsPerSecond, requestsPerSecond);
    add("user_requests", ofUser.perSecond, Math.ceil(ofUser.burst));
    add("user_writes", userWritesPerSecond, userWriteBurst);
  }

  /**
   * Counts a request and says in its response headers how many more the workspace can send now. Throws
   * RESOURCE_EXHAUSTED past the limit.
   */
  count({ id }: Pick<Workspace, "id">, reply: FastifyReply): void {
    this.#take("requests", id, reply, (most) => `The workspace has sent more than ${most} requests per second.`);
  }

  /**
   * Counts a request of a user for all of its limits. The response headers describe the first of them: records,
   * requests of the user, or requests of the workspace. Delays a rejection.
   */
  async countUser(caller: UserCaller, operation: AuthenticatedOperation, reply: FastifyReply): Promise<void> {
    try {
      this.#countUser(caller, operation, reply);
    } catch (error) {
      await this.#rejections.wait();
      throw error;
    }
  }

  #countUser(caller: UserCaller, operation: AuthenticatedOperation, reply: FastifyReply): void {
    const key = toKey(caller);
    const kind = getWriteKind(operation);
    const who = () => `The user ${JSON.stringify(caller.user.userId)}`;
    // A request that is rejected by a limit of its user uses up nothing of the workspace's.
    if (kind !== undefined) {
      const describe = (most: number) => `${who()} has written more than ${most} records of ${kind} per second.`;
      this.#take("user_writes", `${key} ${kind}`, reply, describe);
    }
    this.#take("user_requests", key, reply, (most) => `${who()} has sent more than ${most} requests per second.`);
    this.count(caller.workspace, reply);
  }

  /** Counts the further records that a request of a user adds, after which the user may owe some. */
  countRecords(caller: UserCaller, operation: AuthenticatedOperation, records: number): void {
    const kind = getWriteKind(operation);
    const rate = this.#rates.get("user_writes");
    if (records <= 1 || kind === undefined || !rate) return;
    const key = `${toKey(caller)} ${kind}`;
    rate.buckets.spend(key, records - 1);
    this.#record("user_writes", key, records - 1);
  }

  /** Returns what this process has counted since the last call. */
  takeCounts(): RequestCounts {
    const counted = this.#counted;
    this.#counted = {};
    return counted;
  }

  /** Counts requests that another process has allowed. */
  addCounts(counts: RequestCounts): void {
    for (const [name, rate] of this.#rates) {
      for (const [key, requests] of Object.entries(counts[name] ?? {})) rate.buckets.spend(key, requests);
    }
  }

  #take(name: RateName, key: string, reply: FastifyReply, describe: (perSecond: number) => string): void {
    const rate = this.#rates.get(name);
    if (!rate) return;
    const isAllowed = rate.buckets.take(key);
    const { remaining, secondsToNext, secondsToFull } = rate.buckets.getState(key);
    if (!isAllowed || !reply.hasHeader("ratelimit-limit")) {
      reply.headers({
        "ratelimit-limit": rate.burst,
        "ratelimit-remaining": remaining,
        "ratelimit-reset": secondsToFull,
      });
    }
    if (!isAllowed) throw limitError(name, describe(rate.perSecond), { retryAfterSeconds: secondsToNext });
    this.#record(name, key, 1);
  }

  #record(name: RateName, key: string, count: number): void {
    this.#counted[name] ??= {};
    const counted = this.#counted[name];
    counted[key] = (counted[key] ?? 0) + count;
  }
}

/** A limit per second, with its buckets. */
class Rate {
  readonly perSecond: number;
  readonly burst: number;
  readonly buckets: TokenBuckets;

  constructor(perSecond: number, burst: number, now: (() => number) | undefined) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.buckets = new TokenBuckets({ burst, perSecond, ...(now && { now }) });
  }
}

function toKey({ workspace, user }: UserCaller): string {
  return `${workspace.id} ${user.userId}`;
}

/** Returns the kind of what an operation writes: the part of its path after the version, if it is stored. */
function getWriteKind({ scope, path, isTransient }: AuthenticatedOperation): string | undefined {
  if (scope === "read") return undefined;
  return isTransient ? path : path.split("/", 3)[2];
}
