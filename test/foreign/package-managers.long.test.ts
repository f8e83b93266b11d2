import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { packInto } from "../packages/packed.ts";

const MANAGERS = ["npm@12.2.2", "pnpm@12.21.0", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1", "bun@1.4.5"];
/** Prints what can be imported by the name of each package of this project. */
const SCRIPT = `
  for (const [name, exported] of [["client", "createClient"], ["react", "ColloquyProvider"]]) {
    const found = await import("@colloquy/" + name).catch(() => undefined);
    console.log(name, found ? (exported in found ? "installed" : "foreign") : "missing");
  }`;

const run = promisify(execFile);
const folder = await mkdtemp(join(inject("runDirectory"), "managers-"));
const [client = "", react = ""] = (await packInto(folder, ["client", "react"])).sort();
const registry = (await run("npm", ["config", "get", "registry"])).stdout.trim();
const options = {
  timeout: 60_000,
  env: {
    ...{ ...process.env, npm_config_registry: registry, YARN_NPM_REGISTRY_SERVER: registry },
    // A tarball of an earlier run has the same name.
    ...{ YARN_CACHE_FOLDER: join(folder, "yarn-cache"), BUN_INSTALL_CACHE_DIR: join(folder, "bun-cache") },
  },
};
await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, ...MANAGERS]);

const inFolder = (path: string) => join(folder, "node_modules", path);
const asNamed = (tarball: string) => `@colloquy/${tarball === client ? "client" : "react"}@file:${tarball}`;

/** How to run each manager, and a script of its project if Node.js alone would not find the packages. */
const COMMANDS = [
  { name: "npm", command: [process.execPath, inFolder("npm/bin/npm-cli.js")] },
  { name: "pnpm", command: [inFolder(".bin/pnpm")] },
  {
    name: "yarn 1",
    command: [process.execPath, inFolder("yarn/bin/yarn.js")],
    toSource: (path: string) => `file:${path}`,
  },
  {
    name: "yarn 4, with Plug'n'Play",
    command: [process.execPath, inFolder("@yarnpkg/cli-dist/bin/yarn.js")],
    toSource: asNamed,
    runsScripts: true,
  },
  { name: "bun", command: [inFolder(".bin/bun")] },
].map(({ toSource = (path: string) => path, runsScripts = false, ...given }) => ({ toSource, runsScripts, ...given }));

/** Installs tarballs and React in an empty project. Returns what the manager and the script print. */
async function install(
  { command: [program = "", ...args], toSource, runsScripts }: (typeof COMMANDS)[number],
  tarballs: string[],
) {
  const project = await mkdtemp(join(folder, "project-"));
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // The project of yarn 4 is otherwise the nearest folder above that has a lockfile.
  if (runsScripts) await writeFile(join(project, "yarn.lock"), "");
  await writeFile(join(project, "script.mjs"), SCRIPT);
  const inProject = { ...options, cwd: project };
  const { stdout, stderr } = await run(program, [...args, "add", ...tarballs.map(toSource), "react@19"], inProject);
  const script = runsScripts ? [program, ...args, "node"] : [process.execPath];
  const printed = await run(script[0] ?? "", [...script.slice(1), "script.mjs"], inProject);
  return { installed: `${stdout}${stderr}`, printed: printed.stdout };
}

test.each(COMMANDS)("$name installs both packages by one command, without a warning about peers", async (manager) => {
  const { installed, printed } = await install(manager, [client, react]);
  expect(printed).toBe("client installed\nreact installed\n");
  expect(installed).not.toMatch(/peer/i);
});

test.each(COMMANDS)(
  "$name takes no package of the registry for the client if only React's is installed",
  async (manager) => {
    const { printed } = await install(manager, [react]);
    expect(printed).toMatch(/^client missing\n/);
  },
);
