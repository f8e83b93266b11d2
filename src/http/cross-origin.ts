import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { credentialHeaders } from "./authentication.ts";
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from "./idempotency-key.ts";
import type { LookupCache, LookupCaches } from "./lookup-cache.ts";

type WorkspaceId = Pick<Workspace, "id">;

interface CrossOriginOptions {
  /** Web pages of this address may always call, as may those of the host that a request is sent to. */
  publicUrl: string;
  /** Prefixes of the authentication headers that a web page may send. */
  headerPrefixes: string[];
  /** Returns whether the workspace, or any workspace if none is given, lets web pages of the host call. */
  isHostAllowed(host: string, workspaceId: string | undefined, clientAddress: string): Promise<boolean>;
  caches: LookupCaches;
}

/** The form in which browsers write an origin. `null`, which a web page without an origin sends, does not match. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/([^\s/?#@\\:[\]]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
/** The longest time that a browser caches a preflight. A web page that is no longer allowed is rejected anyway. */
const PREFLIGHT_SECONDS = 7200;
const RATE_LIMIT_HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
/** Response headers that web pages may read. */
const EXPOSED_HEADERS = [
  ...["x-request-id", "retry-after", "deprecation", REPLAYED_HEADER, ...RATE_LIMIT_HEADERS],
  ...["content-disposition", "content-range", "etag"],
].join(", ");

/**
 * Decides which web pages may call operations and read the responses. A web page whose origin is not allowed gets
 * PERMISSION_DENIED and cannot read it. A request without `Origin` comes from a backend and is not restricted.
 */
export class CrossOrigin {
  readonly #options: CrossOriginOptions;
  readonly #publicOrigin: string;
  readonly #preflightHeaders: Record<string, string>;
  readonly #origins: LookupCache<boolean>;

  constructor(options: CrossOriginOptions) {
    this.#options = options;
    this.#publicOrigin = new URL(options.publicUrl).origin;
    const allowedHeaders = [
      "content-type",
      "authorization",
      ...credentialHeaders(options.headerPrefixes),
      "x-request-id",
      "last-event-id",
      "range",
      IDEMPOTENCY_KEY_HEADER,
    ];
    this.#preflightHeaders = {
      "access-control-allow-methods": "GET,POST,PUT",
      "access-control-allow-headers": allowedHeaders.join(", "),
      "access-control-max-age": String(PREFLIGHT_SECONDS),
      // Safari waits for a body otherwise.
      "content-length": "0",
    };
    this.#origins = options.caches.create();
  }

  /**
   * Lets the web page read the response if any workspace allows its origin, and responds to its preflights, which have
   * no credentials. Resolves to whether it has responded. Throws PERMISSION_DENIED if the web page may not send the
   * request. Must run before everything that can fail for an operation, so that a web page can read the error.
   */
  async applyCors(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { method, headers } = request;
    const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    if (await this.#isAllowed(request, undefined)) {
      reply.headers({
        "access-control-allow-origin": headers.origin,
        "access-control-expose-headers": EXPOSED_HEADERS,
      });
    } else if (isPreflight || method === "POST" || method === "PUT") throw createOriginError(request, "this service");
    else return false;
    if (isPreflight) reply.code(204).headers(this.#preflightHeaders).send();
    return isPreflight;
  }

  /** Throws PERMISSION_DENIED if only workspaces other than the caller's allow the origin. */
  async requireAllowed(request: FastifyRequest, reply: FastifyReply, workspace: WorkspaceId): Promise<void> {
    if (await this.#isAllowed(request, workspace.id)) return;
    for (const name of ["access-control-allow-origin", "access-control-expose-headers"]) reply.removeHeader(name);
    throw createOriginError(request, "this workspace");
  }

  async #isAllowed(request: FastifyRequest, workspaceId: string | undefined): Promise<boolean> {
    const { origin = "" } = request.headers;
    const host = ORIGIN.exec(origin)?.[1];
    if (host === undefined) return false;
    const { host: ownHost } = request;
    if ([this.#publicOrigin, `http://${ownHost}`, `https://${ownHost}`].includes(origin)) return true;
    const key = `${workspaceId} ${origin}`;
    const isAllowed = () => this.#options.isHostAllowed(host, workspaceId, request.ip);
    return this.#origins.get(key) ?? this.#origins.lookUp(key, isAllowed);
  }
}

function createOriginError(
  { headers: { origin = "" } }: FastifyRequest,
  callee: "this workspace" | "this service",
): Error {
  const remedy =
    callee === "this workspace"
      ? "Allow its domain with /v2/workspace/domains/add."
      : "The owner of a workspace can allow its domain.";
  const message = ORIGIN.test(origin)
    ? `The origin ${origin} is not allowed to call ${callee}. ${remedy}`
    : `A web page without an origin of its own is not allowed to call ${callee}. Serve it from a domain.`;
  return new ServiceError("origin_not_allowed", message);
}
