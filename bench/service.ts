import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import type { Api } from "../src/operations.ts";
import { type RunningProgram, startProgram } from "./processes.ts";

const API_KEY = "bench-api-key";
const AUTH_TOKEN = "bench-auth-token-0123456789";
/** Variables of a service that is measured. */
export const ENVIRONMENT = {
  PORT: "0",
  // One process, as the floor has: processor times and rates are compared with it.
  PROCESSES: "1",
  LOG_LEVEL: "info",
  BOOTSTRAP_API_KEY: API_KEY,
  BOOTSTRAP_AUTH_TOKEN: AUTH_TOKEN,
};
/** The log line of a service that is ready. An earlier line has the address too, from when it started. */
export const LISTENING = /"address":"(http:\/\/127\.0\.0\.1:\d+)","msg":"listening"/;

export const AUTHENTICATION_HEADERS = { "x-service-api-key": API_KEY, "x-service-auth-token": AUTH_TOKEN };

export interface RunningService {
  address: string;
  program: RunningProgram;
  /** Returns the `data` of the response. */
  call<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Api[Path]["response"]>;
  /** Returns the `data` of the response and the token of the next page, if there is one. */
  callForPage<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<PageOf<Path>>;
}

interface PageOf<Path extends keyof Api> {
  data: Api[Path]["response"];
  pageToken?: string;
}

/** Starts the service as `npm start` does, but in another working directory, so that a .env file has no effect. */
export async function startService(environment: Record<string, string>): Promise<RunningService> {
  const program = await startProgram(getStartArguments(), {
    environment: { ...ENVIRONMENT, ...environment },
    workingDirectory: tmpdir(),
    readyPattern: LISTENING,
  });
  const address = LISTENING.exec(program.readyLine)?.[1] ?? "";
  return {
    address,
    program,
    call: async (path, data) => (await post(address, path, data)).data,
    callForPage: (path, data) => post(address, path, data),
  };
}

/** Returns the options of Node and the command, with an absolute path of the main file. */
function getStartArguments(): string[] {
  const words = packageJson.scripts.start.split(" ");
  return words
    .slice(words.indexOf("node") + 1)
    .map((word) => (word === "src/main.js" ? fileURLToPath(new URL(`../${word}`, import.meta.url)) : word));
}

async function post<Path extends keyof Api>(
  address: string,
  path: Path,
  data: Api[Path]["request"],
): Promise<PageOf<Path>> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...AUTHENTICATION_HEADERS },
    body: JSON.stringify({ data }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return getResult<Path>(await response.json());
}

/** Casts the body of a successful response. Responses of asynchronous operations have no `result` around `data`. */
function getResult<Path extends keyof Api>(body: unknown): PageOf<Path> {
  const response = body as PageOf<Path> & { result?: PageOf<Path> };
  return response.result ?? response;
}
