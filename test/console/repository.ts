import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, "../../examples");
const AUTHORS = {
  ada: "Ada Lovelace <ada@example.com>",
  grace: "Grace Hopper <grace@example.com>",
  alan: "Alan Turing <alan@example.com>",
};
export type FixtureCommit = [author: keyof typeof AUTHORS, subject: string, ...paths: string[]];

/** Commits of the test repository, oldest first. */
const COMMITS: FixtureCommit[] = [
  ["ada", "Begin with a server that answers", "src/http/server.ts", "README.md"],
  ["grace", "Limit the body of a request", "src/http/server.ts", "docs/limits.md"],
  ["alan", "Check what a caller sends", "src/http/validation.ts"],
  ["ada", "Say how to start it", "README.md", "docs/starting.md"],
  ["grace", "Close connections that say nothing", "src/http/server.ts"],
  ["alan", "Name the field that is wrong", "src/http/validation.ts", "docs/limits.md"],
  ["ada", "Answer while it stops", "src/http/server.ts"],
];
export const COMMIT_COUNT = COMMITS.length;
export const NEWEST_SUBJECT = COMMITS.at(-1)?.[1] ?? "";

interface Workspace {
  apiKey: string;
  authToken: string;
}

/** Records a repository's history and a day of its team by running the examples, as the README shows. */
export async function runExamples(
  { apiKey, authToken }: Workspace,
  address: string,
  commits: FixtureCommit[] = COMMITS,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  const repository = join(folder, "engine");
  try {
    await makeRepository(repository, commits);
    const access = ["--url", address, "--api-key", apiKey, "--auth-token", authToken];
    for (const example of ["git-history", "team-day"]) {
      await run(process.execPath, [join(EXAMPLES, `${example}.ts`), repository, ...access], { cwd: folder });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeRepository(repository: string, commits: FixtureCommit[]): Promise<void> {
  await run("git", ["init", "--quiet", "--initial-branch=main", repository]);
  const git = spawn("git", ["-C", repository, "fast-import", "--quiet"], { stdio: ["pipe", "ignore", "inherit"] });
  const now = Math.floor(Date.now() / 1000);
  git.stdin.end(commits.map((commit) => fastImportCommit(commit, now)).join(""));
  const [code] = await once(git, "close");
  if (code !== 0) throw new Error(`git fast-import exited with ${code}`);
}

/** Returns a commit in the format of `git fast-import`; `at` is in seconds since the epoch. */
function fastImportCommit([author, subject, ...paths]: FixtureCommit, at: number): string {
  const who = `${AUTHORS[author]} ${at} +0000`;
  const files = paths.map((path) => `M 100644 inline ${path}\n${getData(`${subject}\n`)}`);
  return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${getData(subject)}${files.join("")}\n`;
}

function getData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
