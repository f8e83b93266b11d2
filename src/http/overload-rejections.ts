import type { Logger } from "pino";

const LOG_INTERVAL_MS = 1_000;

/** Counts the requests that an overloaded service rejects. A log line for each would add to the load. */
export class OverloadRejections {
  readonly #log: Logger;
  #total = 0;
  #logged = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Number of rejections since the start. */
  get total(): number {
    return this.#total;
  }

  /** Counts a rejection, which is logged together with the others of a second. */
  count(): void {
    this.#total++;
    this.#timer ??= setTimeout(() => this.#write(), LOG_INTERVAL_MS);
  }

  #write(): void {
    this.#log.warn({ rejected: this.#total - this.#logged }, "overloaded: requests were rejected");
    this.#logged = this.#total;
    this.#timer = undefined;
  }
}
