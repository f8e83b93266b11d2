import type { IncomingMessage } from "node:http";
import type { JSONWebKeySet } from "jose";
import { isObject } from "../../../json/is-object.ts";
import { BLOCKED, type OutgoingConnections } from "../../../outgoing/connections.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 100;

/** Fetching signing keys has failed. The message quotes nothing of the other side. */
export class KeySetError extends Error {}

/** What failed, by the code of the error. */
const EXPLANATIONS = new Map([
  [BLOCKED, "The address is private, and ALLOW_PRIVATE_ADDRESSES is not set."],
  ["TimeoutError", "The server did not respond within 5 seconds."],
  ["ECONNREFUSED", "The server refused the connection."],
  ["ECONNRESET", "The server closed the connection."],
  ["ENOTFOUND", "The host name of the URL is unknown."],
]);

/** Fetches the signing keys of an issuer, without following redirects. Throws KeySetError. */
export async function fetchKeySet(
  connections: Pick<OutgoingConnections, "request">,
  url: string,
): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const headers = { accept: "application/jwk-set+json, application/json", "accept-encoding": "identity" };
    const response = await connections.request(new URL(url), { method: "GET", headers, signal });
    return parseKeySet(await readResponse(response));
  } catch (error) {
    if (error instanceof KeySetError) throw error;
    const { code, name } = Object(signal.aborted ? signal.reason : error);
    const explanation = EXPLANATIONS.get(typeof code === "string" ? code : name);
    throw new KeySetError(explanation ?? "The server could not be reached.", { cause: error });
  }
}

async function readResponse(response: IncomingMessage): Promise<string> {
  const { statusCode } = response;
  if (statusCode !== 200) {
    response.destroy();
    throw new KeySetError(`The server responded with HTTP ${statusCode} instead of 200. Redirects are not followed.`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_BYTES) throw new KeySetError("The response is larger than 64 KiB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseKeySet(text: string): JSONWebKeySet {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new KeySetError("The response is not JSON.");
  }
  if (!isKeySet(parsed)) throw new KeySetError("The response is not a JSON Web Key Set with at most 100 keys.");
  return parsed;
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isObject(value) && Array.isArray(value.keys) && value.keys.length <= MAX_KEYS && value.keys.every(isObject);
}
