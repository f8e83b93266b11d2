import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { RecordAuditEntries } from "../contract/audit.ts";
import { clientOf } from "../contract/client-address.ts";
import { nextTurn } from "../contract/next-turn.ts";
import { type Context, type Operation, type PublicContext, pathsOf } from "../contract/operation.ts";
import type { Database } from "../database/database.ts";
import type { FairSemaphore, Permit } from "../database/fair-semaphore.ts";
import { ACCEPTED, acceptedBody, DEFAULT_PAGE_TOKEN_NAMES, JSON_TYPE, successBody } from "./answer.ts";
import { auditorOf } from "./auditor.ts";
import { compileAnswerCheck } from "./check-answer.ts";
import { compileEndUserRule, type EndUserChecks, type FindRoles } from "./end-user-rule.ts";
import { type CallerOptions, findCaller, workspaceOfCredentials } from "./find-caller.ts";
import type { PageTokens } from "./page-token.ts";
import { compileValidation } from "./validation.ts";

export interface OperationRoutesOptions extends CallerOptions {
  operations: readonly Operation[];
  /** Dependencies of every operation, in addition to its caller and its cursor. */
  context: Omit<Context, "database" | "workspace" | "session" | "tokenId" | "user" | "cursor" | "log" | "audit"> & {
    database: Database;
  };
  recordAuditEntries: RecordAuditEntries;
  findRoles: FindRoles;
  pageTokens: PageTokens;
  log: Logger;
  /** Limits the requests in progress, by workspace. */
  admission: FairSemaphore;
  /** Whether every answer is checked against its schema, for development and tests. */
  checkAnswers: boolean;
}

/** Adds the routes of all operations. A request takes part in the limits until `releaseLimits` or its answer. */
export function addOperationRoutes(server: FastifyInstance, options: OperationRoutesOptions): void {
  for (const operation of options.operations) addRoutes(server, operation, options);
}

function addRoutes(server: FastifyInstance, operation: Operation, options: OperationRoutesOptions): void {
  // Compiled on first use; compiling all operations would add 0.1 s to a start, and 0.2 s in tests.
  let validate: ReturnType<typeof compileValidation> | undefined;
  let check: ReturnType<typeof compileAnswerCheck> | undefined;
  let endUserChecks: EndUserChecks | undefined;
  const run = operationRunner(operation, options);

  /** Returns the valid data of the request. A user must also meet the rule of the operation for users. */
  async function dataOf({ body, user, workspace }: FastifyRequest): Promise<object> {
    validate ??= compileValidation(operation.request);
    if (!user) return validate(body);
    if (!workspace || operation.authentication === "none" || !operation.endUsers) throw new Error("no user may call");
    endUserChecks ??= compileEndUserRule(operation.endUsers, options.findRoles);
    await endUserChecks.prepare(body, user);
    const data = await validate(body);
    await endUserChecks.authorize(data, { workspace, user });
    return data;
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    request.permit ??= await admit(request, options.admission);
    try {
      const data = await dataOf(request);
      if (request.bodyClaim?.isLarge) await nextTurn();
      const body = await run(request, reply, data);
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
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (operation.authentication !== "none") await findCaller({ request, reply, operation }, options);
  }

  const config = { operation };
  const onRequest = [authenticate, admitEarly];
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

/** Returns the function that runs the operation and returns the body of the answer. */
function operationRunner(operation: Operation, options: OperationRoutesOptions) {
  const { context, pageTokens, log, recordAuditEntries } = options;
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
    const { database, jobs, secrets, userTokenKeys } = context;
    return async (request: FastifyRequest, reply: FastifyReply, data: object) => {
      const authenticate: PublicContext["authenticate"] = (credentials, scope) =>
        workspaceOfCredentials({ request, reply, scope }, credentials, options);
      const given = { database, jobs, secrets, userTokenKeys, clientAddress: request.ip, authenticate };
      return bodyOf(await operation.handle(given, data), () => "");
    };
  }
  return async (request: FastifyRequest, _: FastifyReply, data: object) => {
    const { workspace, session, tokenId, user } = request;
    if (!workspace) throw new Error("a request came past its authentication");
    const scope = { workspaceId: workspace.id, path, request: data };
    const token = operation.cursor && "pageToken" in data ? data.pageToken : undefined;
    const cursor = typeof token === "string" ? pageTokens.open(scope, token) : undefined;
    const audit = auditorOf(operation, recordAuditEntries, request);
    const database = context.database.ofGroup(workspace.id);
    const answer = await operation.handle(
      { ...context, database, log, audit, workspace, session, tokenId, user, cursor },
      data,
    );
    return bodyOf(answer, (next) => pageTokens.seal(scope, next));
  };
}
