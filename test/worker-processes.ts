import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ServiceProcess } from "./service-process.ts";

/** Returns the lines of the log, parsed. */
export function getLog({ stdout }: ServiceProcess): { pid: number; msg: string; reason?: string }[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns the process IDs of the workers of a service, which has logged something. */
export async function getWorkers(service: ServiceProcess): Promise<number[]> {
  const primary = getLog(service)[0]?.pid;
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "pid=,ppid=,command="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === primary && command.includes("main.js") ? [Number(pid)] : [];
  });
}

/** Runs `open` while only one worker can accept connections. */
export async function onWorker<Result>(worker: number, all: number[], open: () => Promise<Result>): Promise<Result> {
  const others = all.filter((pid) => pid !== worker);
  for (const pid of others) process.kill(pid, "SIGSTOP");
  try {
    return await open();
  } finally {
    for (const pid of others) process.kill(pid, "SIGCONT");
  }
}
