import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A service and who calls it. */
export interface Service {
  url: string;
  apiKey: string;
  authToken: string;
}

interface Result {
  data: unknown;
  pageToken?: string;
}

const MAX_ATTEMPTS = 10;

/**
 * The `result` of a call; throws what the service answers instead. Sends again when the service asks for it, which
 * is right for all that may be done twice: reading, and adding records that have ids.
 */
export async function call(service: Service, path: string, body: string): Promise<Result> {
  const { url, apiKey, authToken } = service;
  const headers = { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    }).catch((cause: unknown) => {
      throw new Error(`${url} cannot be reached; is the service running there?`, { cause });
    });
    // A proxy in between answers as it likes.
    const { result, error } = answerOf(await response.json().catch(() => ({})));
    if (result) return result;
    const retryAfter = response.headers.get("retry-after");
    if (retryAfter === null || attempt === MAX_ATTEMPTS) {
      throw new Error(`${path}: ${error?.status ?? `HTTP ${response.status}`} ${error?.message ?? ""}`.trimEnd());
    }
    await delay(Number(retryAfter) * 1000);
  }
}

/** Holds because every answer of an operation is of this shape. */
function answerOf(body: unknown): { result?: Result; error?: { status: string; message: string } } {
  return body as { result?: Result; error?: { status: string; message: string } };
}

/** Those of the environment, or those that the service's first start has kept. */
export async function findCredentials(): Promise<{ apiKey: string; authToken: string }> {
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, DATA_DIR = "./data" } = process.env;
  if (apiKey && authToken) return { apiKey, authToken };
  const file = join(DATA_DIR, "credentials.json");
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${file} cannot be read; give --api-key and --auth-token.`, { cause });
  });
  return JSON.parse(content);
}
