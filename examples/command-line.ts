import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CallError, call, type Service } from "./client.ts";

/** The arguments and options of the examples. */
export interface CommandLine {
  service: Service;
  /** Path of a git repository. */
  repository: string | undefined;
  limit: number | undefined;
  organizationId: string | undefined;
  /** Port of the page of example:workspace-app. */
  port: number;
}

const OPTIONS = {
  url: { type: "string" },
  "api-key": { type: "string" },
  "auth-token": { type: "string" },
  organization: { type: "string" },
  limit: { type: "string" },
  port: { type: "string" },
  help: { type: "boolean" },
} as const;

const HELP = `<repository> is the path of a git repository; example:team-day has a small history of its own. Options:

  --limit <commits>      read only the newest commits
  --port <port>          port of the page of example:workspace-app; default: 3000
  --organization <id>    organization to write to; default: git, or team and the name of the repository
  --url <address>        address of the service; default: http://127.0.0.1:$PORT, port 8080 if unset
  --api-key <key>        credentials; default: $BOOTSTRAP_API_KEY and $BOOTSTRAP_AUTH_TOKEN, or those that the
  --auth-token <token>   first start saved in $DATA_DIR/credentials.json, directory ./data if unset`;

/** Runs an example. Prints an error as one line on stderr and sets exit code 1. `script` is its npm script. */
export async function runExample(
  script: string,
  parameters: string,
  run: (commandLine: CommandLine) => Promise<void>,
): Promise<void> {
  // A reader such as `| head` may close the pipe early.
  process.stdout.on("error", () => process.exit());
  try {
    const commandLine = await readCommandLine(`Usage: npm run ${script} -- ${parameters} [options]`);
    if (commandLine) await run(commandLine);
  } catch (error) {
    console.error(`${script}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

/** Returns undefined if `--help` was given. Throws an error of one sentence that says what to correct. */
export async function readCommandLine(usage: string, args = process.argv.slice(2)): Promise<CommandLine | undefined> {
  const defaultUrl = readDefaultUrl();
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  if (values.help) {
    console.log(`${usage}\n${HELP}`);
    return undefined;
  }
  const [repository] = positionals;
  if (positionals.length > 1) throw new Error(`Only one repository can be given. ${usage}`);
  const { url = defaultUrl, organization, limit, port = "3000" } = values;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(`--url must be an address such as http://127.0.0.1:8080, not ${JSON.stringify(url)}.`);
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) throw new Error("--limit must be a number of commits.");
  if (!/^\d{1,5}$/.test(port)) throw new Error("--port must be a number.");
  const { apiKey, authToken, source } = await findCredentials(values["api-key"], values["auth-token"]);
  const service = { url: url.replace(/\/+$/, ""), apiKey, authToken };
  await checkAccess(service, source);
  return {
    service,
    repository,
    limit: limit === undefined ? undefined : Number(limit),
    organizationId: organization,
    port: Number(port),
  };
}

/** Returns the address of the service on this machine. */
export function readDefaultUrl(): string {
  // The service reads this file too. Variables that are set already win.
  if (existsSync(".env")) process.loadEnvFile(".env");
  return `http://127.0.0.1:${process.env.PORT || 8080}`;
}

interface Credentials {
  apiKey: string;
  authToken: string;
  /** Source of the credentials, named in errors. */
  source: string;
}

/** Returns the credentials of the command line, the environment, or the first start of the service. */
async function findCredentials(key: string | undefined, token: string | undefined): Promise<Credentials> {
  if (key !== undefined && token !== undefined) return { apiKey: key, authToken: token, source: "the command line" };
  if (key !== undefined || token !== undefined) throw new Error("Give both --api-key and --auth-token, or neither.");
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, DATA_DIR } = process.env;
  if (apiKey && authToken) return { apiKey, authToken, source: "BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN" };
  const file = join(DATA_DIR || "./data", "credentials.json");
  const advice = "Set DATA_DIR to that of the service, or give --api-key and --auth-token.";
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${file} cannot be read. ${advice}`, { cause });
  });
  const saved = parseCredentials(content);
  if (!saved?.apiKey || !saved.authToken) throw new Error(`${file} contains no credentials. ${advice}`);
  return { apiKey: saved.apiKey, authToken: saved.authToken, source: file };
}

/** Casts what the file contains. The caller checks the fields, since the file may have been edited. */
function parseCredentials(content: string): { apiKey?: string; authToken?: string } | null {
  try {
    return JSON.parse(content) as { apiKey?: string; authToken?: string } | null;
  } catch {
    return null;
  }
}

/** Throws if the service rejects the credentials, before anything is written. */
async function checkAccess(service: Service, source: string): Promise<void> {
  try {
    await call(service, "/v2/organizations/get", { pageSize: 1 });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== "PERMISSION_DENIED") throw error;
    throw new Error(
      `${error.message} The credentials are from ${source}: are they those of the service at ${service.url}? ` +
        "Set DATA_DIR to that of the service, or give --api-key and --auth-token. `npx colloquy token create` " +
        "creates a token.",
      { cause: error },
    );
  }
}
