import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Account, chooseAccount, chooseCaller, type ProgramCaller } from "./embedded-account.ts";
import { type Binaries, findBinaries } from "./embedded-binaries.ts";

const run = promisify(execFile);

/** PostgreSQL cluster of one DATA_DIR. */
export interface Cluster {
  dataDir: string;
  /** Data directory of PostgreSQL. It also holds the socket, since only its owner can enter it. */
  directory: string;
  logFile: string;
  /** Whether a Unix socket is used; loopback TCP is used if the platform has none or the path is too long. */
  usesSocket: boolean;
  /** Number of connections that a server accepts that this process starts. */
  maxConnections: number;
  password: string;
  binaries: Binaries;
  callProgram: ProgramCaller;
}

/** Name of the SUPERUSER, and of the database in which locks are taken. */
export const SUPERUSER = "postgres";

/** Port number in the socket's file name. */
export const SOCKET_PORT = 5432;

/** Suffices for the pools of several processes and commands. */
const MIN_CONNECTIONS = 200;

const PASSWORD_FILE = "colloquy.password";
const UNUSABLE_CODES = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST"]);
const TEMPORARY_NAME = /^postgres-new-(\d+)-/;
const TEMPORARY_LIFETIME_MS = 10 * 60_000;

/** Finds or creates the cluster of `dataDir`. A cluster is created atomically. */
export async function prepareCluster(dataDir: string, maxConnections = MIN_CONNECTIONS): Promise<Cluster> {
  const absolute = resolve(dataDir);
  try {
    const cluster = await prepareWritable(absolute);
    return { ...cluster, maxConnections: Math.max(maxConnections, MIN_CONNECTIONS) };
  } catch (error) {
    const code = errorCode(error) ?? "";
    // A file system that cannot create directories, such as /proc, reports ENOENT.
    const isUnusable = UNUSABLE_CODES.has(code) || (code === "ENOENT" && makesDirectory(error));
    if (!isUnusable) throw error;
    const cause = error instanceof Error ? error.message : code;
    throw new Error(`DATA_DIR ${absolute} cannot be used (${cause}); repair it or set another DATA_DIR.`, {
      cause: error,
    });
  }
}

/** Returns whether `dataDir` has a cluster, without creating one. */
export function hasCluster(dataDir: string): Promise<boolean> {
  return exists(join(resolve(dataDir), "postgres"));
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function makesDirectory(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "mkdir";
}

async function prepareWritable(absolute: string): Promise<Omit<Cluster, "maxConnections">> {
  const account = await chooseAccount(join(absolute, "postgres"));
  await makeDataDirectory(absolute, account);
  // The real path gives the same socket path for every way to reach the directory.
  const dataDir = await realpath(absolute);
  const directory = join(dataDir, "postgres");
  const binaries = await findBinaries();
  const callProgram = await chooseCaller(account, [binaries.postgres, dataDir]);
  if (!(await exists(directory))) await makeCluster({ dataDir, directory, account, binaries, callProgram });
  if (account !== undefined && (await stat(directory)).uid === 0) {
    // A backup may have been restored by root; PostgreSQL rejects files that its account does not own.
    await run("chown", ["-R", `${account.uid}:${account.gid}`, directory]);
  }
  const password = await readFile(join(directory, PASSWORD_FILE), "utf8");
  const usesSocket = fitsSocket(directory);
  return { dataDir, directory, logFile: join(dataDir, "postgres.log"), usesSocket, password, binaries, callProgram };
}

/** Returns whether the socket's path fits sockaddr_un: 108 bytes on Linux, 104 elsewhere, with the final zero. */
function fitsSocket(directory: string): boolean {
  const longest = process.platform === "linux" ? 107 : 103;
  const path = join(directory, `.s.PGSQL.${SOCKET_PORT}`);
  // PostgreSQL splits its list of socket directories at commas.
  return process.platform !== "win32" && Buffer.byteLength(path) <= longest && !/[,"]/.test(directory);
}

async function makeDataDirectory(path: string, account: Account | undefined): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === "EEXIST" && (await stat(path)).isDirectory()) return;
    throw error;
  }
  if (account === undefined) return;
  // The folder is closed to all but root; PostgreSQL's account may only pass through it to its own directory.
  await chown(path, 0, account.gid);
  await chmod(path, 0o710);
}

async function makeCluster(target: {
  dataDir: string;
  directory: string;
  account: Account | undefined;
  binaries: Binaries;
  callProgram: ProgramCaller;
}): Promise<void> {
  const { dataDir, directory, account, binaries, callProgram } = target;
  await removeAbandoned(dataDir);
  const temporary = join(dataDir, `postgres-new-${process.pid}-${randomBytes(4).toString("hex")}`);
  await mkdir(temporary, { mode: 0o700 });
  try {
    if (account !== undefined) await chown(temporary, account.uid, account.gid);
    await initialise(temporary, { account, binaries, callProgram });
    await rename(temporary, directory);
    await syncDirectory(dataDir);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process has created the cluster first.
    if (await exists(directory)) return;
    throw error;
  }
}

/**
 * PostgreSQL's own locale: it sorts text by code points on every machine, so that no change of a library breaks an
 * index, and knows the case of all letters of Unicode, which searches disregard.
 */
const LOCALE = ["-E", "UTF8", "--no-locale", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

async function initialise(
  temporary: string,
  { account, binaries, callProgram }: { account: Account | undefined; binaries: Binaries; callProgram: ProgramCaller },
): Promise<void> {
  const password = randomBytes(24).toString("hex");
  // The file is not inside the directory, which must be empty for initdb.
  const secret = `${temporary}.password`;
  await writeFile(secret, password, { mode: 0o600, flag: "wx" });
  try {
    if (account !== undefined) await chown(secret, account.uid, account.gid);
    const { file, args, options } = callProgram(
      binaries.initdb,
      // initdb syncs what it made (measured: 0.15 s of its 0.6 s), so a crash after the rename finds it whole.
      ["-D", temporary, "-U", SUPERUSER, ...LOCALE, "-A", "scram-sha-256", `--pwfile=${secret}`],
      temporary,
    );
    await run(file, args, options).catch((error: { stderr?: string; message: string }) => {
      const reason = lastComplaints(error.stderr ?? "") || error.message;
      throw new Error(`PostgreSQL's files could not be made in DATA_DIR ${dirname(temporary)}: ${reason}`);
    });
  } finally {
    await rm(secret, { force: true });
  }
  // A socket that only its owner can reach needs no password; a loopback port is open to every local user.
  const rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
  for (const [name, text] of Object.entries({ "pg_hba.conf": rules, [PASSWORD_FILE]: password })) {
    const path = join(temporary, name);
    await writeFile(path, text, { mode: 0o600, flush: true });
    if (account !== undefined) await chown(path, account.uid, account.gid);
  }
  await syncDirectory(temporary);
}

/** Removes what a process killed during initdb has left. The age guards against reused process ids. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const maker = TEMPORARY_NAME.exec(name)?.[1];
    if (maker === undefined) continue;
    const path = join(dataDir, name);
    const made = await stat(path).catch(() => undefined);
    const old = made !== undefined && Date.now() - made.mtimeMs > TEMPORARY_LIFETIME_MS;
    if (old || !processExists(Number(maker))) {
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    },
  );
}

/** Makes a rename in `path` durable. Windows has no such call and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/** Returns the last errors in a log of PostgreSQL, on one line and without their times. */
export function lastComplaints(text: string): string {
  const lines = text.trim().split("\n");
  const complaints = lines.filter((line) => !line.includes(" LOG:  "));
  const last = (complaints.length > 0 ? complaints : lines).slice(-4);
  return last
    .map((line) =>
      line
        .replace(/^\S+ \S+ UTC \[\d+\] /, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .join(" ");
}
