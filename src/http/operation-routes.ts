import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { RecordAuditEntries } from "../contract/audit.ts";
import { clientOf } from "../contract/client-address.ts";
import { nextTurn } from "../contract/next-turn.ts";
import { type Context, type Operation, pathsOf } from "../contract/operation.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Database } from "../database/database.ts";
import type { FairSemaphore, Permit } from "../database/fair-semaphore.ts";
import { ACCEPTED, acceptedBody, DEFAULT_PAGE_TOKEN_NAMES, JSON_TYPE, successBody } from "./answer.ts";
import { auditorOf } from "./auditor.ts";
import type { Authentication } from "./authentication.ts";
import { compileAnswerCheck } from "./check-answer.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import type { PageTokens } from "./page-token.ts";
import type { RequestRates } from "./request-rates.ts";
import type { SessionAuthentication } from "./session-authentication.ts";
import { compileValidation } from "./validation.ts";

export interface OperationRoutesOptions {
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
  log: Logger;
  /** Limits the requests per second of a workspace; undefined for no limit. */
  rates?: RequestRates | undefined;
  /** Limits the requests in progress, by workspace. */
  admission: FairSemaphore;
  /** Whether every answer is checked against its schema, for development and tests. */
  checkAnswers: boolean;
}

type Authenticate = (request: FastifyRequest, reply: FastifyReply, scope: Scope) => Promise<void>;

/** Adds the routes of all operations. A request takes part in the limits until `releaseLimits` or its answer. */
export function addOperationRoutes(server: FastifyInstance, options: OperationRoutesOptions): void {
  const authenticate = authenticator(options);
  for (const operation of options.operations) addRoutes(server, operation, options, authenticate);
}

function addRoutes(
  server: FastifyInstance,
  operation: Operation,
  options: OperationRoutesOptions,
  authenticate: Authenticate,
): void {
  // Compiled on first use; compiling all operations would add 0.1 s to a start, and 0.2 s in tests.
  let validate: ReturnType<typeof compileValidation> | undefined;
  let check: ReturnType<typeof compileAnswerCheck> | undefined;
  const run = operationRunner(operation, options);

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.permit ??= await admit(request, options.admission);
    try {
      validate ??= compileValidation(operation.request);
      const data = await validate(request.body);
      if (request.bodyClaim?.isLarge) await nextTurn();
      const body = await run(request, data);
      if (options.checkAnswers) {
        check ??= compileAnswerCheck(operation);
        check(body);
      }
      return reply
        .code(operation.isAsynchronous ? ACCEPTED : 200)
        .headers({ "content-type": JSON_TYPE, "cache-control": "no-store" })
        .send(body);
    } finally {
      releaseLimits(request);
    }
  }

  /** Lets a request wait before its body is parsed, unless the client is still sending it. */
  async function admitEarly(request: FastifyRequest): Promise<void> {
    if (request.raw.complete) request.permit = await admit(request, options.admission);
  }

  /** Finds the caller, unless anybody may call. */
  async function findCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (operation.authentication !== "none") await authenticate(request, reply, operation.scope);
  }

  const config = { operation };
  const onRequest = [findCaller, admitEarly];
  for (const url of pathsOf(operation)) server.route({ method: "POST", url, config, onRequest, handler: handle });
}

/** Groups requests by workspace, and public requests by client address. */
function admit({ workspace, ip, raw }: FastifyRequest, admission: FairSemaphore): Promise<Permit> | Permit {
  return admission.acquire(workspace?.id ?? clientOf(ip), () => raw.socket.destroyed);
}

/** Gives back what the request has taken of the limits. */
export function releaseLimits(request: FastifyRequest): void {
  request.bodyClaim?.release();
  request.permit?.release();
}

/** Authenticates by the headers, or by the session cookie if there is no API key. */
function authenticator({ authentication, sessions, crossOrigin, rates }: OperationRoutesOptions): Authenticate {
  return async (request, reply, scope) => {
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
function operationRunner(
  operation: Operation,
  { context, pageTokens, log, recordAuditEntries }: OperationRoutesOptions,
) {
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
