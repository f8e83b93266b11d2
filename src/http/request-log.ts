import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { ErrorStatus, ServiceError } from "../contract/errors.ts";
import type { RecordRequest } from "../contract/recorded-request.ts";
import type { Metrics } from "./metrics.ts";

/** Returns whether the service is at fault, which HTTP 501 for what the caller sent is not. */
export function isServerError({ status, httpStatus }: { status: ErrorStatus | "OK"; httpStatus: number }): boolean {
  return httpStatus >= 500 && status !== "INVALID_ARGUMENT";
}

/** Logs a failure when it happens, since there is no answer to log if the caller has disconnected. */
export function logError(
  log: Logger,
  { request, reply, failure }: { request: FastifyRequest; reply: FastifyReply; failure: ServiceError },
): void {
  const line = {
    requestId: request.id,
    path: request.routeOptions.url ?? request.url,
    status: failure.status,
    durationMs: reply.elapsedTime,
  };
  const { cause } = failure;
  // There may be one for each request, so no stack is logged.
  if (failure.status === "UNAVAILABLE") {
    log.warn({ ...line, reason: cause instanceof Error ? cause.message : failure.message }, "refused");
  } else log.error({ err: cause ?? failure, ...line }, "a request failed");
}

/** Counts and logs the answer of an operation, and keeps it for the request log of the workspace. */
export function recordResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, log, recordRequest }: { metrics: Metrics; log: Logger; recordRequest: RecordRequest },
): void {
  const { url: path, config } = request.routeOptions;
  if (!config.operation || path === undefined) return;
  metrics.countRequest(path, request.outcome, reply.elapsedTime / 1000);
  keepResponse(request, reply, recordRequest);
  // logFailure has logged it.
  if (isServerError({ status: request.outcome, httpStatus: reply.statusCode })) return;
  const line = { requestId: request.id, path, status: request.outcome, durationMs: reply.elapsedTime };
  if (request.outcome === "OK") log.debug(line, "answered");
  else log.info(line, "refused");
}

/** Keeps the answer for the request log, unless the caller is unknown or a session of the console. */
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
