import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { type RunningProgram, startProgram } from "./processes.ts";

const API_KEY = "bench-api-key";
const AUTH_TOKEN = "bench-auth-token-0123456789";
const ENVIRONMENT = { PORT: "0", LOG_LEVEL: "info", BOOTSTRAP_API_KEY: API_KEY, BOOTSTRAP_AUTH_TOKEN: AUTH_TOKEN };
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

export const AUTHENTICATION_HEADERS = { "x-service-api-key": API_KEY, "x-service-auth-token": AUTH_TOKEN };

export interface RunningService {
  address: string;
  program: RunningProgram;
  call(path: string, data: object): Promise<unknown>;
}

/** Starts the service as `npm start` does, but in another working directory, so that a .env file has no effect. */
export async function startService(environment: Record<string, string>): Promise<RunningService> {
  const program = await startProgram(argumentsOfNpmStart(), {
    environment: { ...ENVIRONMENT, ...environment },
    workingDirectory: tmpdir(),
    readyPattern: ADDRESS,
  });
  const address = ADDRESS.exec(program.readyLine)?.[0] ?? "";
  return { address, program, call: (path, data) => post(address, path, data) };
}

/** Returns the options of Node and the command, with an absolute path of the main file. */
function argumentsOfNpmStart(): string[] {
  const words = packageJson.scripts.start.split(" ");
  return words
    .slice(words.indexOf("node") + 1)
    .map((word) => (word === "src/main.js" ? fileURLToPath(new URL(`../${word}`, import.meta.url)) : word));
}

async function post(address: string, path: string, data: object): Promise<unknown> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...AUTHENTICATION_HEADERS },
    body: JSON.stringify({ data }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
