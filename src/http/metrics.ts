import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
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

/** What the figures are of; counts are of this process, by name. */
interface Sources {
  database: Pick<Database, "load">;
  jobs: Pick<Jobs, "depth">;
  mailCounts: Readonly<Record<string, number>>;
}

/** Requests by operation and status, database connections, jobs, mails, and Node's own (event loop, memory). */
export function createMetrics({ database, jobs, mailCounts }: Sources): Metrics {
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
  new Counter({
    name: "colloquy_mails_total",
    help: "Mails by what became of them; `deferred` counts attempts, after each of which there is another",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(mailCounts)) this.inc({ outcome }, count);
    },
  });
  return {
    countRequest: (path, status, durationSeconds) => durations.observe(path, status, durationSeconds),
    text: async () => `${await registry.metrics()}\n${durations.text()}`,
    contentType: registry.contentType,
  };
}
