import { setTimeout as delay } from "node:timers/promises";
import type { Limits } from "../config/limits.ts";
import { unavailable } from "../contract/errors.ts";
import { FairSemaphore, type Permit } from "../database/fair-semaphore.ts";
import type { CountedCaller } from "./request-limits.ts";
import { TokenBuckets } from "./token-buckets.ts";
import type { UnsentMessages } from "./unsent-messages.ts";

const MAX_WAITING = 10_000;
/** Interval at which is checked whether a caller may be sent more. */
const CHECK_MS = 50;

/**
 * Turns of callers that get large messages, which take the event loop a while to build: one at a time, a bounded part
 * of the time for each caller, and none while the messages before it are not read.
 */
export class AnswerTurns {
  readonly #unsent: UnsentMessages;
  readonly #maxWaitMs: number;
  readonly #turns: FairSemaphore;
  /** Milliseconds of the event loop that each caller may take. */
  readonly #time: TokenBuckets;

  constructor(unsent: UnsentMessages, { maxWaitMs, burstMs, msPerSecond }: Limits["answers"]) {
    this.#unsent = unsent;
    this.#maxWaitMs = maxWaitMs;
    const limits = { maxPermits: 1, maxWaiting: MAX_WAITING, maxWaitMs };
    this.#turns = new FairSemaphore(limits, overloaded());
    this.#time = new TokenBuckets({ burst: burstMs, perSecond: msPerSecond });
  }

  /** Runs the work on the turn of the caller, unless nobody waits for it any more. Throws UNAVAILABLE if it is late. */
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
        // The message of the turn before may have taken the room.
        if (!this.#unsent.hasRoom(caller)) continue;
        await work();
        this.#time.spend(key, performance.now() - beganAt);
        return;
      } finally {
        // Requests are served for as long as the turn took before the next one.
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
      return await Promise.race([this.#turns.acquire(caller, () => isLate || isAbandoned()), late.promise]);
    } catch (error) {
      if (isAbandoned()) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function overloaded(): Error {
  return unavailable("overloaded", "Too many messages are not read.");
}

function afterMs(ms: number, callback: () => void): void {
  if (ms < 1) setImmediate(callback);
  else setTimeout(callback, ms);
}
