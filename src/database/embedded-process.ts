import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { availableMemoryBytes } from "../config/machine.ts";
import { type Cluster, errorCode, lastComplaints, processExists, SOCKET_PORT } from "./embedded-files.ts";
import { serverSettings } from "./embedded-settings.ts";

const run = promisify(execFile);

const LOG_LIMIT_BYTES = 5 * 2 ** 20;
const POLL_MS = 20;

/** Contents of postmaster.pid. `pid` is NaN while the file is being written. */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** Reads postmaster.pid. The postmaster that wrote it may have died. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster.directory, "postmaster.pid"), "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { pid: Number.parseInt(lines[0] ?? "", 10), port: Number(lines[3]), status: lines[7]?.trim() ?? "" };
}

/** Returns whether `pid` is the postmaster of this cluster and not another program that reuses the process id. */
export async function isPostmaster(cluster: Cluster, pid: number): Promise<boolean> {
  if (!(pid > 0) || !processExists(pid)) return false;
  // Windows offers no command line to check.
  if (process.platform === "win32") return true;
  return (await getCommand(pid)).includes(` -D ${cluster.directory} `);
}

/** Returns the command line of a process; empty if it has ended, even if its exit code was not collected yet. */
async function getCommand(pid: number): Promise<string> {
  if (process.platform === "linux") {
    const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return text.replaceAll("\0", " ");
  }
  const { stdout } = await run("ps", ["-ww", "-o", "command=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout;
}

export interface Launch {
  child: ChildProcess;
  /** Resolves when PostgreSQL has ended, to what it logged last, or to undefined if it was asked to end. */
  ended: Promise<string | undefined>;
}

/**
 * Starts PostgreSQL in its own session, so that neither Ctrl-C nor the end of this process ends it. `changedSettings`
 * is for servers with disposable data.
 */
export async function launchPostgres(
  cluster: Cluster,
  port: number | undefined,
  changedSettings: Record<string, string> = {},
): Promise<Launch> {
  const { directory, logFile } = cluster;
  const former = await readPostmaster(cluster);
  const settings = {
    ...serverSettings(availableMemoryBytes(), cluster.maxConnections),
    cluster_name: clusterName(cluster),
    unix_socket_directories: cluster.usesSocket ? directory : "",
    unix_socket_permissions: "0700",
    listen_addresses: cluster.usesSocket ? "" : "127.0.0.1",
    port: String(cluster.usesSocket ? SOCKET_PORT : (port ?? (await freePort()))),
    ...changedSettings,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const call = cluster.callProgram(cluster.binaries.postgres, ["-D", directory, ...parameters], directory);
  const env = { ...call.options.env };
  // PostgreSQL treats a lock file with the id of a living process as a running server, except for this id. It is meant
  // for the parent of pg_ctl, and names here the former postmaster, whose id another program may have reused.
  if (former !== undefined && former.pid > 0 && !(await isPostmaster(cluster, former.pid))) {
    env.PG_GRANDPARENT_PID = String(former.pid);
  }
  await rotate(logFile);
  const log = await open(logFile, "a", 0o600);
  try {
    const { size } = await log.stat();
    const stdio = ["ignore", log.fd, log.fd] as const;
    const child = spawn(call.file, call.args, { ...call.options, env, detached: true, stdio: [...stdio] });
    child.unref();
    const ended = new Promise<string | undefined>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code) => resolve(code === 0 || code === null ? undefined : readLog(logFile, size)));
    });
    return { child, ended };
  } finally {
    await log.close();
  }
}

async function readLog(path: string, start: number): Promise<string> {
  const text = await readFile(path).catch(() => Buffer.alloc(0));
  return lastComplaints(text.subarray(start).toString("utf8"));
}

async function rotate(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject()));
    });
  });
}

/** Returns the name that the titles of PostgreSQL's processes contain, to recognize those of one DATA_DIR. */
function clusterName(cluster: Cluster): string {
  return `colloquy-${createHash("sha256").update(cluster.directory).digest("hex").slice(0, 12)}`;
}

/**
 * Removes what keeps PostgreSQL from starting after a kill, according to its log. Returns false if the cause is another
 * one. Processes that are busy with a statement do not notice that their postmaster was killed, and are ended first.
 */
export async function clearRemains(cluster: Cluster, reason: string): Promise<boolean> {
  if (reason.includes("shared memory block")) {
    await endOrphans(cluster);
    return true;
  }
  const socketLock = join(cluster.directory, `.s.PGSQL.${SOCKET_PORT}.lock`);
  if (/lock file ".*" is empty/.test(reason)) {
    // The file is being written, which takes less than a poll, or was left empty by a full disk or a kill.
    await delay(10 * POLL_MS);
    for (const path of [join(cluster.directory, "postmaster.pid"), socketLock]) {
      if ((await readFile(path, "utf8").catch(() => undefined)) === "") await rm(path, { force: true });
    }
    return true;
  }
  // Another process is starting PostgreSQL, and removes what a kill has left.
  if (!/lock file ".*"( already exists|: No such file)/.test(reason)) return false;
  // PostgreSQL locks its directory before the socket in it, so no other process was starting it at the same time.
  if (reason.includes(socketLock)) {
    const owner = Number.parseInt(await readFile(socketLock, "utf8").catch(() => ""), 10);
    if (!(await isPostmaster(cluster, owner))) await rm(socketLock, { force: true });
  }
  return true;
}

/** Kills the children of a dead postmaster. Nothing is lost, since crash recovery follows. */
async function endOrphans(cluster: Cluster): Promise<void> {
  const title = `postgres: ${clusterName(cluster)}: `;
  for (const { pid, parent, command } of await listProcesses()) {
    if (!command.startsWith(title) || (await isPostmaster(cluster, parent))) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (errorCode(error) !== "ESRCH") throw error;
    }
  }
}

async function listProcesses(): Promise<{ pid: number; parent: number; command: string }[]> {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") {
    const { stdout } = await run("ps", ["-A", "-ww", "-o", "pid=,ppid=,command="]);
    return stdout.split("\n").map((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return { pid: Number(pid), parent: Number(parent), command: command ?? "" };
    });
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
      return { pid, parent, command: await getCommand(pid) };
    }),
  );
}

/** Returns one sentence with what PostgreSQL logged last, or why it could not log. */
export async function createStartError(cluster: Cluster, reason: string): Promise<Error> {
  const versions = /initialized by PostgreSQL version (\d+).*this version (\d+)/.exec(reason);
  if (versions !== null) {
    return new Error(
      `The data in ${cluster.directory} is of PostgreSQL ${versions[1]} and this release runs PostgreSQL ` +
        `${versions[2]}; dump it with the release that wrote it (pg_dump) and restore it into a new DATA_DIR.`,
    );
  }
  const space = await statfs(cluster.dataDir).catch(() => undefined);
  const freeMegabytes = space === undefined ? Number.POSITIVE_INFINITY : (space.bavail * space.bsize) / 2 ** 20;
  const disk = freeMegabytes < 32 ? `the disk has ${Math.floor(freeMegabytes)} MB left: ` : "";
  return new Error(
    `PostgreSQL did not start in DATA_DIR ${cluster.dataDir}: ${disk}${reason || `see ${cluster.logFile}`}`,
  );
}

/** Stops PostgreSQL within 9 s by a fast shutdown, then an immediate one, which needs recovery, then a kill. */
export async function shutDown(cluster: Cluster): Promise<void> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === undefined) return;
  const steps: [string, number][] = [
    ["INT", 6_000],
    ["QUIT", 2_000],
    ["KILL", 1_000],
  ];
  for (const [signal, timeoutMs] of steps) {
    await sendSignal(cluster, postmaster.pid, signal);
    for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(POLL_MS)) {
      if (!(await isPostmaster(cluster, postmaster.pid))) return;
    }
  }
}

/** Sends a signal to the process `pid` if it is still the postmaster. */
export async function sendSignal(cluster: Cluster, pid: number, signal: string): Promise<void> {
  if (!(await isPostmaster(cluster, pid))) return;
  if (process.platform === "win32") {
    const { file, args, options } = cluster.callProgram(
      cluster.binaries.pg_ctl,
      ["kill", signal, String(pid)],
      cluster.directory,
    );
    await run(file, args, options).catch(() => undefined);
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
