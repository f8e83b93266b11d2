import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { droppedLogLines } from "../config/line-writer.ts";
import type { Database } from "../database/database.ts";
import type { DatabaseProbe } from "../database/probe.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { LimitRejections } from "./limit-rejections.ts";
import type { OverloadRejections } from "./overload-rejections.ts";

/** Upper bounds of the histogram of request durations. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  /** Counts a request. `operation` is a path of the contract or an alias, never a path that a caller made up. */
  countRequest(operation: string, status: string, durationSeconds: number): void;
  /** Returns the metrics of this process in the Prometheus text format. */
  text(): Promise<string>;
  /** Returns the metrics of this process as values that can be added up. */
  values(): Promise<MetricValues>;
  contentType: string;
}

export type MetricValues = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Metrics of which the worst process counts: a sum or an average would hide one that has none left. */
const WORST_OF_PROCESSES = new Set([
  ...["nodejs_eventloop_lag_seconds", "nodejs_eventloop_lag_mean_seconds", "nodejs_eventloop_lag_stddev_seconds"],
  ...["nodejs_eventloop_lag_p50_seconds", "nodejs_eventloop_lag_p90_seconds", "nodejs_eventloop_lag_p99_seconds"],
  ...["process_open_fds", "process_max_fds"],
]);
/** Start time of the process, which prom-client omits from sums. The oldest process counts. */
const START_TIME = "process_start_time_seconds";

/** Aggregates the metrics of several processes, each by the way that its definition or the list above names. */
export function addUpMetrics(processes: MetricValues[]): Pick<Metrics, "text" | "values"> {
  const sum = AggregatorRegistry.aggregate(processes.map((metrics) => metrics.map(withAggregator)));
  return { text: () => sum.metrics(), values: () => sum.getMetricsAsJSON() };
}

function withAggregator(metric: MetricValues[number]): MetricValues[number] {
  if (metric.name === START_TIME) return { ...metric, aggregator: "min" };
  return WORST_OF_PROCESSES.has(metric.name) ? { ...metric, aggregator: "max" } : metric;
}

/** Registers the count of workers that ended and were replaced, which only the primary knows. */
function registerWorkerRestarts(registry: Registry, count: number): void {
  new Counter({
    name: "colloquy_worker_restarts_total",
    help: "Worker processes that ended and were replaced",
    registers: [registry],
  }).inc(count);
}

/** Registers a counter of what is counted elsewhere, with the key of each count as a label. */
function registerCounts(
  registry: Registry,
  label: string,
  read: () => Readonly<Record<string, number>>,
  named: { name: string; help: string },
): void {
  new Counter({
    ...named,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of Object.entries(read())) this.inc({ [label]: key }, count);
    },
  });
}

/** Returns the metrics of a primary process. */
export function primaryMetrics({ workerRestarts }: { workerRestarts: number }): Promise<MetricValues> {
  const registry = new Registry();
  registerWorkerRestarts(registry, workerRestarts);
  return registry.getMetricsAsJSON();
}

/** Sources of the metrics. */
interface Sources {
  database: Pick<Database, "poolUsage">;
  probe: Pick<DatabaseProbe, "check">;
  jobs: Pick<Jobs, "depth" | "failures">;
  /** Mails of this process by outcome. */
  mailCounts: Readonly<Record<string, number>>;
  /** Attempts of this process to send webhooks, by outcome. */
  webhookAttempts: Readonly<Record<string, number>>;
  /** Fetches of this process of the signing keys of token issuers, by outcome. */
  keyFetches: Readonly<Record<string, number>>;
  /** Rows that this process has deleted because they had expired, by kind. */
  expiredRows: Readonly<Record<string, number>>;
  overloadRejections: Pick<OverloadRejections, "total">;
  /** What this process has rejected because of limits, by limit. */
  limitRejections: Pick<LimitRejections, "counts">;
  /** Collaborative documents that are open in browsers. */
  documentSync: {
    readonly counts: { sockets: number; documents: number };
    /** Connections that were closed because of their clients, by reason. */
    readonly closings: Readonly<Record<string, number>>;
  };
  /** Use of the store of files by this process, and what is in it as of a few minutes ago. */
  files: {
    readonly counts: Readonly<Record<"transfers" | "failures", Readonly<Record<string, number>>>>;
    readStored(): Promise<{ state: string; count: number; bytes: number }[]>;
  };
  /** Event streams of this process. */
  streams: { readonly open: number };
  /** Whether a primary reports the restarts of the service's workers. */
  isWorker: boolean;
}

/** Registers what the store of files has, and how it is used. */
function registerFiles(registry: Registry, { counts, readStored }: Sources["files"]): void {
  for (const unit of ["count", "bytes"] as const) {
    new Gauge({
      name: unit === "count" ? "colloquy_files" : "colloquy_file_bytes",
      help: `${unit === "count" ? "Number" : "Size"} of files by state, as of the last five minutes`,
      labelNames: ["state"],
      // Every process reads the same numbers.
      aggregator: "max",
      registers: [registry],
      async collect() {
        const stored = await readStored().catch(() => undefined);
        this.reset();
        if (!stored) return;
        for (const state of ["pending", "unreferenced", "referenced", "removed"]) this.set({ state }, 0);
        for (const { state, [unit]: value } of stored) this.set({ state }, value);
      },
    });
  }
  registerCounts(registry, "kind", () => counts.transfers, {
    name: "colloquy_file_transfers_total",
    help: "Files that were sent to the store or read from it; those of a bucket when the service allows it",
  });
  registerCounts(registry, "purpose", () => counts.failures, {
    name: "colloquy_file_store_failures_total",
    help: "Requests to the store of files that failed, by what they were for",
  });
}

/** Creates the metrics of requests, database connections, jobs, mails and the log, and those of Node.js itself. */
export function createMetrics(sources: Sources): Metrics {
  const { database, probe, jobs, overloadRejections, documentSync, streams } = sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "colloquy_request_duration_seconds",
    help: "Time from the headers of a request to the end of its response",
    labelNames: ["operation", "status"],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  new Gauge({
    name: "colloquy_database_connections",
    help: "Connections to PostgreSQL by state; `waiting` counts the statements that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = database.poolUsage;
      this.set({ state: "busy" }, total - idle);
      this.set({ state: "idle" }, idle);
      this.set({ state: "waiting" }, waiting);
    },
  });
  new Gauge({
    name: "colloquy_ready",
    help: "1 while the database can be read or written, as /readyz says, and 0 otherwise",
    labelNames: ["kind"],
    // One process that has lost the database must show.
    aggregator: "min",
    registers: [registry],
    async collect() {
      const { reading, writing } = await probe.check().catch(() => ({ reading: "unknown", writing: "unknown" }));
      this.set({ kind: "reading" }, Number(reading === "ok"));
      this.set({ kind: "writing" }, Number(writing === "ok"));
    },
  });
  new Gauge({
    name: "colloquy_jobs",
    help: "Jobs by name and state, as of a few seconds ago; none while the database is unavailable",
    // Prometheus itself adds a label `job` to what it scrapes.
    labelNames: ["name", "state"],
    // Every process reads the same numbers.
    aggregator: "max",
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, queued, active, failed } of await jobs.depth().catch(() => [])) {
        this.set({ name, state: "queued" }, queued);
        this.set({ name, state: "active" }, active);
        this.set({ name, state: "failed" }, failed);
      }
    },
  });
  registerCounts(registry, "outcome", () => sources.mailCounts, {
    name: "colloquy_mails_total",
    help: "Mails by what became of them; `deferred` counts attempts, after each of which there is another",
  });
  registerCounts(registry, "outcome", () => sources.webhookAttempts, {
    name: "colloquy_webhook_attempts_total",
    help: "Attempts to send messages to webhooks; a message that was not delivered is sent again for a day",
  });
  registerCounts(registry, "outcome", () => sources.keyFetches, {
    name: "colloquy_signing_key_fetches_total",
    help: "Fetches of the signing keys of token issuers; after one that failed, cached keys serve for an hour",
  });
  registerCounts(registry, "kind", () => sources.expiredRows, {
    name: "colloquy_expired_rows_total",
    help: "Rows that were deleted because they had expired, by kind",
  });
  registerCounts(registry, "name", () => jobs.failures, {
    name: "colloquy_job_failures_total",
    help: "Attempts of jobs that failed; each is tried again",
  });
  new Counter({
    name: "colloquy_overload_rejections_total",
    help: "Requests that were rejected because the service had too many",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(overloadRejections.total);
    },
  });
  registerCounts(registry, "limit", () => sources.limitRejections.counts, {
    name: "colloquy_limit_rejections_total",
    help: "Requests and WebSockets that were rejected because of a limit, by limit",
  });
  new Counter({
    name: "colloquy_log_lines_dropped_total",
    help: "Lines of the log that could not be written",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  new Gauge({
    name: "colloquy_sync",
    help: "Document sync: open WebSockets, and Yjs documents in memory",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      const { sockets, documents } = documentSync.counts;
      this.set({ kind: "sockets" }, sockets);
      this.set({ kind: "documents" }, documents);
    },
  });
  registerCounts(registry, "reason", () => documentSync.closings, {
    name: "colloquy_sync_closings_total",
    help: "Document sync: connections that were closed because of what their clients sent or did not read, by reason",
  });
  new Gauge({
    name: "colloquy_event_streams",
    help: "Open event streams",
    registers: [registry],
    collect() {
      this.set(streams.open);
    },
  });
  registerFiles(registry, sources.files);
  if (!sources.isWorker) registerWorkerRestarts(registry, 0);
  return {
    countRequest: (operation, status, durationSeconds) => durations.observe({ operation, status }, durationSeconds),
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}
