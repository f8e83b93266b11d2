import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { RecordAuditEntries } from "../contract/audit.ts";
import type { AccessRole, EndUser } from "../contract/end-user.ts";
import { ServiceError } from "../contract/errors.ts";
import type { KeyedDatabase, KeyedRequest, RespondOnce } from "../contract/keyed-request.ts";
import {
  type AuthenticatedOperation,
  type Context,
  getPaths,
  type Operation,
  type PublicContext,
  type Workspace,
} from "../contract/operation.ts";
import type { Database } from "../database/database.ts";
import type { FairSemaphore } from "../database/fair-semaphore.ts";
import type { Queryable } from "../database/statement.ts";
import { getAuditor } from "./auditor.ts";
import { compileResponseCheck } from "./check-response.ts";
import type { FindRoles } from "./end-user-rule.ts";
import { countSucceeded, failedItemsFinder } from "./failed-items.ts";
import { type CallerOptions, findCaller, findWorkspaceByCredentials } from "./find-caller.ts";
import { keyedRequest, REPLAYED_HEADER } from "./idempotency-key.ts";
import type { OpenStreams } from "./open-streams.ts";
import { getDefaults, type PageTokens } from "./page-token.ts";
import { getWorkspace, RequestChecks } from "./request-checks.ts";
import { admit, getMember, releaseLimits, unknownCaller } from "./request-limits.ts";
import { ACCEPTED, acceptedBody, DEFAULT_PAGE_TOKEN_NAMES, JSON_TYPE, successBody } from "./response.ts";
import { ReturnedFields } from "./returned-fields.ts";

/** Fields of the context that say who calls. */
type CallerField = "workspace" | "session" | "actor" | "user";

/** What differs in the context of a request with an Idempotency-Key, whose transaction ends after the operation. */
type KeyedContext = KeyedDatabase & Pick<Context, "workspaceChanged">;

export interface OperationRoutesOptions extends CallerOptions {
  operations: readonly Operation[];
  /** Dependencies of every operation, in addition to its caller and its cursor. */
  context: Omit<Context, "database" | "earlyReads" | "cursor" | "audit" | "log" | "waitOutside" | CallerField> & {
    database: Database;
  };
  recordAuditEntries: RecordAuditEntries;
  respondOnce: RespondOnce;
  findRoles: FindRoles;
  /** Returns the cursor of an organization's event log, if it is written. */
  findEventCursor(database: Queryable, workspace: Workspace, organizationId: string): Promise<string | undefined>;
  pageTokens: PageTokens;
  log: Logger;
  /** Limits the requests in progress. */
  admission: FairSemaphore;
  /** Whether every response is checked against its schema, for development and tests. */
  checkResponses: boolean;
  /** Counts the requests that wait for events; undefined if they are counted already. */
  openStreams?: OpenStreams | undefined;
}

/** Adds the routes of all operations. A request counts to the limits until `releaseLimits` or its response. */
export function addOperationRoutes(server: FastifyInstance, options: OperationRoutesOptions): void {
  for (const operation of options.operations) addRoutes(server, operation, options);
}

function addRoutes(server: FastifyInstance, operation: Operation, options: OperationRoutesOptions): void {
  let check: ReturnType<typeof compileResponseCheck> | undefined;
  const requests = new RequestChecks(operation, options.findRoles);
  const findFailedItems = failedItemsFinder(operation);
  const run = operationRunner(operation, options, findFailedItems);
  const returned = operation.returned && new ReturnedFields(operation.returned, options.findRoles);

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const admitted = admit(request, options.admission);
    if (admitted) await admitted;
    try {
      const data = await getValid(request, reply);
      if (request.user) {
        countRecords(request, request.user, data);
        await requests.authorize(request, data);
      }
      const keyed = keyedRequest(request, operation);
      const body = keyed ? await runKeyed(keyed, request, reply, data) : checked(await run(request, reply, data));
      return reply
        .code(operation.isAsynchronous ? ACCEPTED : 200)
        .header("content-type", JSON_TYPE)
        .header("cache-control", "no-store")
        .send(body);
    } finally {
      releaseLimits(request);
    }
  }

  /** Returns the valid data of a request, without fields that were sent as they had been returned. */
  async function getValid(request: FastifyRequest, reply: FastifyReply): Promise<object> {
    try {
      return requests.validate(request, request.body);
    } catch (error) {
      if (!returned?.mayRead(request) || operation.authentication === "none") throw error;
      const read = (by: AuthenticatedOperation) => buildContext({ request, reply, operation: by }, options);
      await returned.leaveOut(request, requests, read);
      return requests.validate(request, request.body);
    }
  }

  /** Counts what a request of a user adds, besides the record for which the request itself was counted. */
  function countRecords(request: FastifyRequest, user: EndUser, data: object): void {
    if (operation.authentication === "none" || !operation.endUsers?.adds) return;
    options.rates?.countRecords({ workspace: getWorkspace(request), user }, operation, requests.countAdded(data));
  }

  /** Checks the body of a response, if every response is checked, and returns it. */
  function checked(body: string | Buffer): string | Buffer {
    if (options.checkResponses) {
      check ??= compileResponseCheck(operation);
      check(body);
    }
    return body;
  }

  /** Returns the response of the operation, or the one that was kept for the Idempotency-Key. */
  async function runKeyed(
    keyed: KeyedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    data: object,
  ): Promise<string | Buffer> {
    const database = options.context.database.forMember(getMember(request));
    let isWorkspaceChanged = false;
    const workspaceChanged = () => {
      isWorkspaceChanged = true;
    };
    try {
      const { body, isRepeated } = await options.respondOnce(database, keyed, async (given) =>
        checked(await run(request, reply, data, { ...given, workspaceChanged })),
      );
      if (isRepeated) {
        reply.header(REPLAYED_HEADER, "true");
        request.failedItems = findFailedItems?.(JSON.parse(body.toString()).result?.data);
      }
      return body;
    } finally {
      if (isWorkspaceChanged) options.context.workspaceChanged();
    }
  }

  /** Finds the caller, unless anybody may call. A body in the same packet as its headers has arrived after that. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (operation.deprecatedOn) reply.header("deprecation", `@${Date.parse(operation.deprecatedOn) / 1000}`);
    if (operation.authentication !== "none") await findCaller({ request, reply, operation }, options);
  }

  const route = { method: "POST", config: { operation }, onRequest: authenticate, handler: handle } as const;
  for (const url of getPaths(operation)) server.route({ ...route, url });
}

/** Returns the function that runs the operation and returns the body of the response. */
function operationRunner(
  operation: Operation,
  options: OperationRoutesOptions,
  findFailedItems: ReturnType<typeof failedItemsFinder>,
) {
  const { context, pageTokens, recordAuditEntries, findEventCursor } = options;
  const {
    path,
    message,
    pageTokenNames = DEFAULT_PAGE_TOKEN_NAMES,
    isLastPageTokenNull = false,
    isAsynchronous = false,
    hasEventCursor = false,
    hasAccessRole = false,
  } = operation;

  function buildBody(
    response: unknown,
    sign: (next: unknown) => string,
    added: { eventCursor?: string | undefined; accessRole?: AccessRole | undefined } = {},
  ): string | Buffer {
    if (isAsynchronous) return acceptedBody(message, response);
    return successBody({ message, data: response, ...added, pageTokenNames, isLastPageTokenNull, sign });
  }

  if (operation.authentication === "none") {
    const { jobs, secrets, userTokenKeys, events, workspaceChanged, host } = context;
    return async (request: FastifyRequest, reply: FastifyReply, data: object) => {
      const authenticate: PublicContext["authenticate"] = async (credentials, scope) => {
        // A guess of credentials waits, so it has no place meanwhile.
        request.permit?.release();
        const workspace = await findWorkspaceByCredentials({ request, reply, scope }, credentials, options);
        await admit(request, options.admission);
        return workspace;
      };
      const audit = getAuditor(operation, recordAuditEntries, request);
      const dependencies = { jobs, secrets, userTokenKeys, events, workspaceChanged, host, audit };
      const database = context.database.forMember(unknownCaller(request.ip));
      const given = { ...dependencies, database, clientAddress: request.ip, authenticate };
      return buildBody(await operation.handle(given, data), () => "");
    };
  }
  const defaults = operation.cursor ? getDefaults({ ...operation.request }) : undefined;
  return async (request: FastifyRequest, reply: FastifyReply, data: object, keyed?: KeyedContext) => {
    const given = buildContext({ request, reply, operation }, options, keyed);
    const { workspace, database } = given;
    const scope = { workspaceId: workspace.id, path, request: data, ...(defaults && { defaults }) };
    const token = operation.cursor && "pageToken" in data ? data.pageToken : undefined;
    const cursor = typeof token === "string" ? pageTokens.verifyOrThrow(scope, token) : undefined;
    const isPositioned = hasEventCursor && cursor === undefined && "organizationId" in data;
    const eventCursor = isPositioned
      ? await findEventCursor(database, workspace, String(data.organizationId))
      : undefined;
    given.cursor = cursor;
    const response = await operation.handle(given, data);
    request.failedItems = findFailedItems?.(response);
    if (operation.endUsers?.countsChanged && request.user) {
      options.rates?.countRecords({ workspace, user: request.user }, operation, countSucceeded(response));
    }
    const accessRole = hasAccessRole ? request.accessRole : undefined;
    return buildBody(response, (next) => pageTokens.sign(scope, next), { eventCursor, accessRole });
  };
}

/** An operation that a caller calls. */
interface OperationCall {
  request: FastifyRequest;
  reply: FastifyReply;
  operation: AuthenticatedOperation;
}

/** Returns the dependencies of an operation for a call, without a cursor. */
export function buildContext(call: OperationCall, options: OperationRoutesOptions, keyed?: KeyedContext): Context {
  const { context, log, recordAuditEntries } = options;
  const { request, operation } = call;
  const { session, actor, user } = request;
  const workspace = getWorkspace(request);
  const database = context.database.forMember(getMember(request));
  const audit = getAuditor(operation, recordAuditEntries, request);
  const waitOutside = createWaitOutside(call, options);
  return {
    ...context,
    ...{ workspace, session, actor, user, database, earlyReads: database },
    ...{ log, audit, waitOutside, cursor: undefined },
    ...keyed,
  };
}

/**
 * Returns the function that waits while other requests take the place of this one. After that, the caller must still be
 * one who may call: credentials may have been revoked meanwhile.
 */
function createWaitOutside(call: OperationCall, options: OperationRoutesOptions): Context["waitOutside"] {
  const { request } = call;
  return async (waiting) => {
    const leave = options.openStreams?.enter(getWorkspace(request), request.user);
    releaseLimits(request);
    const result = await whileConnected(request, waiting).finally(leave);
    await findCaller(call, { ...options, rates: undefined });
    return result;
  };
}

/** Throws as soon as the client disconnects. */
function whileConnected<Result>({ raw: { socket } }: FastifyRequest, waiting: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new ServiceError("overloaded", "The client has disconnected."));
    if (socket.destroyed) return onClose();
    socket.on("close", onClose);
    const settle = (end: () => void) => {
      socket.off("close", onClose);
      end();
    };
    waiting.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
