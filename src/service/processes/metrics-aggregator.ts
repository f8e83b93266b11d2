import type { Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { MetricValues } from "../../http/metrics.ts";
import type { MessageToWorker } from "./messages.ts";

/** Time that a worker has to report its metrics. Its previous report is used if it takes longer. */
const REPORT_TIMEOUT_MS = 1_000;
/** Cumulative types. The gauges of an ended worker are dropped. */
const CUMULATIVE_TYPES = new Set(["counter", "histogram"]);

/** Adds up the metrics of all workers. Counts of workers that have ended stay, so that no sum decreases. */
export class MetricsAggregator {
  readonly #latest = new Map<number, MetricValues>();
  readonly #waiting = new Map<number, () => void>();
  /** Counts of workers that have ended. */
  readonly #ended: MetricValues[] = [];
  #reading: Promise<string> | undefined;
  #restarts = 0;

  /** Returns the sums in the Prometheus text format. Concurrent calls share one reading. */
  read(workers: readonly Worker[]): Promise<string> {
    this.#reading ??= this.#readOnce(workers).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Takes the values that a worker has reported. */
  report({ id }: Worker, values: MetricValues): void {
    this.#latest.set(id, values);
    this.#waiting.get(id)?.();
  }

  /** Counts a worker that takes the place of one that has ended. */
  countRestart(): void {
    this.#restarts++;
  }

  /** Keeps the counters of an ended worker in the sums. */
  end({ id }: Worker): void {
    const last = this.#latest.get(id);
    this.#latest.delete(id);
    this.#waiting.get(id)?.();
    if (last) this.#ended.push(last.filter(({ type }) => CUMULATIVE_TYPES.has(String(type))));
  }

  async #readOnce(workers: readonly Worker[]): Promise<string> {
    await Promise.all(workers.map((worker) => this.#ask(worker)));
    const { addUpMetrics, primaryMetrics } = await import("../../http/metrics.ts");
    const own = await primaryMetrics({ workerRestarts: this.#restarts });
    const count = this.#ended.length;
    // Other workers may end meanwhile.
    const sum = await addUpMetrics(this.#ended).values();
    this.#ended.splice(0, count, sum);
    return addUpMetrics([own, ...this.#ended, ...this.#latest.values()]).text();
  }

  async #ask(worker: Worker): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(worker.id, resolve);
    const message: MessageToWorker = { type: "readMetrics" };
    worker.send(message, () => {});
    await Promise.race([promise, delay(REPORT_TIMEOUT_MS)]);
    this.#waiting.delete(worker.id);
  }
}
