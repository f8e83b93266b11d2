import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { ErrorStatus, ServiceError } from "../contract/errors.ts";
import type { RecordRequest } from "../contract/recorded-request.ts";
import type { Metrics } from "./metrics.ts";

/** Returns whether the service has failed, not the caller. HTTP 501 is about what the caller sent. */
export function isServerError({ status, httpStatus }: { status: ErrorStatus | "OK"; httpStatus: number }): boolean {
  return httpStatus >= 500 && status !== "INVALID_ARGUMENT";
}

/** Logs an error when it happens, since there is no response to log if the caller has disconnected. */
export function logError(
  log: Logger,
  { request, reply, error }: { request: FastifyRequest; reply: FastifyReply; error: ServiceError },
): void {
  const line = {
    requestId: request.id,
    path: request.routeOptions.url ?? request.url,
    status: error.status,
    durationMs: reply.elapsedTime,
  };
  const { cause } = error;
  // There may be one for each request, so no stack is logged.
  if (error.status === "UNAVAILABLE") {
    log.warn({ ...line, reason: cause instanceof Error ? cause.message : error.message }, "a request was rejected");
  } else log.error({ err: cause ?? error, ...line }, "a request failed");
}

/** Counts and logs the response of an operation, and records it in the request log of the workspace. */
export function recordResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, log, recordRequest }: { metrics: Metrics; log: Logger; recordRequest: RecordRequest },
): void {
  const { url: path, config } = request.routeOptions;
  if (!config.operation || path === undefined) return;
  metrics.countRequest(path, request.outcome, reply.elapsedTime / 1000);
  keepResponse(request, reply, recordRequest);
  // logError has logged it.
  if (isServerError({ status: request.outcome, httpStatus: reply.statusCode })) return;
  const line = { requestId: request.id, path, status: request.outcome, durationMs: reply.elapsedTime };
  if (request.outcome === "OK") log.debug(line, "a request succeeded");
  else log.info(line, "a request was rejected");
}

/** Records the response in the request log, unless the caller is unknown or a session of the console. */
function keepResponse(request: FastifyRequest, reply: FastifyReply, recordRequest: RecordRequest): void {
  const { workspace, session, actor, outcome, reason = null } = request;
  const { operation } = request.routeOptions.config;
  if (!workspace || session || !operation) return;
  recordRequest(workspace.id, {
    requestId: request.id,
    timestamp: Date.now(),
    operation: operation.path,
    status: outcome,
    reason,
    httpStatus: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    authTokenId: actor?.id ?? null,
  });
}
