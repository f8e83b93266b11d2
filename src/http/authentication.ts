import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
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
  brands: string[];
  findCaller(hashes: { apiKeyHash: Buffer; authTokenHash: Buffer }, clientAddress: string): Promise<CallerLookup>;
  caches: LookupCaches;
  wrongCredentials: WrongCredentials;
}

interface Caller {
  workspace: Workspace;
  token: { id: string; name: string };
  scopes: readonly Scope[];
  expiresAt: number | undefined;
}

/** Number of credentials that were right whose hash is remembered. */
const MAX_HASHES = 10_000;

/** Backend that has sent right credentials. */
export type AuthenticatedCaller = Pick<Caller, "workspace" | "token" | "scopes">;

/** API key and auth token as a caller sends them. */
interface Credentials {
  apiKey: string;
  authToken: string;
}

/** Returns the names of the headers with credentials, for each header prefix. */
export function credentialHeaders(brands: readonly string[]): string[] {
  return brands.flatMap((brand) => [`x-${brand}-api-key`, `x-${brand}-auth-token`]);
}

/**
 * Finds the workspace of a request by its API key and auth token. Both are looked up by their SHA-256, so the time that
 * a lookup takes reveals nothing about them.
 */
export class Authentication {
  /** Last uses of auth tokens, by token ID. */
  readonly uses = new LastUses();
  readonly #options: AuthenticationOptions;
  readonly #credentialHeaders: readonly string[];
  readonly #callers: LookupCache<Caller>;
  readonly #hashes = new LRUCache<string, string>({ max: MAX_HASHES });

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#credentialHeaders = credentialHeaders(options.brands);
    this.#callers = options.caches.create();
  }

  /** Returns whether the headers contain an API key, with any header prefix. */
  hasApiKey(headers: IncomingHttpHeaders): boolean {
    return this.#options.brands.some((brand) => headers[`x-${brand}-api-key`] !== undefined);
  }

  /** Returns whether the headers contain an API key or an auth token, with any header prefix. */
  hasCredentials(headers: IncomingHttpHeaders): boolean {
    return this.#credentialHeaders.some((name) => headers[name] !== undefined);
  }

  /**
   * Returns the workspace and token of the caller. Throws PERMISSION_DENIED if a credential is missing, wrong or
   * expired, and RESOURCE_EXHAUSTED if the client has sent too many wrong ones.
   */
  authenticate(headers: IncomingHttpHeaders, clientAddress: string): Promise<AuthenticatedCaller> {
    return this.authenticateCredentials(this.#credentials(headers), clientAddress);
  }

  /** Authenticates credentials like those of headers. */
  async authenticateCredentials(sent: Credentials, clientAddress: string): Promise<AuthenticatedCaller> {
    const { apiKey, authToken } = sent;
    const credentials = `${apiKey}\0${authToken}`;
    const known = this.#hashes.get(credentials);
    const key = known ?? hash("sha256", credentials, "base64");
    const find = () => this.#options.wrongCredentials.lookUp(key, clientAddress, () => this.#find(sent, clientAddress));
    const caller = this.#callers.get(key) ?? (await this.#callers.lookUp(key, find));
    if (known === undefined) this.#hashes.set(credentials, key);
    const now = Date.now();
    if (caller.expiresAt !== undefined && caller.expiresAt <= now) {
      throw new ServiceError("auth_token_expired", "The auth token has expired. Create another one.");
    }
    this.uses.record(caller.token.id, now);
    return caller;
  }

  #credentials(headers: IncomingHttpHeaders): Credentials {
    const { brands } = this.#options;
    const brand = brands.find((name) => headers[`x-${name}-api-key`] !== undefined) ?? brands[0];
    const apiKey = headers[`x-${brand}-api-key`];
    const authToken = headers[`x-${brand}-auth-token`];
    if (typeof apiKey !== "string" || apiKey === "")
      throw new ServiceError("credentials_missing", `Missing header x-${brand}-api-key.`);
    if (typeof authToken !== "string" || authToken === "") {
      throw new ServiceError("credentials_missing", `Missing header x-${brand}-auth-token.`);
    }
    return { apiKey, authToken };
  }

  async #find({ apiKey, authToken }: Credentials, clientAddress: string): Promise<Caller> {
    const hashes = {
      apiKeyHash: hash("sha256", apiKey, "buffer"),
      authTokenHash: hash("sha256", authToken, "buffer"),
    };
    const { workspace, token } = await this.#options.findCaller(hashes, clientAddress);
    if (!workspace) throw new ServiceError("api_key_invalid", "The API key is invalid. Use that of your workspace.");
    if (!token || token.workspaceId !== workspace.id)
      throw new ServiceError("auth_token_invalid", "The auth token is invalid, revoked or not of this workspace.");
    const { id, name, scopes, expiresAt } = token;
    return { workspace, token: { id, name }, scopes, expiresAt };
  }
}

/** Throws PERMISSION_DENIED if the token of a caller lacks the scope. */
export function requireScope({ token, scopes }: AuthenticatedCaller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  const message = `The auth token ${JSON.stringify(token.name)} lacks the scope ${scope}. Use a token that has it.`;
  throw new ServiceError("scope_missing", message, { details: { scope } });
}
