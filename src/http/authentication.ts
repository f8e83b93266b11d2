import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import type { Scope } from "../contract/scopes.ts";
import { LastUses } from "./last-uses.ts";
import type { LookupCache, LookupCaches } from "./lookup-cache.ts";
import type { WrongCredentials } from "./wrong-credentials.ts";

interface CallerLookup {
  workspace: Workspace | undefined;
  /** `expiresAt` is in milliseconds since the epoch. */
  token:
    | { id: string; name: string; workspaceId: string; scopes: readonly Scope[]; expiresAt: number | undefined }
    | undefined;
}

interface AuthenticationOptions {
  /** Header prefixes. A request may use the headers of any of them. */
  headerPrefixes: string[];
  findCaller(hashes: { apiKeyHash: Buffer; authTokenHash: Buffer }, clientAddress: string): Promise<CallerLookup>;
  /** Returns the ID of a revoked token of the workspace. */
  findRevokedToken(workspaceId: string, authTokenHash: Buffer, clientAddress: string): Promise<string | undefined>;
  caches: LookupCaches;
  wrongCredentials: WrongCredentials;
}

/** Error of a request to a known workspace whose auth token is wrong. */
export class RejectedToken extends ServiceError {
  readonly workspaceId: string;
  /** ID of the token if it was revoked or has expired; null if it was never one of the workspace. */
  readonly tokenId: string | null;

  constructor(
    reason: "auth_token_invalid" | "auth_token_expired",
    message: string,
    { workspaceId, tokenId }: { workspaceId: string; tokenId: string | undefined },
  ) {
    super(reason, message);
    this.workspaceId = workspaceId;
    this.tokenId = tokenId ?? null;
  }
}

interface Caller {
  workspace: Workspace;
  token: { type: "token"; id: string; name: string };
  scopes: readonly Scope[];
  expiresAt: number | undefined;
}

/** Backend that has sent right credentials. */
export type AuthenticatedCaller = Pick<Caller, "workspace" | "token" | "scopes">;

/** API key and auth token as a caller sends them. */
interface Credentials {
  apiKey: string;
  authToken: string;
}

/** Returns the name of the header with the API key. */
export function apiKeyHeader(headerPrefix: string): string {
  return `x-${headerPrefix}-api-key`;
}

/** Returns the name of the header with the auth token. */
export function authTokenHeader(headerPrefix: string): string {
  return `x-${headerPrefix}-auth-token`;
}

/** Returns the names of the headers with credentials, for each header prefix. */
export function credentialHeaders(headerPrefixes: readonly string[]): string[] {
  return headerPrefixes.flatMap((headerPrefix) => [apiKeyHeader(headerPrefix), authTokenHeader(headerPrefix)]);
}

/**
 * Finds the workspace of a request by its API key and auth token. Both are looked up by their SHA-256, so the time that
 * a lookup takes reveals nothing about them.
 */
export class Authentication {
  /** Last uses of auth tokens, by token ID. */
  readonly uses = new LastUses();
  readonly #options: AuthenticationOptions;
  /** Names of the two headers, for each header prefix. */
  readonly #headers: readonly { apiKey: string; authToken: string }[];
  /** Callers by their credentials. */
  readonly #callers: LookupCache<Caller>;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#headers = options.headerPrefixes.map((headerPrefix) => ({
      apiKey: apiKeyHeader(headerPrefix),
      authToken: authTokenHeader(headerPrefix),
    }));
    this.#callers = options.caches.create();
  }

  /** Returns whether the headers contain an API key, with any header prefix. */
  hasApiKey(headers: IncomingHttpHeaders): boolean {
    return this.#headers.some(({ apiKey }) => headers[apiKey] !== undefined);
  }

  /** Returns the API key in the headers, with any header prefix, or undefined if it is missing or empty. */
  getApiKey(headers: IncomingHttpHeaders): string | undefined {
    for (const { apiKey } of this.#headers) {
      const value = headers[apiKey];
      if (typeof value === "string" && value !== "") return value;
    }
    return undefined;
  }

  /** Returns whether the headers contain an auth token, with any header prefix. */
  hasAuthToken(headers: IncomingHttpHeaders): boolean {
    return this.#headers.some(({ authToken }) => headers[authToken] !== undefined);
  }

  /** Returns the caller if the credentials are cached. Throws PERMISSION_DENIED if one is missing or expired. */
  cachedCaller(headers: IncomingHttpHeaders): AuthenticatedCaller | undefined {
    const cached = this.#callers.get(getKey(this.#credentials(headers)));
    return cached && this.#used(cached);
  }

  /**
   * Returns the workspace and token of the caller. Throws PERMISSION_DENIED if a credential is missing, wrong or
   * expired, and RESOURCE_EXHAUSTED if the client has sent too many wrong ones.
   */
  async authenticate(headers: IncomingHttpHeaders, clientAddress: string): Promise<AuthenticatedCaller> {
    return this.authenticateCredentials(this.#credentials(headers), clientAddress);
  }

  /** Authenticates credentials like those of headers. */
  async authenticateCredentials(sent: Credentials, clientAddress: string): Promise<AuthenticatedCaller> {
    const key = getKey(sent);
    const find = () => this.#options.wrongCredentials.lookUp(key, clientAddress, () => this.#find(sent, clientAddress));
    return this.#used(this.#callers.get(key) ?? (await this.#callers.lookUp(key, find)));
  }

  /** Records the use of a token. Throws PERMISSION_DENIED if it has expired. */
  #used(caller: Caller): Caller {
    const now = Date.now();
    if (caller.expiresAt !== undefined && caller.expiresAt <= now) {
      const rejected = { workspaceId: caller.workspace.id, tokenId: caller.token.id };
      throw new RejectedToken("auth_token_expired", "The auth token has expired. Create another one.", rejected);
    }
    this.uses.record(caller.token.id, now);
    return caller;
  }

  #credentials(headers: IncomingHttpHeaders): Credentials {
    const names = this.#headers.find(({ apiKey }) => headers[apiKey] !== undefined) ?? this.#headers[0];
    if (!names) throw new Error("no header prefix is configured");
    return { apiKey: requiredHeader(headers, names.apiKey), authToken: requiredHeader(headers, names.authToken) };
  }

  async #find({ apiKey, authToken }: Credentials, clientAddress: string): Promise<Caller> {
    const hashes = {
      apiKeyHash: hash("sha256", apiKey, "buffer"),
      authTokenHash: hash("sha256", authToken, "buffer"),
    };
    const { workspace, token } = await this.#options.findCaller(hashes, clientAddress);
    if (!workspace) throw new ServiceError("api_key_invalid", "The API key is invalid. Use that of your workspace.");
    if (!token || token.workspaceId !== workspace.id) {
      const tokenId = await this.#options.findRevokedToken(workspace.id, hashes.authTokenHash, clientAddress);
      const message = "The auth token is invalid, revoked or not of this workspace.";
      throw new RejectedToken("auth_token_invalid", message, { workspaceId: workspace.id, tokenId });
    }
    const { id, name, scopes, expiresAt } = token;
    return { workspace, token: { type: "token", id, name }, scopes, expiresAt };
  }
}

function getKey({ apiKey, authToken }: Credentials): string {
  return `${apiKey}\0${authToken}`;
}

function requiredHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ServiceError("credentials_missing", `Missing header ${name}.`);
}

/** Throws PERMISSION_DENIED if the token of a caller lacks the scope. */
export function requireScope({ token, scopes }: AuthenticatedCaller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  const message = `The auth token ${JSON.stringify(token.name)} lacks the scope ${scope}. Use a token that has it.`;
  throw new ServiceError("scope_missing", message, { details: { scope } });
}
