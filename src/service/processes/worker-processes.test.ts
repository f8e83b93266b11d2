import cluster, { type Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { pino } from "pino";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../../test/harness.ts";
import { WorkerProcesses } from "./worker-processes.ts";

const SERVING = { type: "serving", address: "http://127.0.0.1:1", firstCredentials: undefined };

/** A worker that serves once it is started; without a process ID if it was not spawned. */
class FakeWorker extends EventEmitter {
  readonly id = 1;
  readonly process: { pid: number | undefined };

  constructor(pid?: number) {
    super();
    this.process = { pid };
  }

  send({ type }: { type: string }): void {
    // Node throws like this for a worker that was not spawned because of EMFILE.
    if (this.process.pid === undefined) throw new TypeError("the worker has no channel");
    if (type === "start") queueMicrotask(() => this.emit("message", SERVING));
    if (type === "stop") this.emit("exit", 0, null);
  }
}

/** Returns a worker for which the system has no process, as Node reports it for EAGAIN and EMFILE. */
function unspawned(): FakeWorker {
  const worker = new FakeWorker();
  process.nextTick(() => worker.emit("error", new Error("spawn EAGAIN")));
  return worker;
}

/** Lets the next forks return these workers, which have what is used of them. */
function fork(...workers: (() => FakeWorker)[]): void {
  const spy = vi.spyOn(cluster, "fork");
  for (const create of workers) spy.mockImplementationOnce(() => create() as unknown as Worker);
}

afterEach(() => void vi.restoreAllMocks());

test("a worker that cannot be spawned is replaced", async () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const [first, last] = [new FakeWorker(1), new FakeWorker(2)];
  const failToFork = () => {
    throw new Error("spawn ENOMEM");
  };
  fork(
    () => first,
    unspawned,
    failToFork,
    () => last,
  );
  const workers = new WorkerProcesses(1, log);
  await workers.serving;
  const isServing = new Promise((resolve) => last.once("message", resolve));
  first.emit("exit", 1, null);
  await isServing;
  const reasons = lines.flatMap((line) => JSON.parse(line).reason ?? []);
  expect(reasons).toEqual([
    "exit code 1",
    "A worker process cannot be spawned: spawn EAGAIN",
    "A worker process cannot be spawned: spawn ENOMEM",
  ]);
  await workers.stop();
});

test("a start fails if a worker cannot be spawned, and can be cleaned up", async () => {
  cluster.setupPrimary({ cwd: "/nonexistent" });
  onTestFinished(() => cluster.setupPrimary({ cwd: process.cwd() }));
  const workers = new WorkerProcesses(1, silentLog);
  await new Promise((resolve) => workers.error.addEventListener("abort", resolve));
  expect(String(workers.error.reason)).toMatch(/A worker process cannot be spawned: spawn .* ENOENT/);
  await workers.stop();
});

test("workers that cannot start for the same reason are reported by the error of the start alone", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const failing = [new FakeWorker(1), new FakeWorker(2)];
  for (const worker of failing) {
    worker.send = ({ type }) => {
      if (type === "start") queueMicrotask(() => worker.emit("message", { type: "failed", reason: "It is outdated." }));
      if (type === "stop") worker.emit("exit", 1, null);
    };
  }
  fork(...failing.map((worker) => () => worker));
  const workers = new WorkerProcesses(2, log);
  await Promise.all(failing.map((worker) => new Promise((resolve) => worker.once("message", resolve))));
  failing[0]?.emit("exit", 1, null);
  expect(workers.error.reason).toEqual(new Error("It is outdated."));
  await workers.stop();
  expect(lines).toEqual([]);
});
