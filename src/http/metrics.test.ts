import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { openEventStream } from "../../test/event-streams.ts";
import { eventually } from "../../test/eventually.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { addUpMetrics, createMetrics, type MetricValues } from "./metrics.ts";

/** Returns the metrics of a process in which the gauges have these values. */
async function metricsWith(gauges: Record<string, number>): Promise<MetricValues> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return (await registry.getMetricsAsJSON()).map((metric) => {
    const value = gauges[metric.name];
    return value === undefined ? metric : { ...metric, values: [{ value, labels: {} }] };
  });
}

test("the metrics of processes have the worst lag and open files, the first start, and the sum of memory", async () => {
  const stalled = {
    ...{ nodejs_eventloop_lag_p99_seconds: 0.9, process_open_fds: 20, process_resident_memory_bytes: 100 },
    process_start_time_seconds: 1_700_000_000,
  };
  const full = {
    ...{ nodejs_eventloop_lag_p99_seconds: 0.01, process_open_fds: 990, process_resident_memory_bytes: 200 },
    process_start_time_seconds: 1_700_000_009,
  };
  const limits = { process_max_fds: 1_000 };
  const processes = await Promise.all([stalled, full].map((gauges) => metricsWith({ ...gauges, ...limits })));
  const values = await addUpMetrics(processes).values();
  const read = (name: string) => values.find((metric) => metric.name === name)?.values[0]?.value;
  expect({
    nodejs_eventloop_lag_p99_seconds: read("nodejs_eventloop_lag_p99_seconds"),
    process_open_fds: read("process_open_fds"),
    process_max_fds: read("process_max_fds"),
    process_resident_memory_bytes: read("process_resident_memory_bytes"),
    process_start_time_seconds: read("process_start_time_seconds"),
  }).toEqual({
    nodejs_eventloop_lag_p99_seconds: 0.9,
    process_open_fds: 990,
    process_max_fds: 1_000,
    process_resident_memory_bytes: 300,
    process_start_time_seconds: 1_700_000_000,
  });
});

/** Returns the metrics of a process whose writes are in the given state. */
function getMetrics(
  writing: "ok" | "storage_full",
  { isWorker = false }: { isWorker?: boolean } = {},
): Promise<MetricValues> {
  return createMetrics({
    database: { poolUsage: { total: 0, idle: 0, waiting: 0 } },
    probe: { check: async () => ({ reading: "ok", writing }) },
    jobs: { depth: async () => [], failures: {} },
    mailCounts: {},
    webhookAttempts: {},
    keyFetches: {},
    expiredRows: {},
    overloadRejections: { total: 0 },
    limitRejections: { counts: {} },
    documentSync: { counts: { sockets: 0, documents: 0 }, closings: {} },
    files: {
      counts: { transfers: {}, failures: {} },
      readStored: async () => [{ state: "referenced", count: 2, bytes: 20 }],
    },
    streams: { open: 0 },
    isWorker,
  }).values();
}

test("a service with a worker that cannot write is not ready for writing", async () => {
  const text = await addUpMetrics([await getMetrics("ok"), await getMetrics("storage_full")]).text();
  expect(text).toContain('colloquy_ready{kind="reading"} 1');
  expect(text).toContain('colloquy_ready{kind="writing"} 0');
});

test("the files of a service are counted once, although each process reads them", async () => {
  const text = await addUpMetrics([await getMetrics("ok"), await getMetrics("ok")]).text();
  expect(text).toContain('colloquy_files{state="referenced"} 2');
  expect(text).toContain('colloquy_file_bytes{state="referenced"} 20');
  expect(text).toContain('colloquy_file_bytes{state="removed"} 0');
});

test("a worker reports no restarts, which only its primary knows", async () => {
  const names = (await getMetrics("ok", { isWorker: true })).map(({ name }) => name);
  expect(names).not.toContain("colloquy_worker_restarts_total");
  expect((await getMetrics("ok")).map(({ name }) => name)).toContain("colloquy_worker_restarts_total");
});

test("the metrics count the streams that are open", async () => {
  const { address, workspace } = await startOwnTestService();
  const open = async () => {
    const text = await (await fetch(`${address}/metrics`)).text();
    return /^colloquy_event_streams (\d+)$/m.exec(text)?.[1];
  };
  expect(await open()).toBe("0");
  const stream = await openEventStream(await workspace(), address);
  await eventually(async () => expect(await open()).toBe("1"));
  stream.close();
  await eventually(async () => expect(await open()).toBe("0"));
});
