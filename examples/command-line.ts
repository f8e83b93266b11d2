import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { asIdentifier, CallError, call, type Service } from "./client.ts";

/** What both examples are told. */
export interface CommandLine {
  service: Service;
  /** Path of the repository, and what it is called. */
  repository: string;
  name: string;
  limit: number | undefined;
  organizationId: string | undefined;
}

const OPTIONS = {
  url: { type: "string" },
  "api-key": { type: "string" },
  "auth-token": { type: "string" },
  organization: { type: "string" },
  limit: { type: "string" },
  help: { type: "boolean" },
} as const;

const HELP = `<repository> is the path of a git repository. Options:

  --limit <commits>      only the newest so many commits
  --organization <id>    the organization to write into
  --url <address>        the service; without it http://127.0.0.1:$PORT, with 8080 for no PORT
  --api-key <key>        without them $BOOTSTRAP_API_KEY and $BOOTSTRAP_AUTH_TOKEN, or those that the
  --auth-token <token>   service's first start has kept in $DATA_DIR/credentials.json (./data for no DATA_DIR)`;

/** Runs an example; a failure is one line on stderr and exit code 1. `script` is its name among the npm scripts. */
export async function runExample(script: string, run: (given: CommandLine) => Promise<void>): Promise<void> {
  // `| head` reads no further; that is no failure.
  process.stdout.on("error", () => process.exit());
  try {
    const given = await readCommandLine(`Usage: npm run ${script} -- <repository> [options]`);
    if (given) await run(given);
  } catch (error) {
    console.error(`${script}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

/** Undefined where only help was asked for. */
async function readCommandLine(usage: string): Promise<CommandLine | undefined> {
  // As the service does; what the environment has set stays.
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  if (values.help) {
    console.log(`${usage}\n${HELP}`);
    return undefined;
  }
  const [repository] = positionals;
  if (repository === undefined || positionals.length > 1) throw new Error(`Name one repository. ${usage}`);
  const { url = `http://127.0.0.1:${process.env.PORT || 8080}`, organization, limit } = values;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(`--url must be an address such as http://127.0.0.1:8080, not ${JSON.stringify(url)}.`);
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) throw new Error("--limit must be a number of commits.");
  const { apiKey, authToken, origin } = await findCredentials(values["api-key"], values["auth-token"]);
  const service = { url: url.replace(/\/+$/, ""), apiKey, authToken };
  await checkAccess(service, origin);
  return {
    service,
    repository,
    name: asIdentifier(basename(resolve(repository), ".git"), "repository"),
    limit: limit === undefined ? undefined : Number(limit),
    organizationId: organization,
  };
}

interface Credentials {
  apiKey: string;
  authToken: string;
  /** Where they were found. */
  origin: string;
}

/** The given ones, or those of the environment, or those that the service's first start has kept. */
async function findCredentials(key: string | undefined, token: string | undefined): Promise<Credentials> {
  if (key !== undefined && token !== undefined) return { apiKey: key, authToken: token, origin: "the command line" };
  if (key !== undefined || token !== undefined) throw new Error("Give both --api-key and --auth-token, or neither.");
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, DATA_DIR } = process.env;
  if (apiKey && authToken) return { apiKey, authToken, origin: "BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN" };
  const file = join(DATA_DIR || "./data", "credentials.json");
  const advice = "set DATA_DIR to that of the service, or give --api-key and --auth-token";
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${file} cannot be read: ${advice}.`, { cause });
  });
  const kept = credentialsOf(content);
  if (!kept?.apiKey || !kept.authToken) throw new Error(`${file} holds no credentials: ${advice}.`);
  return { apiKey: kept.apiKey, authToken: kept.authToken, origin: file };
}

/** Holds as far as the caller checks it: the service writes the file, a hand may have changed it. */
function credentialsOf(content: string): { apiKey?: string; authToken?: string } | null {
  try {
    return JSON.parse(content) as { apiKey?: string; authToken?: string } | null;
  } catch {
    return null;
  }
}

/** Says where wrong credentials came from, before anything is written. */
async function checkAccess(service: Service, origin: string): Promise<void> {
  try {
    await call(service, "/v2/organizations/get", { pageSize: 1 });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== "PERMISSION_DENIED") throw error;
    const { message } = error;
    throw new Error(
      `${message} The credentials are from ${origin}: are they those of the service at ${service.url}? ` +
        "Set DATA_DIR to its own, or give --api-key and --auth-token; `npx colloquy token create` makes a token.",
      { cause: error },
    );
  }
}
