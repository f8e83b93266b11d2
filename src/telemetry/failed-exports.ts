import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { Logger } from "pino";

/** Logs when exports begin to fail and when they succeed again. There is an attempt every few seconds. */
export class FailedExports {
  readonly #log: Logger;
  #isFailing = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns a callback that records the result of an export before it passes it on. */
  recorded(done: (result: ExportResult) => void): (result: ExportResult) => void {
    return (result) => {
      this.#record(result);
      done(result);
    };
  }

  #record({ code, error }: ExportResult): void {
    const isFailing = code !== ExportResultCode.SUCCESS;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing) this.#log.warn({ reason: error?.message }, "traces and metrics do not reach the collector");
    else this.#log.info("traces and metrics reach the collector again");
  }
}
