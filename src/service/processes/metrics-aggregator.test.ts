import type { Worker } from "node:cluster";
import { Counter, Registry } from "prom-client";
import { expect, test } from "vitest";
import { MetricsAggregator } from "./metrics-aggregator.ts";

/** Returns a worker, of which only the ID is used. */
function getWorker(id: number): Worker {
  return { id } as Worker;
}

async function getCount(metrics: MetricsAggregator): Promise<number> {
  const text = await metrics.read([]);
  return Number(/^requests_total (\d+)$/m.exec(text)?.[1]);
}

test("counts of workers that end at the same time stay in the sum, also while they are read", async () => {
  const metrics = new MetricsAggregator();
  const workers = [10, 20].map(getWorker);
  for (const worker of workers) {
    const registry = new Registry();
    new Counter({ name: "requests_total", help: "Requests", registers: [registry] }).inc(worker.id);
    metrics.report(worker, await registry.getMetricsAsJSON());
  }
  const counts = [await getCount(metrics)];
  for (const worker of workers) metrics.end(worker);
  counts.push(await getCount(metrics), await getCount(metrics));
  expect(counts).toEqual([30, 30, 30]);
});
