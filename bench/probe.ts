import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const INTERVAL_MS = 20;

/** Calls of /healthz in sequence, over a new connection each time, until they are stopped. */
export interface Probing {
  /** Returns the times of the calls before it, in milliseconds. */
  stop(): Promise<number[]>;
}

/** Begins to probe in a thread of its own, which does not wait for the load that this one sends. */
export async function startProbing(address: string): Promise<Probing> {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: address });
  await once(thread, "message");
  return {
    async stop() {
      thread.postMessage("stop");
      const [timesMs] = await once(thread, "message");
      return timesMs;
    },
  };
}

async function getTime(address: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${address}/healthz`, { headers: { connection: "close" } });
  await response.text();
  return performance.now() - startedAt;
}

if (!isMainThread && parentPort) {
  const timesMs: number[] = [];
  let isOver = false;
  parentPort.once("message", () => {
    isOver = true;
  });
  // The first call loads what it needs.
  await getTime(workerData);
  parentPort.postMessage("ready");
  for (;;) {
    const timeMs = await getTime(workerData);
    if (isOver) break;
    timesMs.push(timeMs);
    await delay(INTERVAL_MS);
  }
  parentPort.postMessage(timesMs);
}
