import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

/** Context of the steps of a start. */
export interface StartContext {
  config: Config;
  log: Logger;
  /** Traces and metrics; absent if there is no collector. */
  telemetry?: Telemetry | undefined;
  /**
   * Releases what the steps have started, in reverse order, each even if another release throws. A step registers a
   * release as soon as it has started something.
   */
  resources: AsyncDisposableStack;
  /** Ends waiting for the database. The start then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
}
