import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import type { DatabaseAccess } from "../../database/connect.ts";
import type { MetricValues } from "../../http/metrics.ts";
import type { RequestRates } from "../../http/request-rates.ts";
import { describeFailure } from "../describe-failure.ts";
import type { Primary } from "../start-context.ts";
import type { PrimaryMessage, WorkerMessage } from "./messages.ts";

/**
 * Time for which a worker that stops waits for others, one of which may hang. On a machine with a load of five for each
 * core, one took more than a second to close the port, and clients of the other were reset.
 */
const PORT_CLOSED_LIMIT_MS = 2_500;

/** Interval at which workers tell each other how many requests they have counted. */
const COUNTS_INTERVAL_MS = 100;

/** What a worker has received from the primary. */
class PrimaryChannel implements Primary {
  readonly #start = Promise.withResolvers<{ address: string | undefined }>();
  readonly #access = Promise.withResolvers<DatabaseAccess>();
  readonly #stopping = new AbortController();
  readonly #portClosed = Promise.withResolvers<void>();
  #rates: RequestRates | undefined;
  #allMetrics: PromiseWithResolvers<string> | undefined;
  #readMetrics: () => Promise<MetricValues> = async () => [];

  constructor() {
    process.on("message", (message: WorkerMessage) => this.#receive(message));
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

  reportStarting(address: string): void {
    void this.send({ type: "starting", address });
  }

  async portClosed(): Promise<void> {
    await this.send({ type: "notListening" });
    await Promise.race([this.#portClosed.promise, delay(PORT_CLOSED_LIMIT_MS)]);
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
  send(message: PrimaryMessage): Promise<void> {
    return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
  }

  #receive(message: WorkerMessage): void {
    if (message.type === "start") this.#start.resolve(message);
    else if (message.type === "connect") this.#access.resolve(message.access);
    else if (message.type === "stop") this.#stopping.abort();
    else if (message.type === "portClosed") this.#portClosed.resolve();
    else if (message.type === "requestCounts") this.#rates?.addCounts(message.counts);
    else if (message.type === "allMetrics") {
      this.#allMetrics?.resolve(message.text);
      this.#allMetrics = undefined;
    } else void this.#readMetrics().then((values) => this.send({ type: "metrics", values }));
  }
}

/**
 * Runs the service in a worker until the primary tells it to stop. Node.js ends a worker at once when its primary has
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
    await primary.send({ type: "listening", address, firstCredentials });
    flushCompileCache();
    if (!primary.stopping.aborted) await once(primary.stopping, "abort");
    await service.stop();
  } catch (error) {
    if (error !== primary.stopping.reason) await primary.send({ type: "failed", reason: describeFailure(error) });
  }
  process.disconnect?.();
}
