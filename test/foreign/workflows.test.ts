import { existsSync, readdirSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import packageJson from "../../package.json" with { type: "json" };
import { readProjectFile, readYaml } from "../deploy-files.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = ".github/workflows";
const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

interface Dependabot {
  version: number;
  updates: { "package-ecosystem": string; directory: string; schedule: object }[];
}

// The package imports JSON without the attribute that Node.js requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice");

/** Returns what GitHub's own parser finds in a workflow: unknown keys, wrong types, and contexts that do not exist. */
async function findWorkflowErrors(path: string, text: string): Promise<string[]> {
  const diagnostics = await validate(TextDocument.create(`file:///${path}`, "yaml", 1, text));
  return diagnostics.map(({ range, message }) => `${path}:${range.start.line + 1}: ${message}`);
}

test.each(workflows)("%s has no error", async (path) => {
  expect(await findWorkflowErrors(path, readProjectFile(path))).toEqual([]);
});

test.each(workflows)("%s pins each action to a commit, and the token of its jobs to what they need", (path) => {
  const text = readProjectFile(path);
  const actions = [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  expect(text).toMatch(/^permissions:\n( {2}contents: read\n)\n/m);
});

test.each(workflows)("%s runs scripts and files of the project that exist", (path) => {
  const text = readProjectFile(path);
  const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  const files = [...text.matchAll(/(?:node|vitest\.long\.config\.ts|--file) ([\w./-]+\/[\w./-]+)/g)];
  expect(files.flatMap(([, file = ""]) => (existsSync(join(ROOT, file)) ? [] : [file]))).toEqual([]);
});

test("Dependabot updates the versions in every file that pins some", () => {
  const { version, updates } = readYaml<Dependabot>(".github/dependabot.yml");
  expect(version).toBe(2);
  const updated = Object.fromEntries(updates.map((update) => [update["package-ecosystem"], update.directory]));
  expect(updated).toEqual({ npm: "/", "github-actions": "/", docker: "/deploy", "docker-compose": "/deploy" });
  for (const { schedule, ...others } of updates) {
    expect(schedule).toEqual({ interval: "weekly" });
    const known = ["package-ecosystem", "directory", "groups", "ignore"];
    expect(Object.keys(others).filter((key) => !known.includes(key))).toEqual([]);
  }
});

test("the check notices unknown keys and permissions, missing jobs, and contexts that do not exist", async () => {
  const job = "jobs:\n  a:\n    runs-on: ubuntu-24.04\n";
  const steps = "    steps:\n      - run: echo\n";
  // The parser remembers what it has read from a path.
  let count = 0;
  const check = (text: string) => findWorkflowErrors(`${count++}.yml`, `on: push\n${text}`);
  expect(await check(`${job}${steps}`)).toEqual([]);
  for (const [text, error] of [
    [`${job}${steps}        wth: a\n`, "Unexpected value 'wth'"],
    [`permissions:\n  content: read\n${job}${steps}`, "Unexpected value 'content'"],
    [`${job}    needs: b\n${steps}`, "is not valid"],
    [`${job}${steps}        if: steps.b.outputs.c\n`, "Context access might be invalid: b"],
    [`${job}    env:\n      A: \${{ githob.sha }}\n${steps}`, "Unrecognized named-value: 'githob'"],
  ] as const) {
    expect(await check(text)).toContainEqual(expect.stringContaining(error));
  }
});
