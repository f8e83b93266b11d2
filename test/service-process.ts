import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished, TestRunner } from "vitest";
import { readConfig } from "../src/config/config.ts";
import { createLogger } from "../src/config/log.ts";
import { VARIABLES } from "../src/config/variables.ts";
import { borrowEmbeddedDatabase } from "../src/database/embedded.ts";
import { processExists } from "../src/database/embedded-files.ts";
import { type Service, startService } from "../src/service/service.ts";
import { registerCleanup } from "./cleanup.ts";
import { copyCluster } from "./global-setup.ts";
import { silentLog } from "./harness.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const START = [process.execPath, join(ROOT, "src/main.js"), "start"];
/** All variables with an empty value, which counts as unset and takes precedence over a developer's .env file. */
const NO_VARIABLES = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, ""]));

/** Returns the command that runs a script of package.json. */
export function npmRun(script: string): string[] {
  return ["npm", "--prefix", ROOT, "run", script];
}

/**
 * A process of `colloquy start` on a free port. It is killed at the end of the test if it still runs; a hook that
 * starts one kills it.
 */
export class ServiceProcess {
  stdout = "";
  stderr = "";
  /** Resolves with the exit code when all processes that write to the output have ended; null after a kill. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #hasEnded = false;

  constructor(environment: Record<string, string>, command = START) {
    // The embedded database runs programs that are on the PATH.
    const inherited = { ...NO_VARIABLES, PATH: String(process.env.PATH), PORT: "0", PROCESSES: "1" };
    const env = { ...inherited, ...environment };
    const [file = "", ...args] = command;
    this.#child = spawn(file, args, { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.#child, "close").then(([code]) => {
      this.#hasEnded = true;
      return code;
    });
    if (TestRunner.getCurrentTest()) onTestFinished(() => this.kill());
  }

  /** Resolves with the match once the output matches `pattern`. Throws if the process ends before. */
  async waitForOutput(pattern: RegExp, stream: "stdout" | "stderr" = "stdout"): Promise<RegExpExecArray> {
    const end = this.ended.then(() => "ended");
    for (;;) {
      const match = pattern.exec(this[stream]);
      if (match) return match;
      if ((await Promise.race([once(this.#child[stream], "data"), end])) === "ended" && !pattern.test(this[stream])) {
        throw new Error(`The service ended before its output matched ${pattern}:\n${this.stdout}${this.stderr}`);
      }
    }
  }

  /** Resolves with the address once the service serves requests, or already while it starts. */
  async address(state: "starting" | "listening" = "listening"): Promise<string> {
    const [, address = ""] = await this.waitForOutput(new RegExp(`"address":"([^"]+)","msg":"${state}"`));
    return address;
  }

  /** Whether all processes that write to the output have ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Closes the reading end of the service's standard output, so that it cannot write to it (EPIPE). */
  closeStdout(): void {
    this.#child.stdout.destroy();
  }

  /** Sends the signal and resolves with the exit code. */
  terminate(signal: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** Kills the process, and the service if npm runs it. */
  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill("SIGKILL");
    const pid = Number(/"pid":(\d+)/.exec(this.stdout)?.[1]);
    if (pid > 0 && processExists(pid)) process.kill(pid, "SIGKILL");
    await this.ended;
  }
}

/**
 * Starts a service in this process, in a tenth of the processor time of a ServiceProcess, until the end of the test.
 * Its log is that of `colloquy start`.
 */
export async function startInProcess(environment: Record<string, string>): Promise<Service & { readLog(): string }> {
  const DATA_DIR = await temporaryDataDir();
  const path = join(DATA_DIR, "log");
  const config = readConfig({ PORT: "0", DATA_DIR, ...environment });
  // It stays open: a service that has stopped may still log, and would write into what has its number by then.
  const fd = openSync(path, "a");
  const service = await startService(config, createLogger(config.logLevel, { fd }));
  onTestFinished(() => service.stop());
  return { ...service, readLog: () => readFileSync(path, "utf8") };
}

/**
 * Returns a DATA_DIR for the duration of the test or file: empty, or with a new PostgreSQL cluster that no service has
 * used. Stops the PostgreSQL that a killed service leaves in it.
 */
export async function temporaryDataDir({ isPostgresPrepared = false } = {}): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  if (isPostgresPrepared) copyCluster(inject("preparedDataDir"), dataDir);
  registerCleanup(async () => {
    const isLeft = await access(join(dataDir, "postgres", "postmaster.pid")).then(
      () => true,
      () => false,
    );
    if (isLeft) await (await borrowEmbeddedDatabase({ dataDir, log: silentLog })).stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** Returns the process ID of the PostgreSQL that runs in `dataDir`. */
export async function readPostmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
}
