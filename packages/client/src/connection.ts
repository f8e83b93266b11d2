import { delayBefore, untilAborted, wait, withTimeout } from "./back-off.ts";
import { Authenticator, type Credentials } from "./credentials.ts";
import { ColloquyError, getError } from "./errors.ts";

/** A service and how to call it. */
export type ClientOptions = Credentials & {
  /** Address of the service, such as `https://colloquy.example.com`. A page may give a path of its own origin. */
  url: string;
  /** Number of times that a call is sent again if the service is unavailable, by default 4. */
  maxRetries?: number | undefined;
  /** Time in which a call must complete before it is sent again, in milliseconds, by default 30,000. */
  timeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** A request to the service. */
export interface ServiceRequest {
  path: string;
  headers?: Record<string, string>;
  /** JSON text of the body; a request without one is a GET. */
  body?: string;
  keepalive?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends requests with the credentials of a client. */
export class Connection {
  readonly #options: ClientOptions;
  readonly authenticator: Authenticator;
  readonly url: string;
  /** API key that the client was given, which distinguishes workspaces with the same token issuer. */
  readonly apiKey: string | undefined;
  /** Browsers send no headers of their own with a WebSocket, so its URL has the API key. */
  readonly syncUrl: string;

  constructor(options: ClientOptions) {
    assertAddress(options.url);
    this.#options = options;
    this.authenticator = new Authenticator(options, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    this.url = options.url.replace(/\/+$/, "");
    this.apiKey = options.apiKey;
    const query = options.apiKey === undefined ? "" : `?${new URLSearchParams({ apiKey: options.apiKey })}`;
    this.syncUrl = `${this.url.replace(/^http/, "ws")}/v2/crdt/sync${query}`;
  }

  /** Returns the JSON of a successful response. Retries what may succeed later. Throws a ColloquyError. */
  async call(request: ServiceRequest): Promise<unknown> {
    const { maxRetries = 4, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const { signal } = request;
    for (let retry = 0; ; retry += 1) {
      try {
        return await withTimeout(timeoutMs, signal, async (limited) =>
          (await this.send({ ...request, signal: limited })).json(),
        );
      } catch (thrown) {
        signal?.throwIfAborted();
        const error = asColloquyError(thrown);
        if (!(error instanceof ColloquyError && error.isRetryable) || retry === maxRetries) throw error;
        await wait(delayBefore(retry, error), signal);
      }
    }
  }

  /** Sends a request once, or twice if another user token is needed. Throws a ColloquyError unless it succeeds. */
  async send(request: ServiceRequest): Promise<Response> {
    for (let isFirst = true; ; isFirst = false) {
      const headers = await untilAborted(this.authenticator.headers(), request.signal);
      const response = await this.#fetch(request, headers);
      if (response.ok) return response;
      const error = await getError(response);
      if (!isFirst || !(await this.authenticator.replaceRejected(error, headers))) throw error;
    }
  }

  async #fetch(
    { path, headers, body, keepalive = false, signal }: ServiceRequest,
    credentials: Record<string, string>,
  ) {
    const { fetch = globalThis.fetch } = this.#options;
    return fetch(`${this.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers, ...credentials },
      body: body ?? null,
      signal: signal ?? null,
      keepalive,
      // The API uses no cookies, so CORS need not allow credentials.
      credentials: "omit",
      cache: "no-store",
    });
  }
}

/** Throws unless a URL is one that `fetch` can call: another one would fail like a service that is down. */
function assertAddress(url: string): void {
  if (/^https?:\/\//i.test(url)) return;
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(url);
  if (isRelative && "location" in globalThis) return;
  const hint = url.startsWith("/") ? " Only a page can use a path: Node does not know the origin." : "";
  throw new TypeError(`\`url\` must start with http:// or https://.${hint}`);
}

/** Returns the error of a call that got no response, or one that is not JSON. */
export function asColloquyError(thrown: unknown): unknown {
  if (thrown instanceof ColloquyError) return thrown;
  const isTimeout = thrown instanceof DOMException && thrown.name === "TimeoutError";
  if (!(thrown instanceof TypeError || thrown instanceof SyntaxError || isTimeout)) return thrown;
  const message = isTimeout ? "The service did not respond in time." : "The service cannot be reached.";
  return new ColloquyError("OFFLINE", { message, cause: thrown });
}
