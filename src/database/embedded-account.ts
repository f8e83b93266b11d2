import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The unprivileged account that root lends to PostgreSQL. */
export interface Account {
  uid: number;
  gid: number;
}

/** Arguments for child_process to run one of PostgreSQL's programs. */
interface ProgramCall {
  file: string;
  args: string[];
  options: { cwd: string; env: Record<string, string>; uid?: number; gid?: number };
}

export type ProgramCaller = (program: string, args: string[], cwd: string) => ProgramCall;

/** Environment of PostgreSQL. It inherits neither PG… variables, which would redirect it, nor secrets. */
const environment = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };

/** Chooses the account for PostgreSQL; undefined for an ordinary user. An existing cluster keeps its owner. */
export async function chooseAccount(clusterDirectory: string): Promise<Account | undefined> {
  const self = process.getuid?.();
  if (self === undefined) return undefined;
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (self !== 0) {
    if (owner !== undefined && owner.uid !== self) {
      throw new Error(`${clusterDirectory} belongs to user ${owner.uid}; run colloquy as that user or as root.`);
    }
    return undefined;
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const lines = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "PostgreSQL does not run as root and this machine has no account postgres or nobody; " +
      "run colloquy as an ordinary user or set DATABASE_URL.",
  );
}

/** Returns how to run programs as `account`, even if a closed directory is above `paths`. */
export async function chooseCaller(account: Account | undefined, paths: string[]): Promise<ProgramCaller> {
  if (account === undefined) return (file, args, cwd) => ({ file, args, options: { cwd, env: environment } });
  const reachable = await Promise.all(paths.map((path) => canReach(account, path)));
  if (reachable.every(Boolean)) {
    return (file, args, cwd) => ({ file, args, options: { cwd, env: environment, ...account } });
  }
  // A container's root usually lacks the first capability and has the second; neither is root to PostgreSQL.
  for (const capability of ["dac_read_search", "dac_override"]) {
    const caller = withCapability(account, capability);
    const { file, args, options } = caller("/bin/sh", ["-c", "true"], "/");
    if (
      await run(file, args, options).then(
        () => true,
        () => false,
      )
    )
      return caller;
  }
  const closed = paths[reachable.indexOf(false)];
  throw new Error(
    `PostgreSQL cannot run as root, and the account it runs under (uid ${account.uid}) cannot reach ${closed}; ` +
      "open the directories above it (chmod a+x), set another DATA_DIR, or run colloquy as an ordinary user.",
  );
}

function withCapability(account: Account, capability: string): ProgramCaller {
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  const capabilities = [`--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`];
  // PostgreSQL's programs look for each other by access(2), which ignores the capability without this bit.
  capabilities.push("--securebits=+no_setuid_fixup");
  // The bounding set is reduced too, so that no program started by PostgreSQL regains more.
  const prefix = [...identity, ...capabilities, `--bounding-set=-all,+${capability}`, "--no-new-privs", "--"];
  return (file, args, cwd) => ({
    file: "setpriv",
    args: [...prefix, file, ...args],
    options: { cwd, env: environment },
  });
}

/** Returns whether the account can reach the path by mode bits. Access lists are ignored; setpriv handles them. */
async function canReach(account: Account, path: string): Promise<boolean> {
  for (let current = path; ; current = dirname(current)) {
    const found = await stat(current).catch(() => undefined);
    if (found !== undefined) {
      const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0;
      if (((found.mode >> shift) & 1) === 0) return false;
    }
    if (current === dirname(current)) return true;
  }
}
