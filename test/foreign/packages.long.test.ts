import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import { installPacked } from "../packages/packed.ts";

const ATTW = join(import.meta.dirname, "../../node_modules/.bin/attw");
const run = promisify(execFile);
const project = await installPacked(["client", "react"]);

test.each(["client", "react"])("publint finds nothing in the package %s", async (name) => {
  const { messages, pkg } = await publint({ pkgDir: join(project, "node_modules/@colloquy", name), strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test.each(["client", "react"])("Are The Types Wrong? finds nothing in the package %s for ES modules", async (name) => {
  const tarball = readdirSync(project).find((file) => file.startsWith(`colloquy-${name}-`)) ?? "";
  // The packages are ES modules only, and a stylesheet has no types.
  const options = ["--profile", "esm-only", "--exclude-entrypoints", "styles.css", "--no-emoji", "--no-color"];
  // It ends with an exit code if it finds a problem.
  const { stdout } = await run(process.execPath, [ATTW, join(project, tarball), ...options]);
  expect(stdout).toContain("OK (ESM)");
});
