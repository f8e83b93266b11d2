import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Account, chooseAccount, chooseCaller, type ProgramCaller } from "./embedded-account.ts";
import { type Binaries, findBinaries } from "./embedded-binaries.ts";

const run = promisify(execFile);

/** The PostgreSQL of one DATA_DIR. */
export interface Cluster {
  dataDir: string;
  /** PostgreSQL's own directory; its socket lies in it too, since nobody but its owner can enter. */
  directory: string;
  logFile: string;
  /** False where the platform has no Unix sockets or the path is too long for one: then loopback TCP. */
  usesSocket: boolean;
  password: string;
  binaries: Binaries;
  callProgram: ProgramCaller;
}

/** The name of the superuser, and of the database that locks are taken in. */
export const superuser = "postgres";

/** The number in the socket's file name. */
export const socketPort = 5432;

const passwordFile = "colloquy.password";
const UNUSABLE_CODES = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST"]);
const temporaryName = /^postgres-new-(\d+)-/;
const temporaryLifetimeMs = 10 * 60_000;

/** Finds or makes the cluster of `dataDir`. A cluster appears whole or not at all. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const absolute = resolve(dataDir);
  try {
    return await prepareWritable(absolute);
  } catch (error) {
    const code = errorCode(error) ?? "";
    // A file system without directories to make, such as /proc, says ENOENT.
    const isUnusable = UNUSABLE_CODES.has(code) || (code === "ENOENT" && makesDirectory(error));
    if (!isUnusable) throw error;
    const cause = error instanceof Error ? error.message : code;
    throw new Error(`DATA_DIR ${absolute} cannot be used (${cause}); repair it or set another DATA_DIR.`, {
      cause: error,
    });
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function makesDirectory(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "mkdir";
}

async function prepareWritable(absolute: string): Promise<Cluster> {
  const account = await chooseAccount(join(absolute, "postgres"));
  await makeDataDirectory(absolute, account);
  // The same directory gives the same socket path, however it is reached.
  const dataDir = await realpath(absolute);
  const directory = join(dataDir, "postgres");
  const binaries = await findBinaries();
  const callProgram = await chooseCaller(account, [binaries.postgres, dataDir]);
  if (!(await exists(directory))) await makeCluster({ dataDir, directory, account, binaries, callProgram });
  if (account !== undefined && (await stat(directory)).uid === 0) {
    // A backup restored by root; PostgreSQL would refuse files that are not its account's.
    await run("chown", ["-R", `${account.uid}:${account.gid}`, directory]);
  }
  const password = await readFile(join(directory, passwordFile), "utf8");
  const usesSocket = fitsSocket(directory);
  return { dataDir, directory, logFile: join(dataDir, "postgres.log"), usesSocket, password, binaries, callProgram };
}

/** sockaddr_un holds 108 bytes on Linux and 104 elsewhere, with the closing zero. */
function fitsSocket(directory: string): boolean {
  const longest = process.platform === "linux" ? 107 : 103;
  const path = join(directory, `.s.PGSQL.${socketPort}`);
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
  // Closed to all but root, except that PostgreSQL's account may pass through it to its own directory.
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
    // Another process was faster; its cluster serves as well.
    if (await exists(directory)) return;
    throw error;
  }
}

async function initialise(
  temporary: string,
  { account, binaries, callProgram }: { account: Account | undefined; binaries: Binaries; callProgram: ProgramCaller },
): Promise<void> {
  const password = randomBytes(24).toString("hex");
  // Beside the directory, which initdb wants empty.
  const secret = `${temporary}.password`;
  await writeFile(secret, password, { mode: 0o600, flag: "wx" });
  try {
    if (account !== undefined) await chown(secret, account.uid, account.gid);
    const { file, args, options } = callProgram(
      binaries.initdb,
      // Locale C: the same order of text on every machine, and none of its libraries' changes breaks an index.
      // initdb syncs what it made (measured: 0.15 s of its 0.6 s), so a crash after the rename finds it whole.
      ["-D", temporary, "-U", superuser, "-E", "UTF8", "--no-locale", "-A", "scram-sha-256", `--pwfile=${secret}`],
      temporary,
    );
    await run(file, args, options).catch((error: { stderr?: string; message: string }) => {
      const reason = lastComplaints(error.stderr ?? "") || error.message;
      throw new Error(`PostgreSQL's files could not be made in DATA_DIR ${dirname(temporary)}: ${reason}`);
    });
  } finally {
    await rm(secret, { force: true });
  }
  // A socket only its owner can reach needs no password; a loopback port is open to every local user and does.
  const rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
  for (const [name, text] of Object.entries({ "pg_hba.conf": rules, [passwordFile]: password })) {
    const path = join(temporary, name);
    await writeFile(path, text, { mode: 0o600, flush: true });
    if (account !== undefined) await chown(path, account.uid, account.gid);
  }
  await syncDirectory(temporary);
}

/** What a process killed during initdb left; the age covers process numbers that were given again. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const maker = temporaryName.exec(name)?.[1];
    if (maker === undefined) continue;
    const path = join(dataDir, name);
    const made = await stat(path).catch(() => undefined);
    const old = made !== undefined && Date.now() - made.mtimeMs > temporaryLifetimeMs;
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

/** Makes a rename in `path` survive a power cut. Windows has no such call and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/** The last complaints in a log of PostgreSQL, on one line and without their times. */
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
