import { FairSemaphore, type Member, type SemaphoreLimits } from "./fair-semaphore.ts";

/** Runs the work of each member in sequence, with pauses after it, so that it takes only a part of the time. */
export class Pauses {
  readonly #timeShare: number;
  readonly #limits: SemaphoreLimits;
  readonly #error: Error;
  /** Turns of members that work, pause or wait. */
  readonly #turns = new Map<string, FairSemaphore>();

  constructor(timeShare: number, limits: Omit<SemaphoreLimits, "maxPermits">, error: Error) {
    this.#timeShare = timeShare;
    this.#limits = { ...limits, maxPermits: 1 };
    this.#error = error;
  }

  /** Runs work after the pause. `begin` starts its time, if it waits for something else before. */
  async run<Result>(member: Member, work: (begin: () => void) => Promise<Result>): Promise<Result> {
    const key = `${member.group} ${member.name}`;
    const turns = this.#turns.get(key) ?? new FairSemaphore(this.#limits, this.#error);
    this.#turns.set(key, turns);
    const permit = await turns.acquire(member);
    let beganAt = performance.now();
    try {
      return await work(() => {
        beganAt = performance.now();
      });
    } finally {
      const pauseMs = (performance.now() - beganAt) * (1 / this.#timeShare - 1);
      setTimeout(() => {
        if (turns.waiting === 0) this.#turns.delete(key);
        permit.release();
      }, pauseMs).unref();
    }
  }
}
