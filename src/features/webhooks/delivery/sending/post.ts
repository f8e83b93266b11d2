import type { IncomingMessage } from "node:http";
import { BLOCKED, type OutgoingConnections, UPGRADED } from "../../../../outgoing/connections.ts";
import type { Attempt } from "../message.ts";

const TIMEOUT_MS = 15_000;
/** Number of bytes of a response that are kept. */
const KEPT_BYTES = 2_048;
/** Number of bytes of a response that are read, so that its connection can be used again. */
const MAX_READ_BYTES = 65_536;

/** The last word, of which no more is left out than the longest address has. */
const LAST_WORD = /\S{1,320}$/;

const UNREACHABLE = "The receiver could not be reached.";
/** What failed, by the code of the error, in words that quote nothing of the other side. */
const EXPLANATIONS = new Map([
  [BLOCKED, "The address is private, and ALLOW_PRIVATE_ADDRESSES is not set."],
  ["TimeoutError", "The receiver did not respond within 15 seconds."],
  ["ECONNREFUSED", "The receiver refused the connection."],
  ["ECONNRESET", "The receiver closed the connection."],
  [UPGRADED, "The receiver switched to another protocol (101), which is not a response to a webhook."],
  ["ENOTFOUND", "The host name of the URL is unknown."],
]);

/** Sends requests to URLs that tenants have set. Follows no redirects. */
export class WebhookPoster {
  readonly #connections: OutgoingConnections;

  constructor(connections: OutgoingConnections) {
    this.#connections = connections;
  }

  /** Makes one attempt, which fails after 15 seconds. Throws only if `signal` is aborted. */
  async post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Attempt> {
    const attemptedAt = Date.now();
    const begun = performance.now();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const since = () => Math.round(performance.now() - begun);
    try {
      const received = await this.#connections.request(
        new URL(url),
        {
          method: "POST",
          headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
          signal: limit,
        },
        body,
      );
      const response = await readStart(received);
      return { attemptedAt, latencyMs: since(), httpStatus: received.statusCode ?? null, response, error: null };
    } catch (failure) {
      signal.throwIfAborted();
      const error = EXPLANATIONS.get(getCode(limit.aborted ? limit.reason : failure)) ?? UNREACHABLE;
      return { attemptedAt, latencyMs: since(), httpStatus: null, response: "", error };
    }
  }
}

/**
 * Returns the beginning of a response. What does not arrive in time is missing: the status has decided already. Leaves
 * out a last word that may be cut, because a deletion of user data does not find half an address.
 */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWhole = false;
  try {
    for await (const chunk of response) {
      if (bytes < KEPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
    isWhole = bytes <= KEPT_BYTES;
  } catch {}
  const start = Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString().replaceAll("\0", "\u{fffd}");
  return isWhole ? start : start.replace(LAST_WORD, "");
}

function getCode(error: unknown): string {
  const { code, name } = Object(error);
  return typeof code === "string" ? code : String(name);
}
