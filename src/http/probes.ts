import type { FastifyInstance } from "fastify";
import { unavailable } from "../contract/errors.ts";
import type { Metrics } from "./metrics.ts";

/** Adds the probes: `/healthz` (the process lives), `/readyz` (it can serve requests) and `/metrics`. */
export function registerProbes(
  server: FastifyInstance,
  options: { metrics: Metrics; isReady(): Promise<boolean> },
): void {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async () => {
    if (!(await options.isReady()))
      throw unavailable("starting", "The service is starting, or migrations are missing: run `colloquy migrate`.");
    return { status: "ready" };
  });
  server.get("/metrics", async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await options.metrics.text()),
  );
}
