import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { AuthenticatedOperation, Workspace } from "../contract/operation.ts";
import type { Scope } from "../contract/scopes.ts";
import { type AuthenticatedCaller, type Authentication, requireScope } from "./authentication.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import type { RequestRates } from "./request-rates.ts";
import type { SessionAuthentication } from "./session-authentication.ts";
import { type UserTokenAuthentication, userTokenOf } from "./user-token-authentication.ts";

export interface CallerOptions {
  authentication: Authentication;
  sessions: SessionAuthentication;
  userTokens: UserTokenAuthentication;
  crossOrigin: CrossOrigin;
  /** Limits the requests per second of a workspace; undefined for no limit. */
  rates?: RequestRates | undefined;
}

/** Finds the caller of a request and sets it. Throws if the caller may not call the operation, or not so often. */
export async function findCaller(
  { request, reply, operation }: { request: FastifyRequest; reply: FastifyReply; operation: AuthenticatedOperation },
  options: CallerOptions,
): Promise<void> {
  const { authentication, userTokens, rates } = options;
  const { headers } = request;
  const userToken = userTokenOf(headers);
  if (userToken !== undefined) {
    if (authentication.hasCredentials(headers)) throw ambiguous();
    const { workspace, user } = await userTokens.authenticate(userToken, request.ip);
    await admitCaller(request, reply, workspace, options);
    if (!operation.endUsers) throw backendOnly(operation);
    request.user = user;
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
  request.tokenId = caller.token.id;
  await admitBackend({ request, reply, scope: operation.scope }, caller, options);
}

/** Returns the workspace of credentials in the body of a request, after the checks of those in headers. */
export async function workspaceOfCredentials(
  { request, reply, scope }: { request: FastifyRequest; reply: FastifyReply; scope: Scope },
  credentials: { apiKey: string; authToken: string },
  options: CallerOptions,
): Promise<Workspace> {
  const caller = await options.authentication.authenticateCredentials(credentials, request.ip);
  await admitBackend({ request, reply, scope }, caller, options);
  return caller.workspace;
}

/** Sets the caller of a request with an auth token. Throws if the caller may not call, or not so often. */
async function admitBackend(
  { request, reply, scope }: { request: FastifyRequest; reply: FastifyReply; scope: Scope },
  caller: AuthenticatedCaller,
  options: CallerOptions,
): Promise<void> {
  const { workspace, token } = caller;
  request.actor = { type: "token", ...token };
  await admitCaller(request, reply, workspace, options);
  requireScope(caller, scope);
  refuseInPages(request, workspace);
}

/** Throws if the page that calls is of no allowed domain of the workspace, or the workspace calls too often. */
async function admitCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  workspace: Workspace,
  { crossOrigin, rates }: CallerOptions,
): Promise<void> {
  request.workspace = workspace;
  if (request.headers.origin !== undefined) await crossOrigin.requireAllowed(request, reply, workspace);
  rates?.count(workspace, reply);
}

/** Throws if a page has called with an auth token, which it must not contain, and the workspace forbids it. */
function refuseInPages({ headers: { origin } }: FastifyRequest, { requireJwtToken }: Workspace): void {
  if (!requireJwtToken || origin === undefined) return;
  throw new ServiceError("user_token_required", "Pages must call with a user token. Call from your backend instead.");
}

function backendOnly({ path }: AuthenticatedOperation): ServiceError {
  return new ServiceError("backend_only", `User tokens cannot call ${path}. Call it from your backend.`);
}

function ambiguous(): ServiceError {
  return new ServiceError(
    "credentials_ambiguous",
    "The request has a user token, and an API key or auth token too. Send either the user token or the other two.",
  );
}
