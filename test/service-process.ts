import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import { borrowEmbeddedDatabase } from "../src/database/embedded.ts";
import { copyCluster } from "./global-setup.ts";
import { silentLog } from "./harness.ts";

const MAIN = fileURLToPath(new URL("../src/main.js", import.meta.url));

/** `colloquy start` as an operator runs it, on a port of its own; killed at the end of the test if it still runs. */
export class ServiceProcess {
  /** All that was printed so far. */
  stdout = "";
  stderr = "";
  /** The exit code, once everything printed has arrived; null after a kill. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;

  constructor(environment: Record<string, string>) {
    // No variable of this machine's may have a say; PATH is for what the embedded database calls.
    const env = { PATH: String(process.env.PATH), PORT: "0", ...environment };
    // Nor may a file .env of the developer's.
    const cwd = tmpdir();
    this.#child = spawn(process.execPath, [MAIN, "start"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.#child, "close").then(([code]) => code);
    onTestFinished(() => this.kill());
  }

  /** Resolves once `pattern` stands in what was printed there; fails when the process ends without it. */
  async printed(pattern: RegExp, stream: "stdout" | "stderr" = "stdout"): Promise<RegExpExecArray> {
    const end = this.ended.then(() => "ended");
    for (;;) {
      const match = pattern.exec(this[stream]);
      if (match) return match;
      if ((await Promise.race([once(this.#child[stream], "data"), end])) === "ended" && !pattern.test(this[stream])) {
        throw new Error(`the service ended without ${pattern}:\n${this.stdout}${this.stderr}`);
      }
    }
  }

  /** Where it listens, once it does. */
  async address(): Promise<string> {
    const [, address = ""] = await this.printed(/"address":"([^"]+)","msg":"listening"/);
    return address;
  }

  /** As an operator stops it; the exit code. */
  terminate(signal: "SIGTERM" | "SIGHUP" = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}

/**
 * A DATA_DIR for the length of the test, empty or with a PostgreSQL that is made already and was never used by a
 * service. The one that a killed service leaves in it is stopped at the end.
 */
export async function temporaryDataDir({ isPostgresMade = false } = {}): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  if (isPostgresMade) copyCluster(inject("madeDataDir"), dataDir);
  onTestFinished(async () => {
    const isLeft = await access(join(dataDir, "postgres", "postmaster.pid")).then(
      () => true,
      () => false,
    );
    if (isLeft) await (await borrowEmbeddedDatabase({ dataDir, log: silentLog })).stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** The process number of the PostgreSQL that runs in `dataDir`. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
}
