import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setInterval } from "node:timers/promises";
import { promisify } from "node:util";
import { npmScriptName } from "../config/environment.ts";
import { processExists } from "../database/embedded-files.ts";

const POLL_INTERVAL_MS = 500;
const isWindows = process.platform === "win32";

/**
 * Resolves when the npm that runs this process has ended, however it was ended: a killed npm sends no signal, and on
 * Windows no signal reaches its scripts. Never resolves if npm does not run this process.
 */
export async function npmEnded(): Promise<void> {
  const script = npmScriptName();
  const parent = process.ppid;
  const npm = script === undefined ? undefined : await findAncestor(generationsToNpm(script));
  if (npm === undefined) return new Promise(() => {});
  for await (const _ of setInterval(POLL_INTERVAL_MS, undefined, { ref: false })) {
    if (process.ppid === parent && processExists(npm)) continue;
    // The watcher of `npm run dev` would start the service again after the next change.
    if (process.ppid === parent && parent !== npm) process.kill(parent);
    return;
  }
}

/** The scripts of package.json `exec` their program, so only cmd.exe and the watcher of `npm run dev` come between. */
function generationsToNpm(script: string): number {
  return 1 + Number(isWindows) + Number(script === "dev");
}

/** Returns the process number of the parent (1), grandparent (2) and so on; undefined if it cannot be found. */
async function findAncestor(generations: number): Promise<number | undefined> {
  try {
    let pid = process.ppid;
    for (let generation = 1; generation < generations; generation++) pid = await getParent(pid);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

async function getParent(pid: number): Promise<number> {
  if (process.platform === "linux") {
    return Number(/^PPid:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
  }
  const query = `(Get-CimInstance Win32_Process -Filter ProcessId=${pid}).ParentProcessId`;
  const { stdout } = await (isWindows
    ? promisify(execFile)("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", query])
    : promisify(execFile)("ps", ["-o", "ppid=", "-p", String(pid)]));
  return Number(stdout);
}
