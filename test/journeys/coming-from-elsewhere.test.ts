import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emptyFolder } from "../command-line.ts";
import { getBlocks } from "../documentation/markdown.ts";
import { comparable, exportWorkspace, writeExport } from "../exports.ts";
import type { TestWorkspace } from "../harness.ts";
import { ACME, fillWithAllKinds, runImport, service } from "../imports.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/coming-from-elsewhere.md"), "utf8");
const KINDS = [
  ...["organizations", "folders", "documents", "users", "organizationUserGroups"],
  ...["commentAnnotations", "notifications", "activities"],
];

/** Returns the only code block of the language. */
function getBlock(language: string): string {
  const found = getBlocks(PAGE).filter(({ info }) => info === language);
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

test("docs/coming-from-elsewhere.md shows an export of all kinds that is imported whole", async () => {
  const workspace = await service.workspace();
  const path = await writeExport([getBlock("json")]);
  const { stderr, counts } = await runImport(workspace, path);
  expect(stderr).toBe("");
  const added = Object.fromEntries(KINDS.map((kind) => [kind, { added: 1, existed: 0, rejected: 0 }]));
  expect(counts).toEqual({ ...added, users: { added: 2, existed: 0, rejected: 0 }, rejectedLines: 0 });
});

/** Runs the page's program. Rejects if it exits with a failure. */
async function runProgram({ apiKey, authToken }: TestWorkspace): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, "export.mjs"), getBlock("js"));
  const args = [join(folder, "export.mjs"), service.address, apiKey, authToken];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

test("the program in docs/coming-from-elsewhere.md exports all that an import takes over", async () => {
  const [source, target] = [await service.workspace(), await service.workspace()];
  await fillWithAllKinds(source);
  const { exitCode } = await runImport(target, await writeExport([await runProgram(source)]));
  expect(exitCode).toBe(0);
  expect(comparable(await exportWorkspace(target))).toEqual(comparable(await exportWorkspace(source)));
});

test("the program leaves out a disabled document, says so, and exports the rest", async () => {
  const workspace = await service.workspace();
  await fillWithAllKinds(workspace);
  const disabled = { ...ACME, documentIds: ["contract"], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", disabled);
  const failed = await runProgram(workspace).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^contract was left out: .*disabled.*\n$/) });
  const { stdout } = failed as { stdout: string };
  const activities = stdout.split("\n").flatMap((line) => (line ? (JSON.parse(line).activities ?? []) : []));
  expect(activities).toMatchObject([{ id: "z" }]);
});
