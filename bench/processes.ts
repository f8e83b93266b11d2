import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Running {
  /** The first line that it printed and `accept` liked. */
  line: string;
  process: ChildProcess;
  /** Resident memory in bytes, now. */
  memoryBytes(): number;
  stop(): Promise<void>;
}

/** Starts a Node program and waits for the line that says it is ready. */
export function startProgram(
  args: string[],
  options: { environment?: Record<string, string>; directory?: string; accept(line: string): boolean },
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: options.directory,
    env: { PATH: process.env.PATH, ...options.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Running>();
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const line = output.split("\n").slice(0, -1).find(options.accept);
    if (line !== undefined) resolve({ line, process: child, memoryBytes: () => residentBytes(child), stop });
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

/** As Linux counts it. */
function residentBytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
