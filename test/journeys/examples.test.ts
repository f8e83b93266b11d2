import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { readCommandLine } from "../../examples/command-line.ts";
import { registerCleanup } from "../cleanup.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { longTest, size } from "../sizes.ts";

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
function run(file: string, args: string[], environment: Record<string, string> = {}, input?: string): Promise<Ended> {
  const env = { PATH: String(process.env.PATH), GIT_CONFIG_GLOBAL: "/dev/null", ...environment };
  return new Promise((resolve) => {
    const child = execFile(file, args, { env, cwd: tmpdir() }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    if (input !== undefined) child.stdin?.end(input);
  });
}

function runExample(name: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return run(process.execPath, [join(EXAMPLES, `${name}.ts`), ...args], environment);
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  registerCleanup(() => rm(folder, { recursive: true, force: true }));
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
async function unusualRepository(folder: string): Promise<string> {
  const repository = join(folder, "odd");
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

/** Creates a repository with this number of empty commits, named `Change 1` and so on. */
async function longRepository(commits: number): Promise<string> {
  const repository = join(await temporaryFolder(), "long");
  await run("git", ["init", "--quiet", "--initial-branch=main", repository]);
  const history = Array.from({ length: commits }, (_, index) => {
    const message = `Change ${index + 1}`;
    const time = `${1_700_000_000 + index} +0000`;
    const author = `author ${ADA.name} <${ADA.email}> ${time}\ncommitter c <c> ${time}\n`;
    return `commit refs/heads/main\n${author}data ${message.length}\n${message}\n`;
  });
  const imported = await run("git", ["-C", repository, "fast-import", "--quiet"], {}, history.join(""));
  expect(imported).toMatchObject({ code: 0 });
  return repository;
}

function access({ apiKey, authToken }: TestWorkspace): string[] {
  return ["--url", service.address, "--api-key", apiKey, "--auth-token", authToken];
}

describe("on a repository with unusual authors, files and messages", async () => {
  const folder = await temporaryFolder();
  let workspace: TestWorkspace;
  let repository: string;
  beforeAll(async () => {
    workspace = await service.workspace();
    repository = await unusualRepository(folder);
  });

  test("git-history records every commit once, even if it runs twice, and prints the feed and its URL", async () => {
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

  longTest(
    "team-day prints groups, preferences, presence, inbox, feed and notes, the same in a second run",
    async () => {
      const { port: PORT } = new URL(service.address);
      const { apiKey, authToken } = workspace;
      const DATA_DIR = await temporaryFolder();
      await writeFile(join(DATA_DIR, "credentials.json"), JSON.stringify({ apiKey, authToken }));
      const { code, stdout, stderr } = await runExample("team-day", [repository], { PORT, DATA_DIR });
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

      const credentials = { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken };
      const second = await runExample("team-day", [repository], { PORT, ...credentials });
      const [once, again] = [stdout, second.stdout].map((text) => text.replace(/^Written in .*$/m, ""));
      expect(again).toBe(once);
    },
  );
});

longTest(
  "git-history gives activities the time of their commits, and prints two pages of a longer feed",
  async () => {
    const workspace = await service.workspace();
    const { code, stdout } = await runExample("git-history", [await longRepository(41), ...access(workspace)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nPage 2, activities 21 to 40, newest first\n(.+\n){20}More pages follow\.\n/);
    expect(stdout).not.toContain("Change 1 ");
    const request = { organizationId: "git", documentId: "long", order: "asc", pageSize: 2 } as const;
    const timestamps = (await workspace.data("/v2/activities/get", request)).map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual([1_700_000_000_000, 1_700_000_001_000]);
  },
  60_000,
);

longTest("git-history requires a repository", async () => {
  const { code, stderr } = await runExample("git-history", access(await service.workspace()));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Give the path of a git repository") });
});

test("team-day without a repository writes the day and the workspace of an invented team", async () => {
  const workspace = await service.workspace();
  const { code, stdout, stderr } = await runExample("team-day", access(workspace));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("A day of harbor: 5 users, 18 commits, ");
  expect(stdout).toContain("Tomás Vidal <tomas@harbor.example>\n");
  expect(stdout).toContain("Yuki Arai made the largest change of the day, 6 files\n      Rename rooms to spaces");
  expect(stdout).toContain("- Omar Haddad: 2 commits in docs");
  expect(stdout).not.toContain("{");
  const filled = await readFilled(workspace);
  expect(filled).toEqual({
    organizations: ["Orchard Hotels", "Quarry Architects", "Harbor Booking"],
    threads: ["Open", "Resolved"],
    reactions: ["👍", "🎉"],
    recordings: 2,
    folders: ["Engineering", "Operations"],
    activities: 123,
    editor: "What changes for callers of the booking API",
    domains: ["app.harbor.example"],
    webhooks: [["https://hooks.harbor.example/colloquy", true]],
    mails: ["Test mail from Colloquy"],
  });
  const rejected = () => workspace.data("/v2/workspace/requests/get", { statuses: ["INVALID_ARGUMENT"] });
  await expect.poll(rejected).toMatchObject([{ operation: "/v2/notifications/get", reason: "field_invalid" }]);
  expect(await runExample("team-day", access(workspace))).toMatchObject({ code: 0, stderr: "" });
  expect(await readFilled(workspace)).toEqual(filled);
});

/** Returns what the pages of the console show of the invented team. */
async function readFilled(workspace: TestWorkspace) {
  const scope = { organizationId: "team harbor" };
  const names = await workspace.data("/v2/organizations/get", {});
  const threads = await workspace.data("/v2/commentannotations/get", { ...scope, documentId: "src/api" });
  const annotations = Array.isArray(threads) ? threads.filter((one) => one !== null) : [];
  const folders = await workspace.data("/v2/organizations/folders/get", scope);
  const [editor] = await workspace.data("/v2/crdt/get", { ...scope, documentId: "src/api" });
  const { endpoints } = await workspace.data("/v2/workspace/advancedwebhook/endpoints/get", {});
  return {
    organizations: names.map(({ organizationName }) => organizationName),
    threads: annotations.map(({ status }) => status.name),
    reactions: annotations.flatMap(({ comments }) => comments.flatMap(({ reactions }) => reactions[0]?.reaction ?? [])),
    recordings: (await workspace.data("/v2/recordings/get", scope)).length,
    folders: folders.map(({ folderName }) => folderName),
    activities: (await workspace.data("/v2/activities/get", { ...scope, pageSize: 500 })).length,
    editor: String(editor?.data).split("\n")[0],
    domains: (await workspace.data("/v2/workspace/domains/get", {})).allowedDomains,
    webhooks: endpoints.map(({ url, disabled }) => [url, disabled]),
    mails: (await workspace.data("/v2/workspace/outbox/get", {})).map(({ subject }) => subject),
  };
}

test.each(size({ usual: ["team-day"], long: ["git-history", "team-day"] }))(
  "%s requires a repository with commits",
  async (name) => {
    const workspace = await service.workspace();
    const folder = await temporaryFolder();
    const plain = await runExample(name, [folder, ...access(workspace)]);
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringMatching(/^example:.* not a git repository/) });
    await run("git", ["init", "--quiet", folder]);
    const empty = await runExample(name, [folder, ...access(workspace)]);
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringMatching(/^example:.* has no commits/) });
  },
);

describe("the command line of the examples reports one sentence with a remedy", () => {
  /** Reads the command line with only these environment variables. */
  async function readArguments(args: string[], environment: Record<string, string> = {}) {
    // Empty counts as unset and takes precedence over a developer's .env file.
    const unset = { PORT: "", DATA_DIR: "", BOOTSTRAP_API_KEY: "", BOOTSTRAP_AUTH_TOKEN: "" };
    for (const [variable, value] of Object.entries({ ...unset, ...environment })) vi.stubEnv(variable, value);
    return readCommandLine("Usage: npm run example", args).finally(() => vi.unstubAllEnvs());
  }

  test("for a service that is not running", async () => {
    const given = ["--url", "http://127.0.0.1:1", "--api-key", "key", "--auth-token", "token"];
    await expect(readArguments([".", ...given])).rejects.toThrow("Start the service with");
  });

  test("for credentials that are missing, malformed, or of another service", async () => {
    const DATA_DIR = await temporaryFolder();
    const file = join(DATA_DIR, "credentials.json");
    await expect(readArguments(["."], { DATA_DIR })).rejects.toThrow(`${file} cannot be read. Set`);
    await writeFile(file, "{");
    await expect(readArguments(["."], { DATA_DIR })).rejects.toThrow(`${file} contains no credentials`);
    await writeFile(file, JSON.stringify({ apiKey: "key", authToken: "token" }));
    const wrong = readArguments([".", "--url", service.address], { DATA_DIR });
    await expect(wrong).rejects.toThrow(`The credentials are from ${file}`);
  });

  test.each([
    [["a", "b"], "Only one repository can be given."],
    [[".", "--limit=0"], "--limit must be a number of commits."],
    [[".", "--url=here"], '--url must be an address such as http://127.0.0.1:8080, not "here".'],
    [[".", "--api-key=key"], "Give both --api-key and --auth-token, or neither."],
  ])("for wrong usage: %j", async (args, sentence) => {
    await expect(readArguments(args)).rejects.toThrow(sentence);
  });
});

longTest("--help prints the usage and the options of an example", async () => {
  const { code, stdout } = await runExample("team-day", ["--help"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: npm run example:team-day -- .*\n.*--limit <commits>/s);
});
