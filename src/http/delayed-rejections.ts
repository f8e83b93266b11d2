import { setTimeout as wait } from "node:timers/promises";

/** Number of rejections that are delayed at a time. */
const MAX_DELAYED = 1_000;

/** Delays rejections, so that a client that retries at once is slow. */
export class DelayedRejections {
  readonly #delayMs: number;
  #delayed = 0;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Resolves after the delay, or at once if many others are delayed. */
  async wait(): Promise<void> {
    if (this.#delayed >= MAX_DELAYED) return;
    this.#delayed++;
    await wait(this.#delayMs);
    this.#delayed--;
  }
}
