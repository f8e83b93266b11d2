import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Database } from "../database/database.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { RequestDurations } from "./request-durations.ts";

export interface Metrics {
  /** `path` is one of the contract, be it an alias, never one that a caller made up. */
  countRequest(path: string, status: string, durationSeconds: number): void;
  /** Prometheus text. */
  text(): Promise<string>;
  contentType: string;
}

/** Requests by operation and status, database connections, jobs, and Node's own figures (event loop, memory). */
export function createMetrics(database: Pick<Database, "load">, jobs: Pick<Jobs, "depth">): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new RequestDurations();
  new Gauge({
    name: "colloquy_database_connections",
    help: "Connections to PostgreSQL by state; `waiting` counts the statements that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = database.load;
      this.set({ state: "busy" }, total - idle);
      this.set({ state: "idle" }, idle);
      this.set({ state: "waiting" }, waiting);
    },
  });
  new Gauge({
    name: "colloquy_jobs",
    help: "Jobs by name and state, as of a few seconds ago; none while the database is away",
    labelNames: ["job", "state"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, queued, active, failed } of await jobs.depth().catch(() => [])) {
        this.set({ job: name, state: "queued" }, queued);
        this.set({ job: name, state: "active" }, active);
        this.set({ job: name, state: "failed" }, failed);
      }
    },
  });
  return {
    countRequest: (path, status, durationSeconds) => durations.observe(path, status, durationSeconds),
    text: async () => `${await registry.metrics()}\n${durations.text()}`,
    contentType: registry.contentType,
  };
}
