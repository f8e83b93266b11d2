import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestService, type TestWorkspace } from "../harness.ts";

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Author {
  name: string;
  email: string;
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const ZOE = { name: "Zoë 🎉 陳昌倬", email: "zoe@example.com" };
const PROTO = { name: "constructor \u001b[31m\u202e", email: "__proto__" };
const ADA = { name: "Ada", email: "ada@example.com" };
const service = await startTestService();

/** Runs a program with PATH as the only variable of this machine. Returns its exit code instead of throwing. */
function run(file: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: String(process.env.PATH), GIT_CONFIG_GLOBAL: "/dev/null", ...environment };
  return new Promise((resolve) => {
    execFile(file, args, { env, cwd: tmpdir() }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

function runExample(name: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return run(process.execPath, [join(EXAMPLES, `${name}.ts`), ...args], environment);
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function git(repository: string, args: string[], { name, email }: Author = ADA): Promise<void> {
  const authors = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: "c", GIT_COMMITTER_EMAIL: "c" };
  expect(await run("git", ["-C", repository, ...args], authors)).toMatchObject({ code: 0 });
}

async function commit(
  repository: string,
  author: Author,
  message: string,
  files: Record<string, string>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await writeFile(join(repository, path), content);
  }
  await git(repository, ["add", "--all"]);
  await git(repository, ["commit", "--quiet", "--allow-empty", "--allow-empty-message", "-m", message], author);
}

/** Creates a repository with three authors, a rename, a binary file, a merge, and names that need escaping. */
async function unusualRepository(): Promise<string> {
  const repository = join(await temporaryFolder(), "odd");
  await run("git", ["init", "--quiet", "--initial-branch=main", repository]);
  await commit(repository, ADA, "Begin\n\nat the beginning", { "src/http/a.ts": "1\n", "README.md": "1\n" });
  await commit(repository, ZOE, "Change a \u001b[2J", { "src/http/a.ts": "2\n", "docs/☃ \t.md": "x\n" });
  await git(repository, ["switch", "--quiet", "--create", "side"]);
  await commit(repository, PROTO, "", { ["__proto__"]: "x", "src/binary": "\0\u0001" });
  await git(repository, ["switch", "--quiet", "main"]);
  await git(repository, ["mv", "README.md", "docs/readme.md"]);
  await commit(repository, ADA, "Move", {});
  await git(repository, ["merge", "--quiet", "-m", "Merge side", "side"], ZOE);
  await commit(repository, PROTO, "Change a again", { "src/http/a.ts": "3\n" });
  return repository;
}

function access({ apiKey, authToken }: TestWorkspace): string[] {
  return ["--url", service.address, "--api-key", apiKey, "--auth-token", authToken];
}

describe("on a repository with unusual authors, files and messages", () => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await service.workspace();
  });

  test("git-history records every commit once, even if it runs twice, and prints the feed and its URL", async () => {
    const repository = await unusualRepository();
    const first = await runExample("git-history", [repository, ...access(workspace)]);
    const second = await runExample("git-history", [repository, ...access(workspace)]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toContain("Recorded 6 commits in 1 call");
    expect(second.stdout).toContain("Page 1, activities 1 to 6, newest first\n");
    expect(second.stdout).not.toContain("More pages");
    const page = `${service.address}/console/${workspace.id}/activities?organization=git&document=odd`;
    expect(second.stdout).toContain(`The feed in the console: ${page}\n`);
    expect(second.stdout).toMatch(/Zoë 🎉 陳昌倬: Change a {2}\[2J \(2 files, -1 \+2\)/);
    expect(second.stdout).toMatch(/\(no message\) \(2 files, -0 \+1\)/);
    expect(second.stdout).not.toContain("\u001b");
    expect(second.stdout).not.toContain("\u202e");
  });

  test("team-day prints the groups, preferences, presence, inbox and feed of each user, and the notes", async () => {
    const repository = await unusualRepository();
    const { code, stdout, stderr } = await runExample("team-day", [repository, ...access(workspace)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [heading = "", ...sections] = stdout.split(/\n\n(?=[^\n]*\n─{80}\n)/);
    expect(heading).toContain("A day of odd: 3 users, 6 commits");
    const [ada = "", zoe = ""] = ["Ada", "Zoë"].map((name) => sections.find((section) => section.startsWith(name)));
    expect(ada).toContain("constructor  [31m  changed src/http/a.ts, which you have change");
    expect(ada).toContain("Zoë 🎉 陳昌倬 changed src/http/a.ts, which you have changed too");
    expect(zoe).toMatch(/Groups +docs\n.*MINE.*\n?.*NONE.*\n.*Present in +top level, with Ada\n/);
    expect(zoe).toContain("Feed of top level, newest first\n    Zoë 🎉 陳昌倬: Merge side\n    Ada: Move\n");
    expect(sections.at(-1)).toMatch(/Notes of the day: odd\n.*- Ada: 2 commits in /s);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("team-day prints the same in a second run, with credentials from DATA_DIR or the environment", async () => {
    const repository = await unusualRepository();
    const { apiKey, authToken } = await service.workspace();
    const DATA_DIR = await temporaryFolder();
    await writeFile(join(DATA_DIR, "credentials.json"), JSON.stringify({ apiKey, authToken }));
    const { port: PORT } = new URL(service.address);
    const first = await runExample("team-day", [repository], { PORT, DATA_DIR });
    const credentials = { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken };
    const second = await runExample("team-day", [repository], { PORT, ...credentials });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const [once, again] = [first, second].map(({ stdout }) => stdout.replace(/^Written in .*$/m, ""));
    expect(again).toBe(once);
  });
});

test("git-history prints two pages of a longer feed", async () => {
  const workspace = await service.workspace();
  const repository = join(await temporaryFolder(), "long");
  await run("git", ["init", "--quiet", "--initial-branch=main", repository]);
  for (let number = 1; number <= 41; number += 1) await commit(repository, ADA, `Change ${number}`, {});
  const { code, stdout } = await runExample("git-history", [repository, ...access(workspace)]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nPage 2, activities 21 to 40, newest first\n(.+\n){20}More pages follow\.\n/);
  expect(stdout).not.toContain("Change 1 ");
}, 60_000);

test("git-history requires a repository", async () => {
  const { code, stderr } = await runExample("git-history", access(await service.workspace()));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Give the path of a git repository") });
});

test("team-day without a repository writes the day of an invented team", async () => {
  const { code, stdout, stderr } = await runExample("team-day", access(await service.workspace()));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("A day of harbor: 5 users, 18 commits, ");
  expect(stdout).toContain("Tomás Vidal <tomas@harbor.example>\n");
  expect(stdout).toContain("Yuki Arai made the largest change of the day, 6 files\n      Rename rooms to spaces");
  expect(stdout).toContain("- Omar Haddad: 2 commits in docs");
});

describe.each(["git-history", "team-day"])("%s reports one sentence with a remedy", (name) => {
  test("for a folder that is not a repository, and a repository without commits", async () => {
    const workspace = await service.workspace();
    const folder = await temporaryFolder();
    const plain = await runExample(name, [folder, ...access(workspace)]);
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining("not a git repository") });
    await run("git", ["init", "--quiet", folder]);
    const empty = await runExample(name, [folder, ...access(workspace)]);
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("has no commits") });
  });

  test("for a service that is not running", async () => {
    const given = ["--url", "http://127.0.0.1:1", "--api-key", "key", "--auth-token", "token"];
    const { code, stderr } = await runExample(name, [".", ...given]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Start the service with") });
  });

  test("for credentials that are missing, malformed, or of another service", async () => {
    const DATA_DIR = await temporaryFolder();
    const file = join(DATA_DIR, "credentials.json");
    const missing = await runExample(name, ["."], { DATA_DIR });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} cannot be read. Set`) });
    await writeFile(file, "{");
    const broken = await runExample(name, ["."], { DATA_DIR });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} contains no credentials`) });
    await writeFile(file, JSON.stringify({ apiKey: "key", authToken: "token" }));
    const wrong = await runExample(name, [".", "--url", service.address], { DATA_DIR });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`The credentials are from ${file}`) });
  });

  test("for wrong usage", async () => {
    for (const args of [
      ["a", "b"],
      [".", "--limit=0"],
      [".", "--url=here"],
      [".", "--api-key=key"],
    ]) {
      expect(await runExample(name, args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^example:.*\.\n?/),
      });
    }
    expect(await runExample(name, ["--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage: ") });
  });
});
