import type { FastifyInstance } from "fastify";
import { FAILURES, ServiceError, type UnavailableReason } from "../contract/errors.ts";
import type { Metrics } from "./metrics.ts";

/** What works at present: `ok`, or the reason of the failure that requests get. */
interface Readiness {
  reading: "ok" | UnavailableReason;
  writing: "ok" | UnavailableReason;
}

/** Adds the probes: `/healthz` (the process lives), `/readyz` (it can serve requests) and `/metrics`. */
export function registerProbes(
  server: FastifyInstance,
  options: { metrics: Metrics; check(): Promise<Readiness> },
): void {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async () => {
    const readiness = await options.check();
    const reason = [readiness.reading, readiness.writing].find((state) => state !== "ok");
    if (reason === undefined) return { status: "ready", ...readiness };
    throw new ServiceError<UnavailableReason>(reason, FAILURES[reason].meaning, {
      retryAfterSeconds: 1,
      details: readiness,
    });
  });
  server.get("/metrics", async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await options.metrics.text()),
  );
}
