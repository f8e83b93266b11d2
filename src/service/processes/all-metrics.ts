import type { Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { MetricValues } from "../../http/metrics.ts";
import type { WorkerMessage } from "./messages.ts";

/** Time that a worker has to report its metrics. Those that it has reported last stand for a busy one's. */
const ANSWER_MS = 1_000;
/** Types of metrics that count on after the end of their process. */
const COUNTING_TYPES = new Set(["counter", "histogram"]);

/** Adds up the metrics of all workers. Counts of workers that have ended stay, so that no sum decreases. */
export class AllMetrics {
  readonly #latest = new Map<number, MetricValues>();
  readonly #waiting = new Map<number, () => void>();
  #ended: MetricValues = [];
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

  /** Keeps what a worker that has ended has counted. */
  async end({ id }: Worker): Promise<void> {
    const last = this.#latest.get(id);
    this.#latest.delete(id);
    this.#waiting.get(id)?.();
    if (!last) return;
    const counted = last.filter(({ type }) => COUNTING_TYPES.has(String(type)));
    const { addUpMetrics } = await import("../../http/metrics.ts");
    this.#ended = await addUpMetrics([this.#ended, counted]).values();
  }

  async #readOnce(workers: readonly Worker[]): Promise<string> {
    await Promise.all(workers.map((worker) => this.#ask(worker)));
    const { addUpMetrics, primaryMetrics } = await import("../../http/metrics.ts");
    const own = await primaryMetrics({ workerRestarts: this.#restarts });
    return addUpMetrics([own, this.#ended, ...this.#latest.values()]).text();
  }

  async #ask(worker: Worker): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(worker.id, resolve);
    const message: WorkerMessage = { type: "readMetrics" };
    worker.send(message, () => {});
    await Promise.race([promise, delay(ANSWER_MS)]);
    this.#waiting.delete(worker.id);
  }
}
