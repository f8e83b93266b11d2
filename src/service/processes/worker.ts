import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import type { DatabaseAccess } from "../../database/connect.ts";
import type { MetricValues } from "../../http/metrics.ts";
import type { RequestRates } from "../../http/request-rates.ts";
import { finishStart } from "../after-start.ts";
import { describeError } from "../describe-error.ts";
import type { Primary } from "../start-context.ts";
import type { MessageToPrimary, MessageToWorker } from "./messages.ts";

/**
 * Time for which a worker that stops waits for others, one of which may hang. On a machine with a load of five for each
 * core, one took more than a second to close the port, and clients of the other were reset.
 */
const PORT_CLOSED_LIMIT_MS = 2_500;

/** Interval at which workers send each other the number of requests that they have counted. */
const COUNTS_INTERVAL_MS = 100;

/** The worker's end of the channel to the primary. */
class PrimaryChannel implements Primary {
  readonly #start = Promise.withResolvers<{ address: string | undefined }>();
  readonly #access = Promise.withResolvers<DatabaseAccess>();
  readonly #stopping = new AbortController();
  readonly #allPortsClosed = Promise.withResolvers<void>();
  #rates: RequestRates | undefined;
  #allMetrics: PromiseWithResolvers<string> | undefined;
  #readMetrics: () => Promise<MetricValues> = async () => [];

  constructor() {
    process.on("message", (message: MessageToWorker) => this.#receive(message));
  }

  get databaseAccess(): Promise<DatabaseAccess> {
    return this.#access.promise;
  }

  /** Resolves with the address that the service listens on already, if this worker replaces one. */
  async currentAddress(): Promise<string | undefined> {
    return (await this.#start.promise).address;
  }

  /** Aborted when the worker must stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  reportPortOpened(address: string): void {
    void this.send({ type: "portOpened", address });
  }

  async leavePort(): Promise<void> {
    await this.send({ type: "portClosed" });
    await Promise.race([this.#allPortsClosed.promise, delay(PORT_CLOSED_LIMIT_MS)]);
  }

  shareMetrics(read: () => Promise<MetricValues>): () => Promise<string> {
    this.#readMetrics = read;
    return () => {
      if (!this.#allMetrics) {
        this.#allMetrics = Promise.withResolvers();
        void this.send({ type: "readAllMetrics" });
      }
      return this.#allMetrics.promise;
    };
  }

  shareRates(rates: RequestRates): { stop(): void } {
    this.#rates = rates;
    const timer = setInterval(() => {
      const counts = rates.takeCounts();
      if (Object.keys(counts).length > 0) void this.send({ type: "requestCounts", counts });
    }, COUNTS_INTERVAL_MS);
    return { stop: () => clearInterval(timer) };
  }

  /** Resolves when the message was sent, or cannot be sent because the primary has ended. */
  send(message: MessageToPrimary): Promise<void> {
    return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
  }

  #receive(message: MessageToWorker): void {
    switch (message.type) {
      case "start":
        this.#start.resolve(message);
        break;
      case "connect":
        this.#access.resolve(message.access);
        break;
      case "readMetrics":
        void this.#readMetrics().then((values) => this.send({ type: "metrics", values }));
        break;
      case "requestCounts":
        this.#rates?.addCounts(message.counts);
        break;
      case "allMetrics":
        this.#allMetrics?.resolve(message.text);
        this.#allMetrics = undefined;
        break;
      case "stop":
        this.#stopping.abort();
        break;
      case "allPortsClosed":
        this.#allPortsClosed.resolve();
        break;
    }
  }
}

/**
 * Runs the service in a worker until the primary asks it to stop. Node.js ends a worker at once when its primary has
 * ended.
 */
export async function runWorker(config: Config, log: Logger): Promise<void> {
  // A terminal and some supervisors signal every process; the primary passes the first signal on as a message.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  const primary = new PrimaryChannel();
  try {
    const { startService } = await import("../service.ts");
    const service = await startService(config, log, { signal: primary.stopping, primary });
    const { address, firstCredentials } = service;
    await primary.send({ type: "serving", address, firstCredentials });
    finishStart();
    if (!primary.stopping.aborted) await once(primary.stopping, "abort");
    await service.stop();
  } catch (error) {
    if (error !== primary.stopping.reason) await primary.send({ type: "failed", reason: describeError(error) });
  }
  process.disconnect?.();
}
