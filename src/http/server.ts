import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { MAX_PUBLIC_BODY_BYTES } from "../contract/body-limit.ts";
import type { AccessRole, EndUser } from "../contract/end-user.ts";
import type { ErrorStatus } from "../contract/error-catalogue.ts";
import type { ServiceError } from "../contract/errors.ts";
import { getPaths, type Operation, type Session, type Workspace } from "../contract/operation.ts";
import type { RecordRequest } from "../contract/recorded-request.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Permit } from "../database/fair-semaphore.ts";
import { RejectedToken } from "./authentication.ts";
import { BodyBudget } from "./body-budget.ts";
import { closeConnectionsOnClose, closingSignal } from "./closing.ts";
import { Compression } from "./compression.ts";
import { addEventStream, type EventSource } from "./event-stream.ts";
import { EVENT_STREAM_PATH } from "./event-stream-path.ts";
import type { FailedItems } from "./failed-items.ts";
import { LimitRejections } from "./limit-rejections.ts";
import { findHeaderError, rejectConnect, rejectMalformedHttp, rejectUnmetExpectations } from "./malformed-http.ts";
import type { Metrics } from "./metrics.ts";
import { OpenStreams } from "./open-streams.ts";
import { addOperationRoutes, type OperationRoutesOptions } from "./operation-routes.ts";
import { OverloadRejections } from "./overload-rejections.ts";
import { registerBodyParser } from "./register-body-parser.ts";
import { releaseLimits } from "./request-limits.ts";
import { isServerError, logError, ResponseRecorder } from "./request-log.ts";
import { errorBody, JSON_TYPE } from "./response.ts";
import { asServiceError } from "./to-service-error.ts";
import { lingerOnUnreadBody } from "./unread-body.ts";
import { type AllowedMethods, getPath, getRouteError, unknownOperation } from "./unrouted.ts";
import { UnsentResponses } from "./unsent-responses.ts";

declare module "fastify" {
  interface FastifyInstance {
    allowedMethods: AllowedMethods;
    overloadRejections: OverloadRejections;
    limitRejections: LimitRejections;
    bodyBudget: BodyBudget;
    /** Aborts when the server begins to close. */
    closing: AbortSignal;
  }
  interface FastifyRequest {
    /** Workspace of the caller, set by the authentication. */
    workspace?: Workspace;
    session?: Session;
    /** Scopes of the auth token; undefined for sessions and users. */
    scopes?: readonly Scope[];
    /** Items of the response that failed. */
    failedItems?: FailedItems | undefined;
    /** Error that is the response. */
    error?: ServiceError;
    /** Why the auth token of the request was rejected. */
    rejectedToken?: RejectedToken;
    /** Caller with a user token. */
    user?: EndUser;
    /** Role of the user on the only document that the request names. */
    accessRole?: AccessRole | undefined;
    /** Permit to be in progress. */
    permit?: Permit;
    /** Status of the response. */
    outcome: ErrorStatus | "OK";
  }
  interface FastifyContextConfig {
    /** Operation of the route; absent for web pages and probes. */
    operation?: Operation;
  }
}

export interface ServerOptions extends OperationRoutesOptions {
  metrics: Metrics;
  recordRequest: RecordRequest;
  /** The source of the event stream. */
  events: EventSource;
}

const NOSNIFF = { "x-content-type-options": "nosniff" };

/** Time by which the limit of an idle connection exceeds that of a request, which gets a response when it times out. */
const IDLE_MORE_MS = 10_000;

/** Path of the WebSockets by which collaborative documents are synchronized with browsers. */
export const WEB_SOCKET_PATH = "/v2/crdt/sync";

/** HTTP server of a process. */
export type HttpServer = FastifyInstance;

/** Creates an HTTP server without routes, which does not listen yet. */
export function createServer({ trustProxy, limits }: Pick<Config, "trustProxy" | "limits">, log: Logger): HttpServer {
  const { maxMs, checkIntervalMs } = limits.receiving;
  const server: HttpServer = Fastify({
    bodyLimit: MAX_PUBLIC_BODY_BYTES,
    requestTimeout: maxMs,
    // Ends what the other limits do not: connections without any progress, such as those that do not read responses.
    connectionTimeout: maxMs + IDLE_MORE_MS,
    trustProxy,
    genReqId: (request) => requestId(request.headers["x-request-id"]),
    clientErrorHandler: (error, socket) => rejectMalformedHttp(error, socket, server.allowedMethods),
    // Node's own response to a missing Host header has no body.
    http: {
      requireHostHeader: false,
      headersTimeout: maxMs,
      connectionsCheckingInterval: checkIntervalMs,
      // Any other request to upgrade is handled as one without it.
      shouldUpgradeCallback: ({ url = "" }) =>
        server.server.listenerCount("upgrade") > 0 && url.split("?", 1)[0] === WEB_SOCKET_PATH,
    },
    // Runs before the hooks, which would set the request ID. A path that cannot be decoded is an unknown operation.
    frameworkErrors: (error, request, reply) => {
      const serviceError = error.code === "FST_ERR_BAD_URL" ? unknownOperation() : asServiceError(error, request.id);
      return respondWithError(request, reply.headers({ "x-request-id": request.id, ...NOSNIFF }), serviceError);
    },
    // A request that arrives during a stop is handled as any other.
    return503OnClosing: false,
    // Operations have their own validation. Loading the compilers of Fastify would take 0.04 s and 3 MB at each start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  });
  server.decorate("allowedMethods", new Map());
  server.decorate("closing", closingSignal(server));
  server.decorate("overloadRejections", new OverloadRejections(log));
  server.decorate("limitRejections", new LimitRejections());
  server.decorate("bodyBudget", new BodyBudget(limits.bodies));
  rejectUnmetExpectations(server.server);
  rejectConnect(server.server);
  const unsentResponses = new UnsentResponses(limits.unsentResponses);
  const isClosing = closeConnectionsOnClose(server);
  const compression = new Compression();
  server.addHook("onSend", (request, reply, payload, done) => {
    function send(body: unknown): void {
      const sent = unsentResponses.limit(request, reply, lingerOnUnreadBody(request, reply, body));
      // Fastify sets the header for requests that arrive during the stop, but not for those in progress.
      if (isClosing()) reply.header("connection", "close");
      done(null, sent);
    }
    const compressing = compression.compress(request, reply, payload);
    if (compressing) compressing.then(send).catch(done);
    else send(payload);
  });
  return server;
}

/** Adds the operations, and the error handling of all routes. */
export async function registerOperations(server: FastifyInstance, options: ServerOptions): Promise<void> {
  server.decorateRequest("workspace");
  server.decorateRequest("session");
  server.decorateRequest("scopes");
  server.decorateRequest("user");
  server.decorateRequest("accessRole");
  server.decorateRequest("permit");
  server.decorateRequest("actor");
  server.decorateRequest("bodyHash");
  server.decorateRequest("failedItems");
  server.decorateRequest("error");
  server.decorateRequest("rejectedToken");
  server.decorateRequest("outcome", "OK");
  registerBodyParser(server, server.bodyBudget);
  const { allowedMethods } = server;
  for (const path of options.operations.flatMap(getPaths)) allowedMethods.set(path, "POST");
  allowedMethods.set(EVENT_STREAM_PATH, "GET");
  /** Whether the URL is that of an operation, whatever the HTTP method. */
  const isForOperation = ({ url, routeOptions }: FastifyRequest) =>
    routeOptions.config.operation !== undefined || allowedMethods.has(getPath(url));
  server.setErrorHandler((error, request, reply) => {
    releaseLimits(request);
    const serviceError = asServiceError(error, request.id);
    server.limitRejections.count(serviceError);
    if (serviceError.reason === "overloaded") {
      // A request whose client has disconnected while it waited was not rejected.
      if (!request.raw.socket.destroyed) server.overloadRejections.count();
    } else if (isServerError(serviceError)) logError(options.log, { request, reply, error: serviceError });
    return respondWithError(request, reply, serviceError);
  });
  function rejectUnrouted(request: FastifyRequest, reply: FastifyReply): never {
    const { error, headers } = getRouteError(request.url, allowedMethods);
    reply.headers(headers);
    throw error;
  }
  server.setNotFoundHandler(rejectUnrouted);
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    const error = findHeaderError(request.raw);
    if (error) {
      // Node closes the connection after the response.
      reply.header("connection", "close");
      return done(error);
    }
    reply.header("vary", "Origin");
    /** Rejects requests without a route before Fastify checks them by the rules of their method. */
    function goOn(): void {
      if (request.is404) rejectUnrouted(request, reply);
      done();
    }
    if (request.headers.origin === undefined || !isForOperation(request)) return goOn();
    options.crossOrigin
      .applyCors(request, reply)
      .then((hasResponded) => hasResponded || goOn())
      .catch(done);
  });
  const responses = new ResponseRecorder(options);
  server.addHook("onResponse", (request, reply, done) => {
    responses.record(request, reply);
    done();
  });
  const openStreams = new OpenStreams(options.events.limits);
  addOperationRoutes(server, { ...options, openStreams });
  addEventStream(server, options.events, { ...options, openStreams });
}

function noCompiler(): never {
  throw new Error("no route has a schema for Fastify");
}

/** Returns the caller's request ID if it is well-formed, so that the request can be found in both logs. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

function respondWithError(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
  request.outcome = error.status;
  request.error = error;
  if (error instanceof RejectedToken) request.rejectedToken = error;
  // The response that the error replaces may have been compressed.
  reply.removeHeader("content-encoding");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return reply.code(error.httpStatus).type(JSON_TYPE).header("cache-control", "no-store").send(errorBody(error));
}
