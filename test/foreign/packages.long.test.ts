import { execFile } from "node:child_process";
import { globSync, readdirSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { installPacked } from "../packages/packed.ts";

const ATTW = join(import.meta.dirname, "../../node_modules/.bin/attw");
const run = promisify(execFile);
const project = await installPacked(["client", "react", "editor"]);
const COMMON_FILES = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
/** Modules that several entries share. */
const CHUNK = /^dist\/[a-z-]+-[\w-]{8}\.(js|d\.ts)$/;

/** Returns the files that a package exports. A pattern stands for all files that match it. */
async function getExported(folder: string): Promise<string[]> {
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const targets = Object.values<string | Record<string, string>>(exports).map((target) =>
    typeof target === "string" ? [target] : [target.types, target.default],
  );
  const found = targets.flat().flatMap((target) => globSync(target ?? "", { cwd: folder }));
  return [...new Set(found.map((file) => join(file)))];
}

test.each(["client", "react", "editor"])(
  "the package %s has what it exports, its license and its changelog, and nothing else",
  async (name) => {
    const folder = join(project, "node_modules/@colloquy", name);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const found = entries.flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
    );
    expect(found.filter((file) => !CHUNK.test(file)).sort()).toEqual(
      [...COMMON_FILES, ...(await getExported(folder))].sort(),
    );
    const texts = await Promise.all(found.map((file) => readFile(join(folder, file), "utf8")));
    expect(texts.join()).not.toContain(process.cwd());
    expect(await readFile(join(folder, "LICENSE"), "utf8")).toBe(await readFile("LICENSE", "utf8"));
  },
);

test.each(["client", "react", "editor"])(
  "the manifest of the package %s says where it comes from, and of which release",
  async (name) => {
    const manifest = JSON.parse(await readFile(join(project, "node_modules/@colloquy", name, "package.json"), "utf8"));
    const { version, license, homepage, repository, bugs } = packageJson;
    expect(manifest).toMatchObject({
      ...{ version, license, bugs, type: "module", engines: { node: ">=22.12" } },
      homepage: `${homepage}/blob/main/docs/${name}.md`,
      repository: { ...repository, directory: `packages/${name}` },
      sideEffects: name === "client" ? false : ["*.css"],
    });
    const changelog = await readFile(join(project, "node_modules/@colloquy", name, "CHANGELOG.md"), "utf8");
    expect(changelog).toContain(`\n## ${version}, `);
    expect(manifest.private).toBeUndefined();
    if (name !== "client") expect(manifest.peerDependencies["@colloquy/client"]).toBe(version);
  },
);

test.each(["client", "react", "editor"])("publint finds nothing in the package %s", async (name) => {
  const { messages, pkg } = await publint({ pkgDir: join(project, "node_modules/@colloquy", name), strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test.each(["client", "react", "editor"])(
  "Are The Types Wrong? finds nothing in the package %s for ES modules",
  async (name) => {
    const tarball = readdirSync(project).find((file) => file.startsWith(`colloquy-${name}-`)) ?? "";
    // The packages are ES modules only, and a stylesheet has no types.
    const options = ["--profile", "esm-only", "--exclude-entrypoints", "styles.css", "--no-emoji", "--no-color"];
    // It ends with an exit code if it finds a problem.
    const { stdout } = await run(process.execPath, [ATTW, join(project, tarball), ...options]);
    expect(stdout).toContain("OK (ESM)");
  },
);
