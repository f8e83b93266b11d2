import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { registerCleanup } from "../cleanup.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";

/** Folder that `npm run release` writes. */
export const RELEASE = join(import.meta.dirname, "../../release");
export const VERSION = packageJson.version;

const { HOME = "" } = process.env;
/** Variables of a shell in which this Node.js is the first. */
const SHELL = { HOME, PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter) };

export const run = promisify(execFile);

/** Creates an empty folder that is deleted at the end of the file or test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-release-"));
  // PostgreSQL runs under another account if the tests run as root.
  await chmod(folder, 0o711);
  registerCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A service that runs until `stop` or the end of the file or test. */
export interface RunningService {
  address: string;
  /** Runs a command beside the service. Returns its output. Throws if it fails. */
  colloquy(...args: string[]): Promise<string>;
  /** Calls an operation with the credentials of the first workspace. Returns its `data`. */
  call<Data>(path: string, data: unknown): Promise<Data>;
  /** Ends the service by SIGTERM. Resolves with its exit code and its log. */
  stop(): Promise<{ exitCode: number | null; log: string }>;
}

/** The released service as a user has it: a command, in a folder where nothing else is. */
export class Installation {
  readonly folder: string;
  readonly #command: string;
  readonly #environment: Record<string, string>;

  constructor(folder: string, command: string, environment: Record<string, string>) {
    this.folder = folder;
    this.#command = command;
    this.#environment = environment;
  }

  /** Returns the same installation with a free port and other variables. */
  async with(environment: Record<string, string>): Promise<Installation> {
    const PORT = String(await freePort());
    return new Installation(this.folder, this.#command, { ...this.#environment, PORT, ...environment });
  }

  /** Runs a command of the service. Returns its output. Throws if it fails. */
  async colloquy(...args: string[]): Promise<string> {
    const options = { cwd: this.folder, env: this.#environment };
    const { stdout } = await run(this.#command, args, options).catch((error) => {
      throw new Error(`colloquy ${args.join(" ")} failed: ${error.stdout}${error.stderr}`);
    });
    return stdout;
  }

  /** Starts the service and waits until it is ready. */
  async start(): Promise<RunningService> {
    const env = this.#environment;
    const child = spawn(this.#command, ["start"], { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const ended = once(child, "close");
    registerCleanup(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const address = `http://127.0.0.1:${env.PORT}`;
    await eventually(async () => {
      if (child.exitCode !== null) return;
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
    });
    if (child.exitCode !== null) throw new Error(`The service has ended: ${(await output).join("")}`);
    const credentials = JSON.parse(await this.colloquy("env", "--json"));
    const headers = {
      "content-type": "application/json",
      "x-service-api-key": credentials.apiKey,
      "x-service-auth-token": credentials.authToken,
    };
    return {
      address,
      colloquy: (...args) => this.colloquy(...args),
      async call(path, data) {
        const response = await fetch(address + path, { method: "POST", headers, body: JSON.stringify({ data }) });
        const body = await response.text();
        if (!response.ok) throw new Error(`${path} failed: ${body}`);
        const parsed = JSON.parse(body);
        return (parsed.result ?? parsed).data;
      },
      async stop() {
        child.kill("SIGTERM");
        const [exitCode] = await ended;
        return { exitCode, log: (await output).join("") };
      },
    };
  }
}

/**
 * Installs the npm package in an empty folder, which its owner alone can enter, like the home of root. Returns the
 * installation and what npm prints.
 */
export async function installPackage(): Promise<{ installation: Installation; output: string }> {
  const folder = await emptyFolder();
  await chmod(folder, 0o700);
  const tarball = join(RELEASE, `colloquy-${VERSION}.tgz`);
  const { stdout, stderr } = await run("npm", ["install", "--prefer-offline", tarball], { cwd: folder, env: SHELL });
  const installed = new Installation(folder, join(folder, "node_modules/.bin/colloquy"), SHELL);
  return { installation: await installed.with({}), output: stdout + stderr };
}

/** Unpacks an archive. Returns its folder. */
export async function unpackArchive(platform: string): Promise<string> {
  const folder = await emptyFolder();
  const name = `colloquy-${VERSION}-${platform}`;
  await run("tar", ["-xzf", join(RELEASE, `${name}.tar.gz`), "-C", folder]);
  return join(folder, name);
}
