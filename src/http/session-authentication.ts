import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { Session, Workspace } from "../contract/operation.ts";
import { LastUses } from "./last-uses.ts";
import { LookupCache } from "./lookup-cache.ts";
import type { SessionCookies } from "./session-cookies.ts";

interface SignedIn {
  session: Session;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** The one asked for, or the first; undefined where the session reaches no such one. */
  workspace: Workspace | undefined;
}

interface SessionAuthenticationOptions {
  sessionCookies: SessionCookies;
  /** By the SHA-256 of the cookie's value, and the text that the request names a workspace by. */
  findSession(tokenHash: Buffer, workspaceId: string | undefined): Promise<SignedIn | undefined>;
  /** False while the ends of sessions made by other processes may be missed; nothing is remembered then. */
  mayRemember(): boolean;
}

/** Says which of its workspaces a session works on. */
const WORKSPACE_HEADER = "x-colloquy-workspace";

/** Cookie → session and workspace. */
export class SessionAuthentication {
  /** Of sessions, by id. */
  readonly uses = new LastUses();
  readonly #options: SessionAuthenticationOptions;
  readonly #signedIn: LookupCache<SignedIn & { workspace: Workspace }>;

  constructor(options: SessionAuthenticationOptions) {
    this.#options = options;
    this.#signedIn = new LookupCache(options.mayRemember);
  }

  /** Undefined without the cookie of a session; throws PERMISSION_DENIED where it cannot be used. */
  async authenticate(request: FastifyRequest): Promise<{ session: Session; workspace: Workspace } | undefined> {
    const token = this.#options.sessionCookies.sessionToken(request);
    if (token === undefined) return undefined;
    this.#options.sessionCookies.requireSameOrigin(request);
    const named = request.headers[WORKSPACE_HEADER];
    const workspaceId = named === undefined ? undefined : String(named);
    const name = hash("sha256", `${token}\0${workspaceId ?? ""}`, "base64");
    const known = this.#signedIn.get(name);
    const signedIn = known ?? (await this.#signedIn.lookUp(name, () => this.#find(token, workspaceId)));
    const now = Date.now();
    if (signedIn.expiresAt <= now) throw sessionIsOver();
    this.uses.note(signedIn.session.id, now);
    return signedIn;
  }

  /** To be called when a session has ended, or a workspace has changed. */
  forget(): void {
    this.#signedIn.forget();
  }

  async #find(token: string, workspaceId: string | undefined): Promise<SignedIn & { workspace: Workspace }> {
    const found = await this.#options.findSession(hash("sha256", token, "buffer"), workspaceId);
    if (!found) throw sessionIsOver();
    if (!found.workspace)
      throw new ServiceError("workspace_unreachable", "There is no such workspace, or it is not one of yours.");
    return { ...found, workspace: found.workspace };
  }
}

function sessionIsOver(): Error {
  return new ServiceError("session_ended", "The session has ended. Sign in again.");
}
