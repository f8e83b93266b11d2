import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { permissionDenied } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { LookupCache } from "./lookup-cache.ts";

interface CrossOriginOptions {
  /** Its pages may always call, as may those of the host that a request is sent to. */
  publicUrl: string;
  /** Their headers may be sent. */
  brands: string[];
  /** Whether the workspace, or where none is named any workspace, lets pages of the host call. */
  isHostAllowed(host: string, workspaceId: string | undefined): Promise<boolean>;
  /** False while changes made by other processes may be missed; nothing is remembered then. */
  mayRemember(): boolean;
}

/** As browsers write it; `null`, of a page without an origin, is none. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/([^\s/?#@\\:[\]]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
/** As long as a browser keeps a preflight; a page that is no longer allowed is refused all the same. */
const PREFLIGHT_SECONDS = 7200;

/**
 * Answers the pages of browsers: with the headers that let a page read the answer where its origin is allowed, with
 * PERMISSION_DENIED and without them where not. A request without `Origin` is a backend's and passes untouched.
 */
export class CrossOrigin {
  readonly #options: CrossOriginOptions;
  readonly #publicOrigin: string;
  readonly #preflightHeaders: Record<string, string>;
  readonly #origins: LookupCache<boolean>;

  constructor(options: CrossOriginOptions) {
    this.#options = options;
    this.#publicOrigin = new URL(options.publicUrl).origin;
    const own = options.brands.flatMap((brand) => [`x-${brand}-api-key`, `x-${brand}-auth-token`]);
    this.#preflightHeaders = {
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": ["content-type", ...own, "x-request-id"].join(", "),
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    };
    this.#origins = new LookupCache(options.mayRemember);
  }

  /** To be called when the allowed domains of a workspace have changed. */
  forget(): void {
    this.#origins.forget();
  }

  /** Goes in front of all that can fail in what it concerns, so that a page can read the failure. */
  register(server: FastifyInstance, concerns: (request: FastifyRequest) => boolean): void {
    server.addHook("onRequest", (request, reply, done) => {
      if (request.headers.origin === undefined || !concerns(request)) return done();
      const isAllowed = this.#isAllowed(request, undefined);
      if (typeof isAllowed === "boolean") this.#admit(request, reply, isAllowed, done);
      else isAllowed.then((found) => this.#admit(request, reply, found, done), done);
    });
  }

  /** Throws PERMISSION_DENIED where the caller's workspace does not allow the origin that another one does. */
  async requireAllowed(request: FastifyRequest, reply: FastifyReply, workspace: Workspace): Promise<void> {
    if (await this.#isAllowed(request, workspace.id)) return;
    for (const name of ["access-control-allow-origin", "access-control-expose-headers"]) reply.removeHeader(name);
    throw refusal(request);
  }

  /** A preflight has no credentials: it is answered when any workspace allows the origin. */
  #admit(request: FastifyRequest, reply: FastifyReply, isAllowed: boolean, done: (error?: Error) => void): void {
    const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
    reply.header("vary", "origin");
    if (isAllowed) {
      reply.header("access-control-allow-origin", request.headers.origin);
      reply.header("access-control-expose-headers", "x-request-id, retry-after");
    }
    if (isAllowed && isPreflight) reply.code(204).headers(this.#preflightHeaders).send();
    else if (isAllowed || (request.method !== "POST" && !isPreflight)) done();
    else done(refusal(request));
  }

  /** At once where it is remembered. */
  #isAllowed(request: FastifyRequest, workspaceId: string | undefined): boolean | Promise<boolean> {
    const { origin = "" } = request.headers;
    const name = `${workspaceId} ${origin}`;
    const remembered = this.#origins.get(name);
    if (remembered) return true;
    const host = ORIGIN.exec(origin)?.[1];
    if (host === undefined) return false;
    const { host: ownHost } = request;
    if ([this.#publicOrigin, `http://${ownHost}`, `https://${ownHost}`].includes(origin)) return true;
    return remembered ?? this.#origins.lookUp(name, () => this.#options.isHostAllowed(host, workspaceId));
  }
}

function refusal({ headers: { origin = "" } }: FastifyRequest): Error {
  const subject = ORIGIN.test(origin) ? `The origin ${origin} is` : "A page without an origin of its own is";
  return permissionDenied(
    `${subject} not allowed to call this workspace; /v2/workspace/domains/add, called by a backend, allows a domain.`,
  );
}
