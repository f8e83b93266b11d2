import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../database/database.ts";

export interface Metrics {
  /** `operation` is a path of the contract, never one that a caller made up. */
  countRequest(operation: string, status: string, durationSeconds: number): void;
  /** Prometheus text. */
  text(): Promise<string>;
  contentType: string;
}

/** Requests by operation and status, connections to the database, and Node's own figures (event loop, memory). */
export function createMetrics(database: Pick<Database, "load">): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "colloquy_request_duration_seconds",
    help: "Time from the first byte of a request to the end of its answer",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
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
  return {
    countRequest: (operation, status, durationSeconds) => requests.observe({ operation, status }, durationSeconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
