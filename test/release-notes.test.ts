import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readNotes } from "../build/release/notes.ts";
import packageJson from "../package.json" with { type: "json" };
import { emptyFolder } from "./command-line.ts";

const CHANGELOG = "# Changelog\n\n## 1.2.0, 2030-01-31\n\n- [New](docs/new.md).\n\n## 1.1.0, 2029-12-01\n\n- Old.\n";

/** Creates a project whose version is 1.2.0, with other contents of these files. Returns its folder. */
async function createProject(others: Record<string, string> = {}): Promise<string> {
  const folder = await emptyFolder();
  const files = {
    "package.json": JSON.stringify({ name: "colloquy", version: "1.2.0" }, undefined, 2),
    "packages/client/package.json": JSON.stringify({ version: "1.2.0" }, undefined, 2),
    "deploy/helm/colloquy/Chart.yaml": "version: 1.2.0\nappVersion: 1.2.0\n",
    "CHANGELOG.md": CHANGELOG,
    ...others,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test("the notes of a release are its section of the changelog, with links to its files", async () => {
  const link = `${packageJson.homepage}/blob/v1.2.0/docs/new.md`;
  expect(readNotes("v1.2.0", await createProject())).toBe(`- [New](${link}).`);
});

test.each<[others: Record<string, string>, error: string]>([
  [{ "package.json": '{\n  "version": "1.1.0"\n}' }, "package.json has the version 1.1.0"],
  [{ "packages/client/package.json": '{\n  "version": "1.1.0"\n}' }, "packages/client/package.json has the version"],
  [{ "deploy/helm/colloquy/Chart.yaml": "version: 1.2.0\nappVersion: 1.1.0\n" }, "Chart.yaml has the version 1.1.0"],
  [{ "CHANGELOG.md": CHANGELOG.replace("1.2.0", "1.3.0") }, 'no section "## 1.2.0, <date>"'],
  [{ "CHANGELOG.md": CHANGELOG.replace("2030-01-31", "unreleased") }, "1.2.0: unreleased"],
])("a tag is rejected if %j", async (others, error) => {
  const project = await createProject(others);
  expect(() => readNotes("v1.2.0", project)).toThrow(error);
});
