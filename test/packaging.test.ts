import { readdir, readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { getImports } from "./sources.ts";

const SRC = join(import.meta.dirname, "../src");
/** Package of the runtime, which no file imports. */
const RUNTIME = "node";

/** Returns the text of each file that a pruned installation runs. */
async function readRunningSources(): Promise<string[]> {
  const names = await readdir(SRC, { recursive: true });
  const running = names.filter((name) => /\.[jt]s$/.test(name) && !/\.test\.ts$|^console\/web\//.test(name));
  return Promise.all(running.map((name) => readFile(join(SRC, name), "utf8")));
}

const sources = await readRunningSources();
const dependencies = Object.keys(packageJson.dependencies);

test("all packages name the repository of the project, by which npm verifies their provenance", async () => {
  for (const folder of ["client", "react", "editor"]) {
    const { repository } = JSON.parse(await readFile(join(SRC, "../packages", folder, "package.json"), "utf8"));
    expect(repository).toEqual({ ...packageJson.repository, directory: `packages/${folder}` });
  }
  expect(packageJson.repository.url).toBe(`git+${packageJson.homepage}.git`);
});

test("everything that the service imports is installed without the development dependencies", () => {
  const packages = sources
    .flatMap(getImports)
    .filter((specifier) => !specifier.startsWith(".") && !isBuiltin(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  expect(packages.length).toBeGreaterThan(50);
  expect([...new Set(packages)].filter((name) => !dependencies.includes(name))).toEqual([]);
});

test("every production dependency is the runtime or is imported by the service", () => {
  const isNamed = (name: string) => sources.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`));
  expect(dependencies.filter((name) => name !== RUNTIME && !isNamed(name))).toEqual([]);
  expect(dependencies).toContain(RUNTIME);
});
