import { FairSemaphore, type Member, type SemaphoreLimits } from "./fair-semaphore.ts";

/** Runs the work of each member in sequence and pauses after it, so that it takes at most a share of the time. */
export class Throttle {
  readonly #timeShare: number;
  readonly #limits: SemaphoreLimits;
  readonly #error: Error;
  /** Queues of the members that work, pause or wait. */
  readonly #queues = new Map<string, FairSemaphore>();

  constructor(timeShare: number, limits: Omit<SemaphoreLimits, "maxPermits">, error: Error) {
    this.#timeShare = timeShare;
    this.#limits = { ...limits, maxPermits: 1 };
    this.#error = error;
  }

  /** Runs work after the pause. Work that waits for something else first calls `begin` when it starts. */
  async run<Result>(member: Member, work: (begin: () => void) => Promise<Result>): Promise<Result> {
    const key = `${member.group} ${member.name}`;
    const queue = this.#queues.get(key) ?? new FairSemaphore(this.#limits, this.#error);
    this.#queues.set(key, queue);
    const permit = await queue.acquire(member);
    let beganAt = performance.now();
    try {
      return await work(() => {
        beganAt = performance.now();
      });
    } finally {
      const pauseMs = (performance.now() - beganAt) * (1 / this.#timeShare - 1);
      setTimeout(() => {
        if (queue.waiting === 0) this.#queues.delete(key);
        permit.release();
      }, pauseMs).unref();
    }
  }
}
