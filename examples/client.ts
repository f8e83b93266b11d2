import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "../src/operations.ts";

/** A service and the credentials of a workspace. */
export interface Service {
  url: string;
  apiKey: string;
  authToken: string;
}

/** The `result` of a response. */
export interface Result<Path extends keyof Api> {
  data: Api[Path]["response"];
  pageToken?: string;
}

interface ErrorBody {
  status: string;
  message: string;
  details?: { reason: string };
}

const MAX_ATTEMPTS = 10;

/** An error response. `status` is `HTTP <code>` if the response is not the service's, for example a proxy's. */
export class CallError extends Error {
  readonly status: string;
  /** Stable code of the error, if the response is the service's. */
  readonly reason: string | undefined;

  constructor(path: string, { status, message, details }: ErrorBody) {
    super(`${path}: ${status} ${message}`.trimEnd());
    this.status = status;
    this.reason = details?.reason;
  }
}

/**
 * Calls an operation and returns its result. Throws CallError for an error response. Retries while the service asks for
 * it with `retry-after`, which is safe for idempotent calls: reads, and writes of records that have IDs.
 */
export async function call<Path extends keyof Api>(
  service: Service,
  path: Path,
  data: Api[Path]["request"],
): Promise<Result<Path>> {
  const { url, apiKey, authToken } = service;
  const headers = { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
  const body = JSON.stringify({ data });
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    }).catch((cause: unknown) => {
      throw new Error(
        `${url} cannot be reached. Start the service with \`npm start\`, or give its address with --url. ` +
          "You can run the example again: it overwrites what it has written.",
        { cause },
      );
    });
    // A proxy may respond with something other than JSON.
    const { result, error } = getResponse<Path>(await response.json().catch(() => undefined));
    if (result) return result;
    const retryAfter = response.headers.get("retry-after");
    if (retryAfter === null || attempt === MAX_ATTEMPTS) {
      const unknownResponse = {
        status: `HTTP ${response.status}`,
        message: `from ${url}; is that a Colloquy service?`,
      };
      throw new CallError(path, error ?? unknownResponse);
    }
    await delay(Number(retryAfter) * 1000);
  }
}

/** Casts a response: every response of an operation has this envelope, and other responses have neither field. */
function getResponse<Path extends keyof Api>(body: unknown): { result?: Result<Path>; error?: ErrorBody } {
  return (body ?? {}) as { result?: Result<Path>; error?: ErrorBody };
}

/** Returns a valid identifier: 1 to 256 UTF-16 code units of well-formed Unicode without control characters. */
export function asIdentifier(given: string, fallback: string): string {
  return (
    given
      .replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 256)
      .toWellFormed() || fallback
  );
}
