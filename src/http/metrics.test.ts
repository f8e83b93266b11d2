import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { addUpMetrics, type MetricValues } from "./metrics.ts";

/** Returns the metrics of a process in which the gauges have these values. */
async function metricsWith(gauges: Record<string, number>): Promise<MetricValues> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return (await registry.getMetricsAsJSON()).map((metric) => {
    const value = gauges[metric.name];
    return value === undefined ? metric : { ...metric, values: [{ value, labels: {} }] };
  });
}

test("the metrics of processes have the longest lag and most open files of one, and their memory in sum", async () => {
  const stalled = { nodejs_eventloop_lag_p99_seconds: 0.9, process_open_fds: 20, process_resident_memory_bytes: 100 };
  const full = { nodejs_eventloop_lag_p99_seconds: 0.01, process_open_fds: 990, process_resident_memory_bytes: 200 };
  const limits = { process_max_fds: 1_000 };
  const processes = await Promise.all([stalled, full].map((gauges) => metricsWith({ ...gauges, ...limits })));
  const values = await addUpMetrics(processes).values();
  const read = (name: string) => values.find((metric) => metric.name === name)?.values[0]?.value;
  expect({
    nodejs_eventloop_lag_p99_seconds: read("nodejs_eventloop_lag_p99_seconds"),
    process_open_fds: read("process_open_fds"),
    process_max_fds: read("process_max_fds"),
    process_resident_memory_bytes: read("process_resident_memory_bytes"),
  }).toEqual({
    nodejs_eventloop_lag_p99_seconds: 0.9,
    process_open_fds: 990,
    process_max_fds: 1_000,
    process_resident_memory_bytes: 300,
  });
});
