import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { environmentWith } from "../../config/environment.ts";
import type { DatabaseAccess } from "../../database/connect.ts";
import type { Service } from "../service.ts";
import { countFailures, pauseMsAfter } from "./back-off.ts";
import type { MessageToPrimary, MessageToWorker } from "./messages.ts";
import { MetricsAggregator } from "./metrics-aggregator.ts";

type Serving = Pick<Service, "address" | "firstCredentials">;

/**
 * Size to which each of the two parts of V8's young generation may grow. Under 64 connections that read pages, a worker
 * takes 224 to 255 MB of memory with this limit, 240 to 268 with 16 MB, and about 350 without, for no more processor
 * time than two runs of the same code differ by.
 */
const MAX_SEMI_SPACE_MB = 8;

/**
 * Settings of glibc, unless the environment has others: at most two arenas for all threads, and a threshold of 128 KiB,
 * which does not grow, from which unused memory at the end of the heap is returned. With both, and the limit above, a
 * worker took 212 to 247 MB, and 245 to 256 MB with 16 MB alone, in alternating runs.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** The worker processes of a service. Replaces a worker that ends, with back-off. */
export class WorkerProcesses {
  readonly #count: number;
  readonly #log: Logger;
  readonly #metrics = new MetricsAggregator();
  readonly #error = new AbortController();
  readonly #stopping = new AbortController();
  readonly #serving = Promise.withResolvers<Serving>();
  /** Workers that run, each with the promise of its end. */
  readonly #running = new Map<Worker, Promise<void>>();
  /** Workers that load the code. They have opened nothing yet and receive no messages. */
  readonly #loading = new Set<Worker>();
  readonly #ready = new Map<Worker, Serving>();
  /** Workers that have closed the port because they stop. */
  readonly #portClosed = new Set<Worker>();
  #access: DatabaseAccess | undefined;
  /** Address that the service listens on, once all workers have served and the start is over. */
  #address: string | undefined;
  #isPortOpen = false;

  constructor(count: number, log: Logger) {
    this.#count = count;
    this.#log = log;
    // Workers accept connections themselves. If the primary did so and passed them on (round robin), a request over a
    // new connection would cost 383 to 405 µs of processor time instead of 102 to 144 (measured with two workers).
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ execArgv: [...process.execArgv, `--max-semi-space-size=${MAX_SEMI_SPACE_MB}`] });
    for (let number = 0; number < count; number++) this.#run();
  }

  /** Resolves once all workers serve requests. */
  get serving(): Promise<Serving> {
    return this.#serving.promise;
  }

  /** Aborted, with an error that says why, if a worker ends before all of them serve requests. */
  get error(): AbortSignal {
    return this.#error.signal;
  }

  get #hasStarted(): boolean {
    return this.#address !== undefined;
  }

  /** Lets the workers connect to the database. */
  connect(access: DatabaseAccess): void {
    this.#access = access;
    for (const worker of this.#running.keys()) send(worker, { type: "connect", access });
  }

  /** Asks all workers to stop, and waits until they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const worker of this.#running.keys()) {
      if (this.#loading.has(worker)) worker.process.kill("SIGKILL");
      else send(worker, { type: "stop" });
    }
    await Promise.all(this.#running.values());
  }

  /** Runs a worker, and another one when it ends. */
  #run(consecutiveFailures = 0): void {
    const worker = forkWorker(({ message }) => {
      const reason = `A worker process cannot be spawned: ${message}`;
      this.#replace({ reason, consecutiveFailures: consecutiveFailures + 1 });
    });
    if (!worker) return;
    const startedAt = performance.now();
    let reason: string | undefined;
    worker.on("error", (error) => {
      reason ??= error.message;
    });
    this.#loading.add(worker);
    worker.on("message", (message: MessageToPrimary) => {
      this.#loading.delete(worker);
      if (message.type === "failed") reason = message.reason;
      else this.#receive(worker, message);
    });
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", (code, signal) => {
        this.#running.delete(worker);
        this.#loading.delete(worker);
        this.#ready.delete(worker);
        this.#notifyIfAllPortsClosed();
        this.#metrics.end(worker);
        const failures = countFailures(consecutiveFailures, performance.now() - startedAt);
        const exit = signal === null ? `exit code ${code}` : `signal ${signal}`;
        this.#replace({ worker, exit, reason, consecutiveFailures: failures });
        resolve();
      });
    });
    this.#running.set(worker, ended);
    send(worker, { type: "start", address: this.#address });
    if (this.#access) send(worker, { type: "connect", access: this.#access });
  }

  #replace({ worker, exit, reason, consecutiveFailures }: Ended): void {
    if (this.#stopping.signal.aborted) {
      // After a start that failed, the others end for the same reason.
      if (reason !== undefined && !this.error.aborted)
        this.#log.error({ worker: worker?.id, reason }, "a worker could not stop");
      return;
    }
    const how = reason ?? exit;
    if (!this.#hasStarted) {
      const sentence = reason ?? `A worker process ended during the start (${how}).`;
      this.#error.abort(new Error(sentence));
      return;
    }
    const pauseMs = pauseMsAfter(consecutiveFailures);
    this.#log.error(
      { worker: worker?.id, workerPid: worker?.process.pid, reason: how },
      `a worker ended; the next starts in ${pauseMs} ms`,
    );
    delay(pauseMs, undefined, { signal: this.#stopping.signal }).then(
      () => {
        this.#metrics.countRestart();
        this.#run(consecutiveFailures);
      },
      () => {},
    );
  }

  #receive(worker: Worker, message: Exclude<MessageToPrimary, { type: "failed" }>): void {
    switch (message.type) {
      case "portOpened":
        this.#logStarting(message.address);
        break;
      case "serving":
        this.#addReady(worker, message);
        break;
      case "portClosed":
        this.#portClosed.add(worker);
        this.#notifyIfAllPortsClosed();
        break;
      case "metrics":
        this.#metrics.report(worker, message.values);
        break;
      case "readAllMetrics":
        void this.#metrics.read([...this.#ready.keys()]).then((text) => send(worker, { type: "allMetrics", text }));
        break;
      case "requestCounts":
        for (const other of this.#ready.keys()) if (other !== worker) send(other, message);
    }
  }

  #notifyIfAllPortsClosed(): void {
    const workers = [...this.#running.keys()];
    if (!this.#stopping.signal.aborted || workers.some((worker) => !this.#portClosed.has(worker))) return;
    for (const worker of workers) send(worker, { type: "allPortsClosed" });
  }

  #logStarting(address: string): void {
    if (!this.#isPortOpen) this.#log.info({ address }, "starting");
    this.#isPortOpen = true;
  }

  #addReady(worker: Worker, { address, firstCredentials }: Serving): void {
    this.#ready.set(worker, { address, firstCredentials });
    if (this.#hasStarted) {
      this.#log.info({ worker: worker.id, workerPid: worker.process.pid }, "a worker has replaced one that ended");
    } else if (this.#ready.size === this.#count) {
      this.#address = address;
      const created = [...this.#ready.values()].find((serving) => serving.firstCredentials)?.firstCredentials;
      this.#serving.resolve({ address, firstCredentials: created });
    }
  }
}

interface Ended {
  /** Undefined, like its exit, if no process could be spawned. */
  worker?: Worker;
  exit?: string;
  /** Reason that the worker has given, or why it could not be spawned. */
  reason: string | undefined;
  /** Number of workers in a row that ended soon, this one included; 1 if it was stable. */
  consecutiveFailures: number;
}

/** Forks a worker. Returns undefined if no process can be spawned: `onError` is called then, as there is no exit. */
function forkWorker(onError: (error: Error) => void): Worker | undefined {
  try {
    const worker = cluster.fork(environmentWith(ALLOCATOR));
    if (worker.process.pid !== undefined) return worker;
    worker.once("error", onError);
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
  }
  return undefined;
}

/** Sends a message. The end of a worker that cannot receive it is noticed by its exit. */
function send(worker: Worker, message: MessageToWorker): void {
  worker.send(message, () => {});
}
