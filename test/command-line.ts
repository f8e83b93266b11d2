import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { expect, onTestFinished, vi } from "vitest";
import { createProgram } from "../src/commands/program.ts";
import { getExitCode, run } from "../src/commands/run.ts";
import { VARIABLES } from "../src/config/variables.ts";
import { registerCleanup } from "./cleanup.ts";

const MAIN = fileURLToPath(new URL("../src/main.js", import.meta.url));

export type Environment = Record<string, string>;

/** Exit code and output of a command. */
interface Ended {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Starts a command in its own process, with only these environment variables, until the end of the test. */
export function startProcess(args: string[], environment: Environment, cwd = tmpdir()) {
  // The embedded database runs programs that are on the PATH.
  const env = { PATH: String(process.env.PATH), ...environment };
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs a command in its own process, with only these environment variables. */
export async function runProcess(args: string[], environment: Environment, cwd = tmpdir()): Promise<Ended> {
  const child = startProcess(args, environment, cwd);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, exitCode };
}

/** Runs a command in this process, which is 0.4 s faster than `runProcess`, with only these environment variables. */
export async function runCommand(args: string[], environment: Environment): Promise<Ended> {
  // Empty counts as unset and takes precedence over a developer's .env file.
  for (const name of Object.keys(VARIABLES)) vi.stubEnv(name, environment[name] ?? "");
  try {
    return await captureOutput(() => run(args));
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Parses help or wrong usage. No command may accept it. */
export function parseUsage(args: string[]): Promise<Ended> {
  return captureOutput(async () => {
    const program = await createProgram(args[0]);
    const error: unknown = await program.parseAsync(args, { from: "user" }).catch((reason) => reason);
    if (!(error instanceof CommanderError)) throw new Error(`the arguments were accepted: ${args.join(" ")}`);
    return getExitCode(error);
  });
}

/** Returns the exit code of `work` and what it prints, which does not reach the terminal. */
async function captureOutput(work: () => Promise<number>): Promise<Ended> {
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const exitCode = await work();
    const [printed = "", explained = ""] = [stdout, stderr].map(({ mock }) =>
      mock.calls.map(([text]) => text).join(""),
    );
    return { stdout: printed, stderr: explained, exitCode };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

/** Runs a command that must succeed and returns the JSON that it prints. */
export async function runJsonCommand(args: string[], environment: Environment) {
  const { stdout, stderr, exitCode } = await runCommand([...args, "--json"], environment);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

/** Returns an empty folder that is deleted at the end of the test or file. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-commands-"));
  registerCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
