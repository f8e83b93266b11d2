import { setTimeout as delay } from "node:timers/promises";
import type { Limits } from "../config/limits.ts";
import { unavailable } from "../contract/errors.ts";
import { FairSemaphore, type Permit } from "../database/fair-semaphore.ts";
import type { CountedCaller } from "./request-limits.ts";
import { TokenBuckets } from "./token-buckets.ts";
import type { UnsentBytes } from "./unsent-bytes.ts";

const MAX_WAITING = 10_000;
/** Interval at which is checked whether a caller may be sent more. */
const CHECK_MS = 50;

/**
 * Schedules large responses, which take the event loop a while to build: one at a time, a bounded part of the time for
 * each caller, and none while the messages before it are not read.
 */
export class ResponseScheduler {
  readonly #unsent: UnsentBytes;
  readonly #maxWaitMs: number;
  readonly #semaphore: FairSemaphore;
  /** Milliseconds of the event loop that each caller may take. */
  readonly #time: TokenBuckets;

  constructor(unsent: UnsentBytes, { maxWaitMs, burstMs, msPerSecond }: Limits["largeResponses"]) {
    this.#unsent = unsent;
    this.#maxWaitMs = maxWaitMs;
    const limits = { maxPermits: 1, maxWaiting: MAX_WAITING, maxWaitMs };
    this.#semaphore = new FairSemaphore(limits, overloaded());
    this.#time = new TokenBuckets({ burst: burstMs, perSecond: msPerSecond });
  }

  /** Runs the work, unless the caller has left meanwhile. Throws UNAVAILABLE if it cannot begin in time. */
  async run(caller: CountedCaller, isAbandoned: () => boolean, work: () => Promise<void>): Promise<void> {
    const key = `${caller.group} ${caller.name}`;
    const startedAt = performance.now();
    while (!isAbandoned()) {
      if (!(this.#unsent.hasRoom(caller) && this.#time.getState(key).remaining > 0)) {
        if (performance.now() - startedAt > this.#maxWaitMs) throw overloaded();
        await delay(CHECK_MS);
        continue;
      }
      const permit = await this.#acquire(caller, isAbandoned, this.#maxWaitMs - (performance.now() - startedAt));
      if (!permit) return;
      const beganAt = performance.now();
      try {
        // The response before may have taken the room.
        if (!this.#unsent.hasRoom(caller)) continue;
        await work();
        this.#time.spend(key, performance.now() - beganAt);
        return;
      } finally {
        // Requests are served for as long as the response took, before the next one.
        afterMs(performance.now() - beganAt, () => permit.release());
      }
    }
  }

  /** Returns a permit, or undefined if nobody waits for it any more. Throws UNAVAILABLE after the time. */
  async #acquire(caller: CountedCaller, isAbandoned: () => boolean, maxMs: number): Promise<Permit | undefined> {
    let isLate = false;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      isLate = true;
      late.reject(overloaded());
    }, maxMs);
    try {
      return await Promise.race([this.#semaphore.acquire(caller, () => isLate || isAbandoned()), late.promise]);
    } catch (error) {
      if (isAbandoned()) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function overloaded(): Error {
  return unavailable("overloaded", "Clients are not reading their messages fast enough.");
}

function afterMs(ms: number, callback: () => void): void {
  if (ms < 1) setImmediate(callback);
  else setTimeout(callback, ms);
}
