import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { inject, onTestFinished } from "vitest";
import { getBlocks } from "../documentation/markdown.ts";
import { copyProject } from "../tutorials/tutorial.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE =
  '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><main id="root"></main></html>';
const run = promisify(execFile);

/** Installs packages of this project, as npm would pack them, and others in an empty project. Returns its folder. */
export async function installPacked(names: string[], others: string[] = []): Promise<string> {
  const folder = await mkdtemp(join(inject("runDirectory"), "packed-"));
  const workspaces = names.map((name) => `--workspace=@colloquy/${name}`);
  // Packing builds the packages in place, where other tests would find them half built.
  await run("npm", ["pack", ...workspaces, "--pack-destination", folder], { cwd: copyProject(folder) });
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith(".tgz")).map((name) => join(folder, name));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  // What `npm ci` of this project has downloaded is in npm's cache.
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs, ...others], { cwd: folder });
  return folder;
}

/** Runs a script in a project. Returns what it prints. */
export async function runScript(folder: string, source: string, ...args: string[]): Promise<string> {
  await writeFile(join(folder, "script.mjs"), source);
  return (await run(process.execPath, ["script.mjs", ...args], { cwd: folder, timeout: 60_000 })).stdout;
}

/** Returns the script of an entry with all that it imports, minified for browsers. */
export async function bundle(folder: string, source: string, mode = "production"): Promise<string> {
  await writeFile(join(folder, "entry.js"), source);
  const lib = { entry: "entry.js", formats: ["es" as const], fileName: "bundle" };
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    build: { lib, minify: true, outDir: "bundled", rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [name = ""] = await readdir(join(folder, "bundled"));
  return readFile(join(folder, "bundled", name), "utf8");
}

/** Checks the types of a TypeScript file in a project, with the declarations of what it imports. */
export async function compile(folder: string, source: string, file = "index.ts", others: string[] = []) {
  await writeFile(join(folder, file), source);
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"];
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, [...options, ...others, "--ignoreConfig", file], { cwd: folder }).catch(Object);
  return String(stdout);
}

/** Returns the code blocks of a document of this project in a language. */
export function getCode(document: string, language: string): string[] {
  const markdown = readFileSync(join(ROOT, document), "utf8");
  return getBlocks(markdown).flatMap(({ info, code }) => (info === language ? [code] : []));
}

/** Serves a page with a module script until the end of the test. Returns its URL, on the host `localhost`. */
export function servePage(script: string): string {
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", url === "/script.js" ? "text/javascript" : "text/html; charset=utf-8");
    response.end(url === "/script.js" ? script : PAGE);
  }).listen(0);
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://localhost:${typeof address === "object" ? address?.port : address}/`;
}
