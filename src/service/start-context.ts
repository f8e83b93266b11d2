import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { DatabaseAccess } from "../database/connect.ts";
import type { MetricValues } from "../http/metrics.ts";
import type { RequestRates } from "../http/request-rates.ts";
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
  /** The primary process, if this is one of its workers. */
  primary?: Primary | undefined;
}

/** What a worker needs of its primary. */
export interface Primary {
  /** How to open the database, once the primary has started or reached it. */
  readonly databaseAccess: Promise<DatabaseAccess>;
  /** Resolves with the address that the service listens on already, if this worker replaces one. */
  currentAddress(): Promise<string | undefined>;
  /** Reports that this worker listens and will serve. */
  reportPortOpened(address: string): void;
  /**
   * Reports that this worker accepts no more connections, and waits until no worker does, for 2.5 s at most. Otherwise
   * a client that reconnects could reach a worker that is about to stop.
   */
  leavePort(): Promise<void>;
  /** Lets the primary read the metrics of this process. Returns the function that reads those of all workers. */
  shareMetrics(read: () => Promise<MetricValues>): () => Promise<string>;
  /** Sends the counts of this worker to the others, and adds theirs, until `stop`. */
  shareRates(rates: RequestRates): { stop(): void };
}
