import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getBlocks } from "../documentation/markdown.ts";
import { emptyFolder, installPackage, RELEASE, run, VERSION } from "./installation.ts";

const MANAGERS = ["npm@12.2.2", "pnpm@12.21.0", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1", "bun@1.4.5"];
/** Prints what can be imported by the name of each package of this project. */
const SCRIPT = `
  const exports = { client: "createClient", react: "ColloquyProvider", editor: "layoutCards" };
  for (const [name, exported] of Object.entries(exports)) {
    const found = await import("@colloquy/" + name).catch(() => undefined);
    console.log(name, found ? (exported in found ? "installed" : "foreign") : "missing");
  }`;

const README = await readFile(join(import.meta.dirname, "../../packages/client/README.md"), "utf8");
const FIRST_MINUTES = getBlocks(README).find(({ info }) => info === "js")?.code ?? expect.fail();
const CLIENT = join(RELEASE, `colloquy-client-${VERSION}.tgz`);
const REACT = join(RELEASE, `colloquy-react-${VERSION}.tgz`);
const EDITOR = join(RELEASE, `colloquy-editor-${VERSION}.tgz`);

const folder = await emptyFolder();
const registry = (await run("npm", ["config", "get", "registry"])).stdout.trim();
const env = {
  ...{ ...process.env, npm_config_registry: registry, YARN_NPM_REGISTRY_SERVER: registry },
  // A tarball of an earlier run has the same name.
  ...{ YARN_CACHE_FOLDER: join(folder, "yarn-cache"), BUN_INSTALL_CACHE_DIR: join(folder, "bun-cache") },
};
await run("npm", ["install", "--prefer-offline", "--prefix", folder, ...MANAGERS]);
const { installation } = await installPackage();
const { address, colloquy } = await installation.start();
const { apiKey, authToken } = JSON.parse(await colloquy("env", "--json"));

const inFolder = (path: string) => join(folder, "node_modules", path);
const byPath = (tarball: string) => tarball;
const byUrl = (tarball: string) => `file:${tarball}`;
const byName = (tarball: string) => `@colloquy/${/colloquy-(\w+)-/.exec(tarball)?.[1]}@file:${tarball}`;

/** How to run each manager, what it calls a tarball, and how to run Node.js in its projects. */
const COMMANDS = [
  { name: "npm", command: [process.execPath, inFolder("npm/bin/npm-cli.js")], toSource: byPath },
  { name: "pnpm", command: [inFolder(".bin/pnpm")], toSource: byPath },
  { name: "yarn 1", command: [process.execPath, inFolder("yarn/bin/yarn.js")], toSource: byUrl },
  {
    name: "yarn 4, with Plug'n'Play",
    command: [process.execPath, inFolder("@yarnpkg/cli-dist/bin/yarn.js")],
    toSource: byName,
    node: [process.execPath, inFolder("@yarnpkg/cli-dist/bin/yarn.js"), "node"],
  },
  { name: "bun", command: [inFolder(".bin/bun")], toSource: byPath },
].map(({ node = [process.execPath], ...manager }) => ({ node, ...manager }));

/** Installs tarballs and React in an empty project. Returns what the manager prints, and what runs a script there. */
async function install({ command, toSource, node }: (typeof COMMANDS)[number], tarballs: string[]) {
  const project = await mkdtemp(join(folder, "project-"));
  const runHere = async ([program = "", ...args]: string[]) => {
    const { stdout, stderr } = await run(program, args, { cwd: project, env, timeout: 60_000 });
    return { stdout, stderr };
  };
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // The project of yarn 4 is otherwise the nearest folder above that has a lockfile.
  if (node.length > 1) await writeFile(join(project, "yarn.lock"), "");
  const { stdout, stderr } = await runHere([...command, "add", ...tarballs.map(toSource), "react@19"]);
  return {
    output: stdout + stderr,
    async runScript(script: string, ...args: string[]): Promise<string> {
      await writeFile(join(project, "script.mjs"), script);
      return (await runHere([...node, "script.mjs", ...args])).stdout;
    },
  };
}

test.each(COMMANDS)(
  "$name installs all packages by one command, and the README's first minutes run",
  async (manager) => {
    const { output, runScript } = await install(manager, [CLIENT, REACT, EDITOR]);
    expect(output).not.toMatch(/peer/i);
    expect(await runScript(SCRIPT)).toBe("client installed\nreact installed\neditor installed\n");
    expect(await runScript(FIRST_MINUTES, address, apiKey, authToken)).toBe("activity.add Ada signed\n");
  },
);

test.each(COMMANDS)(
  "$name takes no package of the registry for the client if only React's is installed",
  async (manager) => {
    const { runScript } = await install(manager, [REACT]);
    expect(await runScript(SCRIPT)).toMatch(/^client missing\n/);
  },
);
