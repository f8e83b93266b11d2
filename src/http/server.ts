import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { RecordAuditEntries } from "../contract/audit.ts";
import { MAX_PUBLIC_BODY_BYTES } from "../contract/body-limit.ts";
import { clientOf } from "../contract/client-address.ts";
import { type ErrorStatus, FAILURES, ServiceError } from "../contract/errors.ts";
import { nextTurn } from "../contract/next-turn.ts";
import { type Context, type Operation, pathsOf, type Session, type Workspace } from "../contract/operation.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Database } from "../database/database.ts";
import type { FairSemaphore, Permit } from "../database/fair-semaphore.ts";
import { ACCEPTED, acceptedBody, DEFAULT_PAGE_TOKEN_NAMES, errorBody, JSON_TYPE, successBody } from "./answer.ts";
import { auditorOf } from "./auditor.ts";
import type { Authentication } from "./authentication.ts";
import { registerBodyParser } from "./body-parser.ts";
import { compileAnswerCheck } from "./check-answer.ts";
import { closeConnectionsOnClose } from "./closing.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import { asServiceError } from "./failure.ts";
import { headerFault, refuseConnect, refuseMalformedHttp, refuseUnmetExpectations } from "./malformed-http.ts";
import type { Metrics } from "./metrics.ts";
import { OverloadRefusals } from "./overload-refusals.ts";
import type { PageTokens } from "./page-token.ts";
import { limitHandledRequests } from "./request-gate.ts";
import { isFault, logFailure, recordAnswer } from "./request-log.ts";
import type { RequestRates } from "./request-rates.ts";
import type { SessionAuthentication } from "./session-authentication.ts";
import { lingerOnUnreadBodies } from "./unread-body.ts";
import { UnsentAnswers } from "./unsent-answers.ts";
import { compileValidation } from "./validation.ts";

declare module "fastify" {
  interface FastifyInstance {
    overloadRefusals: OverloadRefusals;
  }
  interface FastifyRequest {
    /** Workspace of the caller, set by the authentication. */
    workspace?: Workspace;
    session?: Session;
    /** ID of the caller's auth token. */
    tokenId?: string;
    /** Permit to be in progress. */
    permit?: Permit;
    /** Status of the answer. */
    outcome: ErrorStatus | "OK";
  }
  interface FastifyContextConfig {
    /** Operation of the route; absent for pages and probes. */
    operation?: Operation;
  }
}

export interface ServerOptions {
  operations: readonly Operation[];
  /** Dependencies of every operation, in addition to its caller and its cursor. */
  context: Omit<Context, "database" | "workspace" | "session" | "tokenId" | "cursor" | "log" | "audit"> & {
    database: Database;
  };
  recordAuditEntries: RecordAuditEntries;
  authentication: Authentication;
  sessions: SessionAuthentication;
  crossOrigin: CrossOrigin;
  pageTokens: PageTokens;
  metrics: Metrics;
  log: Logger;
  /** Limits the requests per second of a workspace; undefined for no limit. */
  rates?: RequestRates | undefined;
  /** Limits the memory of request bodies. */
  bodies: Config["limits"]["bodies"];
  /** Limits the requests in progress, by workspace. */
  admission: FairSemaphore;
  /** Whether every answer is checked against its schema, for development and tests. */
  checkAnswers: boolean;
}

const NOSNIFF = { "x-content-type-options": "nosniff" };

/** Time by which the limit of an idle connection is longer than that of a request, which is answered. */
const IDLE_MORE_MS = 10_000;

/** Creates an HTTP server without routes, which does not listen yet. */
export function createServer(
  config: Pick<Config, "trustProxy" | "limits" | "maxConcurrentRequests" | "authHeaderBrands">,
  log: Logger,
): FastifyInstance {
  const { trustProxy, limits } = config;
  const { maxMs, checkIntervalMs } = limits.receiving;
  const server = Fastify({
    bodyLimit: MAX_PUBLIC_BODY_BYTES,
    requestTimeout: maxMs,
    // Ends what the other limits do not: connections without any progress, such as those that do not read answers.
    connectionTimeout: maxMs + IDLE_MORE_MS,
    trustProxy,
    genReqId: (request) => requestId(request.headers["x-request-id"]),
    clientErrorHandler: refuseMalformedHttp,
    // Node's own answer to a missing Host header has no body.
    http: { requireHostHeader: false, headersTimeout: maxMs, connectionsCheckingInterval: checkIntervalMs },
    // Runs before the hooks, which would set the request ID. A path that cannot be decoded is none of an operation.
    frameworkErrors: (error, request, reply) => {
      const failure = error.code === "FST_ERR_BAD_URL" ? unknownOperation() : asServiceError(error, request.id);
      return answerError(request, reply.headers({ "x-request-id": request.id, ...NOSNIFF }), failure);
    },
    // A request that arrives during a stop is answered as any other.
    return503OnClosing: false,
    // Operations have their own validation. Loading the compilers of Fastify would take 0.04 s and 3 MB at each start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  });
  const overloadRefusals = new OverloadRefusals(log);
  server.decorate("overloadRefusals", overloadRefusals);
  limitHandledRequests(server.server, { ...config, countRefusal: () => overloadRefusals.count() });
  refuseUnmetExpectations(server.server);
  refuseConnect(server.server);
  lingerOnUnreadBodies(server);
  new UnsentAnswers(limits.unsentAnswers).register(server);
  closeConnectionsOnClose(server);
  return server;
}

/** Adds the operations, and the error handling of all routes. */
export async function registerOperations(server: FastifyInstance, options: ServerOptions): Promise<void> {
  server.decorateRequest("workspace");
  server.decorateRequest("session");
  server.decorateRequest("tokenId");
  server.decorateRequest("permit");
  server.decorateRequest("actor");
  server.decorateRequest("outcome", "OK");
  registerBodyParser(server, options.bodies);
  server.addHook("onRequest", (request, reply, done) => {
    reply.headers({ "x-request-id": request.id, ...NOSNIFF });
    const fault = headerFault(request.raw);
    // Node closes the connection after the answer.
    if (fault) reply.header("connection", "close");
    done(fault);
  });
  const paths = new Set(options.operations.flatMap(pathsOf));
  /** Ignores the HTTP method. */
  const isForOperation = ({ url, routeOptions }: FastifyRequest) =>
    routeOptions.config.operation !== undefined || paths.has(url.split("?", 1)[0] ?? "");
  server.setErrorHandler((error, request, reply) => {
    release(request);
    const failure = asServiceError(error, request.id);
    if (failure.reason === "overloaded") {
      // A request whose client has disconnected while it waited was not refused.
      if (!request.raw.socket.destroyed) server.overloadRefusals.count();
    } else if (isFault(failure)) logFailure(options.log, { request, reply, failure });
    return answerError(request, reply, failure);
  });
  function refuseUnrouted(request: FastifyRequest, reply: FastifyReply): never {
    if (isForOperation(request)) refuseMethod(reply);
    throw unknownOperation();
  }
  server.setNotFoundHandler(refuseUnrouted);
  await options.crossOrigin.register(server, isForOperation);
  // Refuses requests without a route before Fastify checks them by the rules of their method.
  server.addHook("onRequest", async (request, reply) => {
    if (request.is404) refuseUnrouted(request, reply);
  });
  await server.register(cookie);
  server.addHook("onResponse", (request, reply, done) => {
    recordAnswer(request, reply, options);
    done();
  });
  const routeOptions = { ...options, authenticate: authenticator(options) };
  for (const operation of options.operations) addRoutes(server, operation, routeOptions);
}

function noCompiler(): never {
  throw new Error("no route has a schema for Fastify");
}

interface RouteOptions extends ServerOptions {
  authenticate(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<void>;
}

function addRoutes(server: FastifyInstance, operation: Operation, options: RouteOptions): void {
  // Compiled on first use; compiling all operations would add 0.1 s to a start, and 0.2 s in tests.
  let validate: ReturnType<typeof compileValidation> | undefined;
  let check: ReturnType<typeof compileAnswerCheck> | undefined;
  const work = workOf(operation, options);

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.permit ??= await admit(request, options.admission);
    try {
      validate ??= compileValidation(operation.request);
      const data = await validate(request.body);
      if (request.bodyClaim?.isLarge) await nextTurn();
      const body = await work(request, data);
      if (options.checkAnswers) {
        check ??= compileAnswerCheck(operation);
        check(body);
      }
      return reply
        .code(operation.isAsynchronous ? ACCEPTED : 200)
        .headers({ "content-type": JSON_TYPE, "cache-control": "no-store" })
        .send(body);
    } finally {
      release(request);
    }
  }

  /** Lets a request wait before its body is parsed, unless the client is still sending it. */
  async function admitEarly(request: FastifyRequest): Promise<void> {
    if (request.raw.complete) request.permit = await admit(request, options.admission);
  }

  const config = { operation };
  const onRequest = [authenticate, admitEarly];
  /** Finds the caller, unless anybody may call. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (operation.authentication !== "none") await options.authenticate(request, reply, operation.scope);
  }
  for (const url of pathsOf(operation)) server.route({ method: "POST", url, config, onRequest, handler: handle });
}

/** Public requests of a client are a group, as all requests of a workspace are. */
function admit({ workspace, ip, raw }: FastifyRequest, admission: FairSemaphore): Promise<Permit> | Permit {
  return admission.acquire(workspace?.id ?? clientOf(ip), () => raw.socket.destroyed);
}

/** Gives back what the request has taken of the limits. */
function release(request: FastifyRequest): void {
  request.bodyClaim?.release();
  request.permit?.release();
}

/** Authenticates by the headers, or by the session cookie if there is no API key. */
function authenticator({ authentication, sessions, crossOrigin, rates }: ServerOptions) {
  return async (request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<void> => {
    const { headers } = request;
    if (headers.cookie !== undefined && !authentication.hasApiKey(headers)) {
      const signedIn = await sessions.authenticate(request);
      if (signedIn) {
        request.workspace = signedIn.workspace;
        request.session = signedIn.session;
        request.actor = { type: "session", id: signedIn.session.id, name: signedIn.session.ownerAddress };
        return rates?.count(request.workspace, reply);
      }
    }
    const { workspace, token } = await authentication.authenticate(headers, request.ip, scope);
    request.workspace = workspace;
    request.tokenId = token.id;
    request.actor = { type: "token", ...token };
    if (headers.origin !== undefined) await crossOrigin.requireAllowed(request, reply, request.workspace);
    rates?.count(request.workspace, reply);
  };
}

/** Returns the function that runs the operation and returns the body of the answer. */
function workOf(operation: Operation, { context, pageTokens, log, recordAuditEntries }: ServerOptions) {
  const {
    path,
    message,
    pageTokenNames = DEFAULT_PAGE_TOKEN_NAMES,
    isLastPageTokenNull = false,
    isAsynchronous = false,
  } = operation;

  function bodyOf(answer: unknown, seal: (next: unknown) => string): string | Buffer {
    if (isAsynchronous) return acceptedBody(message, answer);
    return successBody({ message, data: answer, pageTokenNames, isLastPageTokenNull, seal });
  }

  if (operation.authentication === "none") {
    const { database, jobs, secrets } = context;
    return async ({ ip }: FastifyRequest, data: object) =>
      bodyOf(await operation.handle({ database, jobs, secrets, clientAddress: ip }, data), () => "");
  }
  return async (request: FastifyRequest, data: object) => {
    const { workspace, session, tokenId } = request;
    if (!workspace) throw new Error("a request came past its authentication");
    const scope = { workspaceId: workspace.id, path, request: data };
    const token = operation.cursor && "pageToken" in data ? data.pageToken : undefined;
    const cursor = typeof token === "string" ? pageTokens.open(scope, token) : undefined;
    const audit = auditorOf(operation, recordAuditEntries, request);
    const database = context.database.ofGroup(workspace.id);
    const answer = await operation.handle(
      { ...context, database, log, audit, workspace, session, tokenId, cursor },
      data,
    );
    return bodyOf(answer, (next) => pageTokens.seal(scope, next));
  };
}

function unknownOperation(): ServiceError {
  return new ServiceError("operation_unknown", "There is no such operation. GET /docs lists all operations.");
}

function refuseMethod(reply: FastifyReply): never {
  reply.header("allow", "POST");
  throw new ServiceError("method_not_allowed", FAILURES.method_not_allowed.meaning);
}

/** Returns the caller's request ID if it is well-formed, so that the request can be found in both logs. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

function answerError(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
  request.outcome = error.status;
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return reply.code(error.httpStatus).type(JSON_TYPE).header("cache-control", "no-store").send(errorBody(error));
}
