import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { LastUses } from "./last-uses.ts";
import { LookupCache } from "./lookup-cache.ts";

interface CallerLookup {
  workspace: Workspace | undefined;
  /** `expiresAt` in milliseconds since the epoch. */
  token: { id: string; workspaceId: string; expiresAt: number | undefined } | undefined;
}

interface AuthenticationOptions {
  /** A request may use the headers of any of them. */
  brands: string[];
  findCaller(hashes: { apiKeyHash: Buffer; authTokenHash: Buffer }): Promise<CallerLookup>;
  /** False while revocations made by other processes may be missed; nothing is remembered then. */
  mayRemember(): boolean;
}

interface Caller {
  workspace: Workspace;
  tokenId: string;
  expiresAt: number | undefined;
}

/** Headers → workspace. Keys and tokens are looked up by their SHA-256, so timing says nothing about either. */
export class Authentication {
  /** Of tokens, by id. */
  readonly uses = new LastUses();
  readonly #options: AuthenticationOptions;
  readonly #callers: LookupCache<Caller>;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#callers = new LookupCache(options.mayRemember);
  }

  /** Whether the headers bring an API key, of whatever brand. */
  hasApiKey(headers: IncomingHttpHeaders): boolean {
    return this.#options.brands.some((brand) => headers[`x-${brand}-api-key`] !== undefined);
  }

  /** Throws PERMISSION_DENIED for every way in which it can fail. */
  async authenticate(headers: IncomingHttpHeaders): Promise<Workspace> {
    const { apiKey, authToken } = this.#credentials(headers);
    const name = hash("sha256", `${apiKey}\0${authToken}`, "base64");
    const caller = this.#callers.get(name) ?? (await this.#callers.lookUp(name, () => this.#find(apiKey, authToken)));
    const now = Date.now();
    if (caller.expiresAt !== undefined && caller.expiresAt <= now)
      throw new ServiceError("auth_token_expired", "Expired auth token.");
    this.uses.note(caller.tokenId, now);
    return caller.workspace;
  }

  /** To be called when a workspace or token has changed. */
  forget(): void {
    this.#callers.forget();
  }

  #credentials(headers: IncomingHttpHeaders): { apiKey: string; authToken: string } {
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

  async #find(apiKey: string, authToken: string): Promise<Caller> {
    const { workspace, token } = await this.#options.findCaller({
      apiKeyHash: hash("sha256", apiKey, "buffer"),
      authTokenHash: hash("sha256", authToken, "buffer"),
    });
    if (!workspace) throw new ServiceError("api_key_invalid", "Invalid API key.");
    if (!token || token.workspaceId !== workspace.id)
      throw new ServiceError("auth_token_invalid", "Invalid auth token.");
    return { workspace, tokenId: token.id, expiresAt: token.expiresAt };
  }
}
