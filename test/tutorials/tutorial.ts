import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { registerCleanup } from "../cleanup.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A code block, with the paragraph before it. */
const BLOCK = /(?:^|\n)([^\n]*)\n+```(\w+)\n([\s\S]*?)```/g;
const FILE = /[Ss]ave this as `([\w./-]+)`:$/;
/** Limit of commands that hang. */
const COMMANDS_TIMEOUT_MS = 150_000;
const run = promisify(execFile);

/** What a tutorial asks its reader to do. */
type Step =
  | { kind: "write"; name: string; content: string }
  /** `output` is a text that the command prints, after which it may keep running. */
  | { kind: "run"; commands: string; output?: string };

/** Returns the steps of a tutorial: the blocks in `sh`, and those that follow a line with "Save this as `NAME`:". */
function getSteps(markdown: string): Step[] {
  const steps: Step[] = [];
  // A paragraph of two lines before a file is joined, so that a name may follow a line break.
  for (const [, before = "", language, code = ""] of markdown
    .replace(/([^\n])\nthis as /g, "$1 this as ")
    .matchAll(BLOCK)) {
    const name = FILE.exec(before)?.[1];
    const last = steps.at(-1);
    if (name) steps.push({ kind: "write", name, content: code });
    else if (language === "sh") steps.push({ kind: "run", commands: code });
    else if (language === "text" && last?.kind === "run") last.output = code.trim();
    else throw new Error(`This block is neither a file, a command nor an output:\n${code}`);
  }
  return steps;
}

/** Returns the command with which a tutorial starts the service. */
export function getStartCommand(markdown: string): string {
  const [start] = getSteps(markdown);
  if (start?.kind === "run" && /\bnpm start$/.test(start.commands.trim())) return start.commands.trim();
  throw new Error("A tutorial begins with npm start.");
}

/** Makes a copy of this project without what it has built, in which `npm pack` disturbs no other test. */
export function copyProject(folder: string): string {
  const copy = join(folder, "colloquy");
  mkdirSync(copy);
  for (const name of ["package.json", "tsconfig.json", "LICENSE"]) cpSync(join(ROOT, name), join(copy, name));
  cpSync(join(ROOT, "packages"), join(copy, "packages"), {
    recursive: true,
    filter: (path) => !path.includes("/dist"),
  });
  for (const name of ["node_modules", "src"]) symlinkSync(join(ROOT, name), join(copy, name));
  return copy;
}

/** A reader who does what tutorials say, in one terminal after the other. */
export class Reader {
  /** What the commands print that keep running. */
  output = "";
  readonly #environment: NodeJS.ProcessEnv;
  readonly #replacements: Record<string, string>;
  #folder: string;

  /** `replacements` are texts of the tutorial, such as a port, and what the reader types in their place. */
  constructor(folder: string, environment: Record<string, string>, replacements: Record<string, string>) {
    this.#folder = folder;
    // Vitest sets NODE_ENV to test.
    const { NODE_ENV: _, ...inherited } = process.env;
    this.#environment = {
      ...inherited,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      // What `npm ci` of this project has downloaded is in npm's cache.
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      ...environment,
    };
    this.#replacements = replacements;
  }

  /** Does the steps of a tutorial after the first one. The service runs already. */
  async follow(markdown: string): Promise<void> {
    for (const step of getSteps(markdown).slice(1)) {
      if (step.kind === "write") writeFileSync(join(this.#folder, step.name), this.#replace(step.content));
      else if (step.output === undefined) await this.run(step.commands);
      else await this.#keepRunning(this.#replace(step.commands), this.#replace(step.output));
    }
  }

  /** Runs commands until they end. The next ones have their folder and variables. */
  async run(commands: string): Promise<void> {
    const script = `set -e\n${this.#replace(commands)}\nprintf '\\0'; pwd; env -0`;
    const options = { cwd: this.#folder, env: this.#environment, timeout: COMMANDS_TIMEOUT_MS };
    const { stdout } = await run("bash", ["-c", script], options);
    const [state = "", ...variables] = stdout.slice(stdout.indexOf("\0") + 1).split("\0");
    const [folder = "", first = ""] = state.split("\n");
    this.#folder = folder;
    for (const variable of [first, ...variables]) {
      const [name = "", ...value] = variable.split("=");
      if (name) this.#environment[name] = value.join("=");
    }
  }

  async #keepRunning(command: string, output: string): Promise<void> {
    const child = spawn("bash", ["-c", `exec ${command}`], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ["ignore", "pipe", "inherit"],
      // The command and what it has started end together as a group: npx ends without the command that it runs.
      detached: true,
    });
    registerCleanup(async () => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (!hasEnded && child.pid !== undefined && process.kill(-child.pid)) await once(child, "exit");
    });
    const ended = once(child, "close").then(() => true);
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      this.output += text;
    });
    while (!printed.includes(output)) {
      const hasEnded = await Promise.race([once(child.stdout, "data").then(() => false), ended]);
      if (hasEnded && !printed.includes(output)) {
        throw new Error(`The command ended before it printed ${output}: ${command}\n${printed}`);
      }
    }
  }

  #replace(text: string): string {
    return Object.entries(this.#replacements).reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);
  }
}

/** Returns the text of a tutorial. */
export function readTutorial(name: string): string {
  return readFileSync(join(ROOT, "docs/tutorials", `${name}.md`), "utf8");
}
