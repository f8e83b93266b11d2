import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { DatabaseAccess } from "../../database/connect.ts";
import type { Service } from "../service.ts";
import { AllMetrics } from "./all-metrics.ts";
import type { PrimaryMessage, WorkerMessage } from "./messages.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Time after which a worker that ends does not count as failing again. */
const STABLE_MS = 60_000;

type Serving = Pick<Service, "address" | "firstCredentials">;

/** The worker processes of a service. Replaces a worker that ends, with back-off. */
export class Workers {
  readonly #count: number;
  readonly #log: Logger;
  readonly #metrics = new AllMetrics();
  readonly #failure = new AbortController();
  readonly #stopping = new AbortController();
  readonly #serving = Promise.withResolvers<Serving>();
  /** Workers that run, each with the promise of its end. */
  readonly #running = new Map<Worker, Promise<void>>();
  /** Workers that load the code. They have opened nothing yet and receive no messages. */
  readonly #loading = new Set<Worker>();
  readonly #listening = new Map<Worker, Serving>();
  /** Workers that have closed the port because they stop. */
  readonly #notListening = new Set<Worker>();
  #access: DatabaseAccess | undefined;
  /** Address that the service listens on, once all workers have served. */
  #address: string | undefined;
  #isStarting = false;

  constructor(count: number, log: Logger) {
    this.#count = count;
    this.#log = log;
    // Workers accept connections themselves. If the primary did so and passed them on (round robin), a request over a
    // new connection would cost 383 to 405 µs of processor time instead of 102 to 144 (measured with two workers).
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    for (let number = 0; number < count; number++) this.#run();
  }

  /** Resolves once all workers serve requests. */
  get serving(): Promise<Serving> {
    return this.#serving.promise;
  }

  /** Aborted, with an error that says why, if a worker ends before all of them serve requests. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  /** Lets the workers connect to the database. */
  connect(access: DatabaseAccess): void {
    this.#access = access;
    for (const worker of this.#running.keys()) send(worker, { type: "connect", access });
  }

  /** Tells all workers to stop, and waits until they have ended. */
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
    const worker = cluster.fork();
    const startedAt = performance.now();
    let reason: string | undefined;
    worker.on("error", (error) => {
      reason ??= error.message;
    });
    this.#loading.add(worker);
    worker.on("message", (message: PrimaryMessage) => {
      this.#loading.delete(worker);
      if (message.type === "failed") reason = message.reason;
      else this.#receive(worker, message);
    });
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", (code, signal) => {
        this.#running.delete(worker);
        this.#loading.delete(worker);
        this.#listening.delete(worker);
        this.#tellIfPortClosed();
        void this.#metrics.end(worker);
        const isStable = performance.now() - startedAt > STABLE_MS;
        this.#replace({ worker, code, signal, reason, consecutiveFailures: isStable ? 1 : consecutiveFailures + 1 });
        resolve();
      });
    });
    this.#running.set(worker, ended);
    send(worker, { type: "start", address: this.#address });
    if (this.#access) send(worker, { type: "connect", access: this.#access });
  }

  #replace({ worker, code, signal, reason, consecutiveFailures }: Ended): void {
    if (this.#stopping.signal.aborted) {
      if (reason !== undefined) this.#log.error({ worker: worker.id, reason }, "a worker could not stop");
      return;
    }
    const how = reason ?? (signal === null ? `exit code ${code}` : `signal ${signal}`);
    if (this.#address === undefined) {
      const sentence = reason ?? `A worker process ended during the start (${how}).`;
      this.#failure.abort(new Error(sentence));
      return;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (consecutiveFailures - 1), LONGEST_PAUSE_MS);
    const { id, process } = worker;
    this.#log.error(
      { worker: id, workerPid: process.pid, reason: how },
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

  #receive(worker: Worker, message: PrimaryMessage): void {
    if (message.type === "starting") this.#logStarting(message.address);
    else if (message.type === "listening") this.#addListening(worker, message);
    else if (message.type === "requestCounts") {
      for (const other of this.#listening.keys()) if (other !== worker) send(other, message);
    } else if (message.type === "notListening") {
      this.#notListening.add(worker);
      this.#tellIfPortClosed();
    } else if (message.type === "metrics") this.#metrics.report(worker, message.values);
    else if (message.type === "readAllMetrics") {
      void this.#metrics.read([...this.#listening.keys()]).then((text) => send(worker, { type: "allMetrics", text }));
    }
  }

  #tellIfPortClosed(): void {
    const workers = [...this.#running.keys()];
    if (!this.#stopping.signal.aborted || workers.some((worker) => !this.#notListening.has(worker))) return;
    for (const worker of workers) send(worker, { type: "portClosed" });
  }

  #logStarting(address: string): void {
    if (!this.#isStarting) this.#log.info({ address }, "starting");
    this.#isStarting = true;
  }

  #addListening(worker: Worker, { address, firstCredentials }: Serving): void {
    this.#listening.set(worker, { address, firstCredentials });
    if (this.#address !== undefined) {
      this.#log.info(
        { worker: worker.id, workerPid: worker.process.pid },
        "a worker serves in place of one that ended",
      );
    } else if (this.#listening.size === this.#count) {
      this.#address = address;
      const created = [...this.#listening.values()].find((serving) => serving.firstCredentials)?.firstCredentials;
      this.#serving.resolve({ address, firstCredentials: created });
    }
  }
}

interface Ended {
  worker: Worker;
  code: number;
  signal: string | null;
  /** Reason that the worker has given. */
  reason: string | undefined;
  /** Number of workers in a row that ended soon, this one included; 1 if it was stable. */
  consecutiveFailures: number;
}

/** Sends a message. The end of a worker that cannot receive it is noticed by its exit. */
function send(worker: Worker, message: WorkerMessage): void {
  worker.send(message, () => {});
}
