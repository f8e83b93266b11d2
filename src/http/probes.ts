import type { FastifyInstance } from "fastify";
import { ERROR_KINDS, unavailable } from "../contract/errors.ts";
import type { DatabaseState } from "../database/probe.ts";
import type { Metrics } from "./metrics.ts";

/** Adds the probes: `/healthz` (the process lives), `/readyz` (it can serve requests) and `/metrics`. */
export function registerProbes(
  server: FastifyInstance,
  options: { metrics: Pick<Metrics, "text" | "contentType">; check(): Promise<DatabaseState> },
): void {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async () => {
    const state = await options.check();
    const reason = [state.reading, state.writing].find((part) => part !== "ok");
    if (reason === undefined) return { status: "ready", ...state };
    throw unavailable(reason, state.problem ?? ERROR_KINDS[reason].meaning, { details: state });
  });
  server.get("/metrics", async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await options.metrics.text()),
  );
}
