import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { Session, Workspace } from "../contract/operation.ts";
import { LastUses } from "./last-uses.ts";
import type { LookupCache, LookupCaches } from "./lookup-cache.ts";
import type { SessionCookies } from "./session-cookies.ts";
import type { WrongCredentials } from "./wrong-credentials.ts";

interface SessionLookup {
  session: Session;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** The requested workspace, or the first one; undefined if the session cannot reach it. */
  workspace: Workspace | undefined;
}

interface SessionAuthenticationOptions {
  sessionCookies: SessionCookies;
  /** Finds a session by the SHA-256 of its token, and the workspace that the request names. */
  findSession(
    tokenHash: Buffer,
    workspaceId: string | undefined,
    clientAddress: string,
  ): Promise<SessionLookup | undefined>;
  caches: LookupCaches;
  wrongCredentials: WrongCredentials;
}

/** Header that names the workspace to work on, since a session may reach several. */
const WORKSPACE_HEADER = "x-colloquy-workspace";

/** Finds the session and workspace of a request by its cookie. */
export class SessionAuthentication {
  /** Last uses of sessions, by session ID. */
  readonly uses = new LastUses();
  readonly #options: SessionAuthenticationOptions;
  readonly #lookups: LookupCache<SessionLookup & { workspace: Workspace }>;

  constructor(options: SessionAuthenticationOptions) {
    this.#options = options;
    this.#lookups = options.caches.create();
  }

  /** Returns undefined if there is no session cookie. Throws PERMISSION_DENIED if it cannot be used. */
  async authenticate(request: FastifyRequest): Promise<{ session: Session; workspace: Workspace } | undefined> {
    const token = this.#options.sessionCookies.sessionToken(request);
    if (token === undefined) return undefined;
    this.#options.sessionCookies.requireSameOrigin(request);
    const named = request.headers[WORKSPACE_HEADER];
    const workspaceId = named === undefined ? undefined : String(named);
    const key = hash("sha256", `${token}\0${workspaceId ?? ""}`, "base64");
    const cached = this.#lookups.get(key);
    const { ip } = request;
    const find = () => this.#options.wrongCredentials.lookUp(key, ip, () => this.#find(token, workspaceId, ip));
    const found = cached ?? (await this.#lookups.lookUp(key, find));
    const now = Date.now();
    if (found.expiresAt <= now) throw sessionIsOver();
    this.uses.record(found.session.id, now);
    return found;
  }

  async #find(
    token: string,
    workspaceId: string | undefined,
    clientAddress: string,
  ): Promise<SessionLookup & { workspace: Workspace }> {
    const found = await this.#options.findSession(hash("sha256", token, "buffer"), workspaceId, clientAddress);
    if (!found) throw sessionIsOver();
    if (!found.workspace)
      throw new ServiceError("workspace_unreachable", "There is no such workspace, or it is not one of yours.");
    return { ...found, workspace: found.workspace };
  }
}

function sessionIsOver(): Error {
  return new ServiceError("session_ended", "The session has ended. Sign in again.");
}
