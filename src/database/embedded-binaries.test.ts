import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import packageLock from "../../package-lock.json" with { type: "json" };
import { assertTested, completeInstallation, findBinaries } from "./embedded-binaries.ts";

/** Creates a package whose `postgres` only runs after its install script has written the file `library`. */
async function makePackage(postinstall: string | undefined): Promise<{ folder: string; install(): Promise<void> }> {
  const folder = await mkdtemp(join(inject("runDirectory"), "binaries-"));
  const postgres = join(folder, "postgres");
  await writeFile(postgres, `#!/bin/sh\ntest -e ${join(folder, "library")}\n`);
  await chmod(postgres, 0o755);
  const manifest = join(folder, "package.json");
  await writeFile(manifest, JSON.stringify({ scripts: { postinstall } }));
  return { folder, install: () => completeInstallation(postgres, manifest) };
}

test("the package of this platform exports the paths of PostgreSQL's programs", async () => {
  expect(await findBinaries()).toEqual({
    postgres: expect.stringMatching(/postgres(\.exe)?$/),
    initdb: expect.stringMatching(/initdb(\.exe)?$/),
    pg_ctl: expect.stringMatching(/pg_ctl(\.exe)?$/),
  });
});

test.each([
  ["18.4.0-beta.16", false],
  ["18.3.0-beta.18", false],
  ["17.10.0-beta.17", false],
  ["18.4.0-beta.17", true],
  ["18.4.0", true],
  ["18.10.0-beta.2", true],
  ["19.0.0-beta.1", true],
])("version %s of the embedded PostgreSQL is accepted after 18.4.0-beta.17: %s", async (version, isAccepted) => {
  const manifest = join(await mkdtemp(join(inject("runDirectory"), "binaries-")), "package.json");
  await writeFile(manifest, JSON.stringify({ version }));
  const checked = assertTested(manifest, "^18.4.0-beta.17");
  if (isAccepted) await checked;
  else await expect(checked).rejects.toThrow(`is ${version}, but 18.4.0-beta.17 or later is needed`);
});

test("the oldest accepted version of each platform is that of the lockfile", () => {
  const installed = new Map(
    Object.entries(packageLock.packages).map(([path, details]) => [path, "version" in details && details.version]),
  );
  for (const [name, range] of Object.entries(packageJson.optionalDependencies)) {
    expect(range).toBe(`^${installed.get(`node_modules/${name}`)}`);
  }
});

test("an install script that npm has skipped runs at the first start, and only then", async () => {
  const { folder, install } = await makePackage("node -e \"fs.appendFileSync('library', '1')\"");
  await install();
  await install();
  expect(await readFile(join(folder, "library"), "utf8")).toBe("1");
});

test.each([
  ["no install script", undefined],
  ["an install script without effect", "true"],
])("with %s, a program that cannot run is an error", async (_case, postinstall) => {
  const { install } = await makePackage(postinstall);
  await expect(install()).rejects.toThrow("Command failed");
});
