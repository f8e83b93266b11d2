import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { getClient } from "../contract/client-address.ts";
import type { ErrorStatus } from "../contract/error-catalogue.ts";
import type { ServiceError } from "../contract/errors.ts";
import { getLimit } from "../contract/limit-error.ts";
import { ITEMS_FAILED, type RecordedRequest, type RecordRequest } from "../contract/recorded-request.ts";
import { isIdentifier } from "../contract/schema.ts";
import { isObject } from "../json/is-object.ts";
import type { Authentication } from "./authentication.ts";
import type { Metrics } from "./metrics.ts";
import { TokenBuckets } from "./token-buckets.ts";
import { getPath } from "./unrouted.ts";

const MAX_MESSAGE_LENGTH = 500;
const MAX_NAME_LENGTH = 256;

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

export interface ResponseRecorderOptions {
  metrics: Metrics;
  log: Logger;
  recordRequest: RecordRequest;
  authentication: Authentication;
}

/** Counts and logs the responses of operations, and records them in the request logs of workspaces. */
export class ResponseRecorder {
  readonly #options: ResponseRecorderOptions;
  /** Anybody can send wrong tokens to a workspace whose API key they know. */
  readonly #rejectionsByClient = new TokenBuckets({ burst: 10, perSecond: 10 / 60 });
  readonly #rejectionsByWorkspace = new TokenBuckets({ burst: 60, perSecond: 1 });

  constructor(options: ResponseRecorderOptions) {
    this.#options = options;
  }

  record(request: FastifyRequest, reply: FastifyReply): void {
    const { metrics, log, recordRequest } = this.#options;
    const { url: path, config } = request.routeOptions;
    if (!config.operation || path === undefined) return void this.#recordUnrouted(request, reply);
    metrics.countRequest(path, request.outcome, reply.elapsedTime / 1000);
    const { workspace, session, rejectedToken } = request;
    // What pages send ten times a second would push the other requests out of the log.
    const isLogged = !config.operation.isTransient || request.outcome !== "OK";
    if (workspace && !session && isLogged) {
      recordRequest(workspace.id, toRecorded(request, reply, config.operation.path, request.actor?.id ?? null));
    } else if (rejectedToken) {
      const { workspaceId, tokenId } = rejectedToken;
      this.#recordRejected(workspaceId, toRecorded(request, reply, config.operation.path, tokenId));
    }
    // logError has logged it.
    if (isServerError({ status: request.outcome, httpStatus: reply.statusCode })) return;
    const line = { requestId: request.id, path, status: request.outcome, durationMs: reply.elapsedTime };
    if (request.outcome === "OK") log.debug(line, "a request succeeded");
    else log.info(line, "a request was rejected");
  }

  /** Records a request to an unknown path, or by a wrong method, if it has the credentials of a workspace. */
  async #recordUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authentication } = this.#options;
    if (!request.error || !authentication.hasApiKey(request.headers)) return;
    const found = await authentication.authenticate(request.headers, request.ip).catch(() => undefined);
    if (!found) return;
    this.#recordRejected(found.workspace.id, toRecorded(request, reply, getPath(request.url), found.token.id));
  }

  #recordRejected(workspaceId: string, recorded: RecordedRequest): void {
    if (!this.#rejectionsByClient.take(getClient(recorded.clientAddress))) return;
    if (!this.#rejectionsByWorkspace.take(workspaceId)) return;
    this.#options.recordRequest(workspaceId, recorded, true);
  }
}

function toRecorded(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  authTokenId: string | null,
): RecordedRequest {
  const { outcome, error, failedItems, user } = request;
  const limit = error && getLimit(error);
  // What follows a colon may quote the body.
  const told = error?.reason === "body_invalid" ? error.message.split(":", 1)[0] : error?.message;
  const message = told ?? failedItems?.message;
  return {
    requestId: request.id,
    timestamp: Date.now(),
    operation: toLoggedText(operation, MAX_NAME_LENGTH),
    status: failedItems?.isEvery ? ITEMS_FAILED : outcome,
    reason: error?.reason ?? null,
    message: message === undefined ? null : toLoggedText(message, MAX_MESSAGE_LENGTH),
    httpStatus: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    organizationId: getOrganizationId(request.body),
    authTokenId,
    clientAddress: request.ip,
    ...(limit && { limit }),
    ...(limit && user && { userId: user.userId }),
  };
}

function getOrganizationId(body: unknown): string | null {
  const data = isObject(body) ? body.data : undefined;
  const organizationId = isObject(data) ? data.organizationId : undefined;
  return typeof organizationId === "string" && isIdentifier(organizationId) ? organizationId : null;
}

/** Shortens a text, and replaces what PostgreSQL cannot read in JSON, which would make the whole log unreadable. */
function toLoggedText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll("\0", "\ufffd");
}
