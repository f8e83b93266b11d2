import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { AuthenticatedOperation, Workspace } from "../contract/operation.ts";
import type { Scope } from "../contract/scopes.ts";
import { type AuthenticatedCaller, type Authentication, requireScope } from "./authentication.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import type { RequestRates } from "./request-rates.ts";
import type { SessionAuthentication } from "./session-authentication.ts";
import { getUserToken, type UserTokenAuthentication } from "./user-token-authentication.ts";

export interface CallerOptions {
  authentication: Authentication;
  sessions: SessionAuthentication;
  userTokens: UserTokenAuthentication;
  crossOrigin: CrossOrigin;
  /** Limits the requests of callers; undefined if they are counted already. */
  rates?: RequestRates | undefined;
}

/** An operation that is called. */
interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  operation: AuthenticatedOperation;
}

/**
 * Finds the caller of a request and sets it. Throws, or rejects, if the caller may not call the operation, or not so
 * often.
 */
export function findCaller(call: Call, options: CallerOptions): Promise<void> {
  const { request, reply, operation } = call;
  const { authorization, cookie, origin } = request.headers;
  // Most callers are backends that have called before, for which nothing has to be awaited.
  const isBackend = authorization === undefined && cookie === undefined && origin === undefined;
  const caller = isBackend ? options.authentication.cachedCaller(request.headers) : undefined;
  if (!caller) return lookUpCaller(call, options);
  setBackend(call, caller);
  admitBackend({ request, reply, scope: operation.scope }, caller, options);
  return Promise.resolve();
}

async function lookUpCaller(call: Call, options: CallerOptions): Promise<void> {
  const { request, reply, operation } = call;
  const { authentication, userTokens, rates } = options;
  const { headers } = request;
  const userToken = getUserToken(headers);
  if (userToken !== undefined) {
    if (authentication.hasAuthToken(headers)) throw ambiguous();
    const apiKey = authentication.getApiKey(headers);
    const { workspace, user } = await userTokens.authenticate({ token: userToken, apiKey, clientAddress: request.ip });
    request.workspace = workspace;
    await requireOrigin(call, workspace, options);
    request.user = user;
    if (rates) await rates.countUser({ workspace, user }, operation, reply);
    if (!operation.endUsers) throw backendOnly(operation);
    return;
  }
  if (headers.cookie !== undefined && !authentication.hasApiKey(headers)) {
    const signedIn = await options.sessions.authenticate(request);
    if (signedIn) {
      request.workspace = signedIn.workspace;
      request.session = signedIn.session;
      request.actor = { type: "session", id: signedIn.session.id, name: signedIn.session.ownerAddress };
      return rates?.count(request.workspace, reply);
    }
  }
  const caller = await authentication.authenticate(headers, request.ip);
  setBackend(call, caller);
  await requireOrigin(call, caller.workspace, options);
  admitBackend({ request, reply, scope: operation.scope }, caller, options);
}

/** Returns the workspace of credentials in the body of a request, after the checks of those in headers. */
export async function findWorkspaceByCredentials(
  call: ScopedCall,
  credentials: { apiKey: string; authToken: string },
  options: CallerOptions,
): Promise<Workspace> {
  const caller = await options.authentication.authenticateCredentials(credentials, call.request.ip);
  setBackend(call, caller);
  await requireOrigin(call, caller.workspace, options);
  admitBackend(call, caller, options);
  return caller.workspace;
}

/** A request that needs an auth token with the scope. */
interface ScopedCall extends Pick<Call, "request" | "reply"> {
  scope: Scope;
}

function setBackend({ request }: Pick<Call, "request">, { workspace, token, scopes }: AuthenticatedCaller): void {
  request.actor = token;
  request.workspace = workspace;
  request.scopes = scopes;
}

/** Throws if a backend may not call the operation, or not so often. */
function admitBackend(
  { request, reply, scope }: ScopedCall,
  caller: AuthenticatedCaller,
  options: CallerOptions,
): void {
  options.rates?.count(caller.workspace, reply);
  requireScope(caller, scope);
  rejectWebPages(request, caller.workspace);
}

/** Throws if the workspace does not allow the domain of the web page that calls. */
async function requireOrigin(
  { request, reply }: Pick<Call, "request" | "reply">,
  workspace: Workspace,
  { crossOrigin }: CallerOptions,
): Promise<void> {
  if (request.headers.origin !== undefined) await crossOrigin.requireAllowed(request, reply, workspace);
}

/** Throws if a web page calls with an auth token, which it must not contain, and the workspace forbids it. */
function rejectWebPages({ headers: { origin } }: FastifyRequest, { requireJwtToken }: Workspace): void {
  if (!requireJwtToken || origin === undefined) return;
  const message = "Web pages must call with a user token. Call from your backend instead.";
  throw new ServiceError("user_token_required", message);
}

function backendOnly({ path }: AuthenticatedOperation): ServiceError {
  return new ServiceError("backend_only", `User tokens cannot call ${path}. Call it from your backend.`);
}

function ambiguous(): ServiceError {
  return new ServiceError(
    "credentials_ambiguous",
    "The request has a Bearer token, which is a user token, and an auth token too. Send either the user token, or " +
      "the auth token with the API key, in x-service-auth-token and x-service-api-key.",
  );
}
