import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export const ROOT = join(import.meta.dirname, "../..");

/** Folder of everything that is released. */
export const RELEASE = join(ROOT, "release");

/** The npm package `colloquy`, unpacked: the bundled service, the console, and the licenses of what is bundled. */
export const PACKAGE = join(RELEASE, "dist");

const run = promisify(execFile);

/** Runs a program and returns its output. Throws an error with its messages if it fails. */
export async function runProgram(program: string, args: readonly string[], folder = ROOT): Promise<string> {
  const { stdout } = await run(program, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
