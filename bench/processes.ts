import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { hasProcessAccounting } from "./processor-time.ts";

export interface RunningProgram {
  /** First line of the output that matches the ready pattern. */
  readyLine: string;
  pid: number;
  /** Returns the resident memory of the process and its descendants now; NaN if there is no /proc. */
  memoryBytes(): number;
  stop(): Promise<void>;
}

/** Starts a Node program and waits until it prints a line that matches the ready pattern. */
export function startProgram(
  args: string[],
  options: { environment?: Record<string, string>; workingDirectory?: string; readyPattern: RegExp },
): Promise<RunningProgram> {
  const child = spawn(process.execPath, args, {
    cwd: options.workingDirectory,
    env: { PATH: process.env.PATH, ...options.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { pid = 0 } = child;
  const { promise, resolve, reject } = Promise.withResolvers<RunningProgram>();
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const readyLine = output
      .split("\n")
      .slice(0, -1)
      .find((line) => options.readyPattern.test(line));
    if (readyLine !== undefined) resolve({ readyLine, pid, memoryBytes: () => residentBytes(pid), stop });
  });
  child.on("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}:\n${output}`)));

  async function stop(): Promise<void> {
    if (child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  }
  return promise;
}

function residentBytes(pid: number): number {
  if (!hasProcessAccounting) return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  return children.reduce((sum, child) => sum + residentBytes(child), own);
}
