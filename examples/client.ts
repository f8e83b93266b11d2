import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "../src/operations.ts";

/** A service and who calls it. */
export interface Service {
  url: string;
  apiKey: string;
  authToken: string;
}

/** What a call answers that succeeds. */
export interface Result<Path extends keyof Api> {
  data: Api[Path]["response"];
  pageToken?: string;
}

interface Failure {
  status: string;
  message: string;
}

const MAX_ATTEMPTS = 10;

/** What the service answers instead of a result; `status` is `HTTP <code>` where something else answers. */
export class CallError extends Error {
  readonly status: string;

  constructor(path: string, { status, message }: Failure) {
    super(`${path}: ${status} ${message}`.trimEnd());
    this.status = status;
  }
}

/**
 * The `result` of a call; throws what the service answers instead. Sends again when the service asks for it, which
 * is right for all that may be done twice: reading, and adding records that have ids.
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
        `${url} cannot be reached. Start the service there with \`npm start\`, or say with --url where it is. ` +
          "What was written stays; this may be run again.",
        { cause },
      );
    });
    // A proxy in between answers as it likes.
    const { result, error } = answerOf<Path>(await response.json().catch(() => undefined));
    if (result) return result;
    const retryAfter = response.headers.get("retry-after");
    if (retryAfter === null || attempt === MAX_ATTEMPTS) {
      const nothing = { status: `HTTP ${response.status}`, message: `from ${url}; is that a Colloquy service?` };
      throw new CallError(path, error ?? nothing);
    }
    await delay(Number(retryAfter) * 1000);
  }
}

/** Holds because every answer of an operation is of this shape; of another one is what is no operation's. */
function answerOf<Path extends keyof Api>(body: unknown): { result?: Result<Path>; error?: Failure } {
  return (body ?? {}) as { result?: Result<Path>; error?: Failure };
}

/** What the API takes as an id: 1 to 256 characters of well-formed Unicode, none of them a control character. */
export function asIdentifier(given: string, fallback: string): string {
  return (
    given
      .replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 256)
      .toWellFormed() || fallback
  );
}
