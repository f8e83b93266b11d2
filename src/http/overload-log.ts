import type { Logger } from "pino";

const INTERVAL_MS = 1_000;

/** Logs refusals of an overloaded service, at most one line per second: a line for each would add to the load. */
export class OverloadLog {
  readonly #log: Logger;
  #refused = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Counts a refusal, which is logged within a second. */
  countRefusal(): void {
    if (++this.#refused === 1) setTimeout(() => this.#write(), INTERVAL_MS);
  }

  #write(): void {
    this.#log.warn({ refused: this.#refused }, "overloaded: requests were refused");
    this.#refused = 0;
  }
}
