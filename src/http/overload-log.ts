import type { Logger } from "pino";

const INTERVAL_MS = 1_000;

/** Logs refusals of an overloaded service, at most one line per second: a line for each would add to the load. */
export class OverloadLog {
  readonly #log: Logger;
  #refused = 0;
  #loggedAtMs = -INTERVAL_MS;

  constructor(log: Logger) {
    this.#log = log;
  }

  countRefusal(): void {
    this.#refused++;
    const now = performance.now();
    if (now - this.#loggedAtMs < INTERVAL_MS) return;
    this.#log.warn({ refused: this.#refused }, "overloaded: requests were refused");
    this.#refused = 0;
    this.#loggedAtMs = now;
  }
}
