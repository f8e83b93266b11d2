import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { beforeEach, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import {
  type Environment,
  emptyFolder,
  parseUsage,
  runCommand,
  runJsonCommand,
  runProcess,
} from "../../test/command-line.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { WORKSPACE } from "../../test/workspace.ts";
import { ensureDocument } from "../features/implicit-creation/ensure-document.ts";
import { deliverNotifications } from "../features/notifications/delivery/deliver-notifications.ts";
import { hashToken } from "../features/sign-in/login-link.ts";
import { takeLink } from "../features/sign-in/sign-in-queries.ts";
import { inOrganization } from "../features/tenancy/organization-scope.ts";
import { hashCredential } from "../features/workspaces/credentials.ts";
import { findCaller, findWorkspace } from "../features/workspaces/workspace-queries.ts";
import { createWorkspace } from "../features/workspaces/workspaces.ts";
import { createProgram } from "./program.ts";

const { database, connectionString } = await createTestDatabase();
const ON_TEST_DATABASE = { DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };

function colloquy(args: string[], environment: Environment = ON_TEST_DATABASE) {
  return runCommand(args, environment);
}

function json(args: string[], environment: Environment = ON_TEST_DATABASE) {
  return runJsonCommand(args, environment);
}

/** Returns the names of all commands that do something, such as `token create`. */
function leafCommands({ commands }: Command): string[] {
  return commands.flatMap((command) =>
    command.commands.length === 0 ? command.name() : leafCommands(command).map((name) => `${command.name()} ${name}`),
  );
}

beforeEach(async () => {
  await runSql(database, "truncate workspaces cascade");
});

function find({ apiKey, authToken }: { apiKey: string; authToken: string }) {
  return findCaller(database, { apiKeyHash: hashCredential(apiKey), authTokenHash: hashCredential(authToken) });
}

describe("workspaces and tokens", () => {
  test("workspace create --json prints exactly the ID and working credentials of the workspace", async () => {
    const created = await json(["workspace", "create", "--owner-email", "ada@acme.example", "--name", "Acme"]);
    expect(Object.keys(created)).toEqual(["workspaceId", "apiKey", "authToken"]);
    expect(await find(created)).toMatchObject({
      workspace: { id: created.workspaceId },
      token: { workspaceId: created.workspaceId },
    });
    expect(await json(["workspace", "list"])).toMatchObject([
      { name: "Acme", ownerEmail: "ada@acme.example", activityServiceEnabled: true },
    ]);
  });

  test("a token created on the command line works until it is revoked there", async () => {
    const { apiKey } = await createWorkspace(database, { name: "Acme" });
    const created = await json(["token", "create", "--name", "billing", "--expires", "90d"]);
    const { token } = await find({ apiKey, authToken: created.authToken });
    expect(token).toMatchObject({ id: created.tokenId, expiresAt: created.expiresAt });
    await json(["token", "revoke", created.tokenId]);
    expect((await find({ apiKey, authToken: created.authToken })).token).toBeUndefined();
  });

  test("token list prints every token and no secret", async () => {
    const { apiKey, authToken } = await createWorkspace(database, { name: "Acme" });
    const { stdout } = await colloquy(["token", "list", "--workspace", apiKey]);
    const titles = /^ID +NAME +ENDS IN +SCOPES +CREATED +EXPIRES +LAST USED\n/;
    expect(stdout).toMatch(titles);
    expect(stdout.replace(titles, "")).toMatch(
      new RegExp(`^[0-9a-f-]{36} +first +${authToken.slice(-4)} +read,write,admin +\\S+Z +never +never\n$`),
    );
    expect(stdout).not.toContain(authToken.slice(-8));
  });

  test("activity enable and disable find the workspace by ID, by API key or as the only one", async () => {
    const { workspaceId, apiKey } = await createWorkspace(database, { name: "Acme" });
    for (const [name, ...args] of [["enable"], ["disable", "-w", apiKey], ["enable", "-w", workspaceId]]) {
      await json(["activity", String(name), ...args]);
      const enabled = (await findWorkspace(database, { id: workspaceId }))?.activityServiceEnabled;
      expect(enabled).toBe(name === "enable");
    }
  });

  test("notification explain prints the rule that decided for each channel", async () => {
    const { workspaceId, apiKey } = await createWorkspace(database, { name: "Acme" });
    const workspace = { ...WORKSPACE, id: workspaceId, apiKey };
    const notification = { notificationId: "n1", actionUser: { userId: "ada" }, notifyUsers: [], notifyAll: false };
    const place = { organizationId: "acme", documentId: "contract-7" };
    await inOrganization(database, workspace, place.organizationId, async (organization) => {
      await ensureDocument(organization, place.documentId);
      await deliverNotifications(organization, [{ documentId: place.documentId, notification }]);
    });
    const subject = ["--organization", "acme", "--user", "grace", "--notification", "n1"];
    const { stdout, exitCode } = await colloquy(["notification", "explain", ...subject]);
    expect(stdout).toMatch(/^CHANNEL +RULE +EXPLANATION\ninbox +not-permitted +\S.*\nemail +no-mail-event +\S.*\n$/);
    expect(exitCode).toBe(0);
    const channels = { inbox: { rule: "not-permitted" }, email: { rule: "no-mail-event" } };
    expect(await json(["notification", "explain", ...subject])).toMatchObject(channels);
  });

  test("a command that could mean two workspaces changes nothing and says how to choose one", async () => {
    await createWorkspace(database, { name: "Acme" });
    await createWorkspace(database, { name: "Other" });
    const { stderr, exitCode } = await colloquy(["token", "create", "--name", "billing"]);
    expect({ stderr, exitCode }).toEqual({
      stderr: "colloquy: There are 2 workspaces. Name one with --workspace.\n",
      exitCode: 1,
    });
  });
});

const program = await createProgram();
/** Commands that apply no migrations, or whose description explains them. */
const MIGRATES_NOTHING = new Set(["start", "migrate", "backup", "restore", "env", "doctor", "receipt verify"]);

describe("usage", () => {
  test.each(leafCommands(program))("%s --help prints an example and the exit codes", async (command) => {
    const { stdout, exitCode } = await parseUsage([...command.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Example:\n {2}\$ .*colloquy /);
    expect(stdout).toContain("Exit codes: 0 success, 1 error, 2 wrong usage.");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each(leafCommands(program).filter((command) => !MIGRATES_NOTHING.has(command)))(
    "%s --help says that the command migrates the database",
    async (command) => {
      const { stdout } = await parseUsage([...command.split(" "), "--help"]);
      expect(stdout).toContain("Applies missing migrations first, as `colloquy migrate` does.");
    },
  );

  test.each([
    [[]],
    [["dance"]],
    [["workspace"]],
    [["workspace", "create"]],
    [["workspace", "create", "--name", "Acme", "--owner-email", "ada"]],
    [["token", "create", "--name", "late", "--expires", "2020-01-01"]],
    [["token", "revoke", "no-id"]],
    [["doctor", "--quickly"]],
    [["backup", ""]],
    [["restore", ""]],
    [["import", ""]],
    [["notification", "explain", "--organization", "acme", "--user", "grace"]],
  ])("wrong usage exits with 2 and explains it on stderr: %j", async (args) => {
    const { stdout, stderr, exitCode } = await parseUsage(args);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).not.toBe("");
  });

  test("--version prints the version alone", async () => {
    const { stdout, exitCode } = await parseUsage(["--version"]);
    expect({ stdout, exitCode }).toEqual({ stdout: `${packageJson.version}\n`, exitCode: 0 });
  });

  test("a process exits with 2 after wrong usage and explains it on stderr", async () => {
    const { stdout, stderr, exitCode } = await runProcess(["dance"], {});
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toContain("unknown command 'dance'");
  });

  test("a start with DATABASE_URL but no SECRET_KEY fails with one sentence that says what to set", async () => {
    const { stdout, stderr, exitCode } = await colloquy(["start"], { DATABASE_URL: connectionString });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toMatch(/^colloquy: SECRET_KEY must be set together with DATABASE_URL[^\n]+\.\n$/);
  });

  test("an invalid configuration makes every command exit with 1 and one sentence", async () => {
    for (const args of [["start"], ["migrate"], ["workspace", "list"]]) {
      const failed = await colloquy(args, { PORT: "many" });
      const stderr = "colloquy: PORT must be a whole number from 0 to 65535.\n";
      expect(failed).toEqual({ stdout: "", stderr, exitCode: 1 });
    }
  });
});

test("a file in the place of a folder is explained with its path", async () => {
  const file = join(await emptyFolder(), "file");
  await writeFile(file, "");
  const missing = "does not exist, because a part of its path is a file and not a folder.";
  for (const [args, stderr] of [
    [["env"], `colloquy: ${join(file, "credentials.json")} ${missing}\n`],
    [["restore", join(file, "backup")], `colloquy: ${join(file, "backup")} ${missing}\n`],
  ] as const) {
    expect(await colloquy([...args], { DATA_DIR: file })).toEqual({ stdout: "", stderr, exitCode: 1 });
  }
});

describe("console", () => {
  test("prints a link to the chosen workspace, stores only its hash, and says when it expires", async () => {
    const { workspaceId } = await json(["workspace", "create", "--name", "Acme"]);
    const environment = { ...ON_TEST_DATABASE, PUBLIC_URL: "https://colloquy.example/" };
    const { url, expiresAt } = await json(["console", "--workspace", workspaceId], environment);
    const [, token] = /^https:\/\/colloquy\.example\/console\/sign-in#([\w-]{43})$/.exec(url) ?? [];
    expect(expiresAt - Date.now()).toBeGreaterThan(14 * 60_000);
    const link = await database.transaction((transaction) => takeLink(transaction, hashToken(String(token))));
    const continueUrl = `https://colloquy.example/console/${workspaceId}`;
    expect(link).toEqual({ ownerAddress: null, continueUrl });
  });

  test("prints the link on a line of its own", async () => {
    const { stdout, exitCode } = await colloquy(["console"], { ...ON_TEST_DATABASE, PORT: "8091" });
    expect(stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:8091\/console\/sign-in#[\w-]{43}\nThe link works once, until \d{4}-[\d-]+T[\d:.]+Z\.\n$/,
    );
    expect(exitCode).toBe(0);
  });

  test("an unknown workspace is reported in one sentence, with exit code 1", async () => {
    const { stderr, exitCode } = await colloquy(["console", "--workspace", "nobody"]);
    expect({ stderr, exitCode }).toEqual({
      stderr: "colloquy: There is no workspace with the ID or API key nobody.\n",
      exitCode: 1,
    });
  });
});

describe("a file .env", () => {
  test("in the working directory is read, and variables of the environment win", async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, ".env"), 'PORT=many\nLOG_LEVEL="loud"\n');
    const { stderr } = await runProcess(["workspace", "list"], { PORT: "0" }, folder);
    expect(stderr).toMatch(/^colloquy: LOG_LEVEL must be one of [^\n]+\n$/);
  });

  test("that is unreadable makes a command exit with 1 and one sentence", async () => {
    const folder = await emptyFolder();
    await mkdir(join(folder, ".env"));
    const { stderr, exitCode } = await runProcess(["workspace", "list"], {}, folder);
    expect(stderr).toMatch(/^colloquy: \S+\.env must be a readable file\. [^\n]+\n$/);
    expect(exitCode).toBe(1);
  });
});

describe("a process of a command", () => {
  test("starts the database of DATA_DIR, prints only its result, and leaves the data to later commands", async () => {
    const environment = { DATA_DIR: await emptyFolder() };
    const first = await runProcess(["workspace", "create", "--name", "Acme", "--json"], environment);
    expect(first).toMatchObject({ stderr: "", exitCode: 0 });
    const { workspaceId } = JSON.parse(first.stdout);
    expect(await json(["workspace", "list"], environment)).toMatchObject([{ id: workspaceId }]);
  });
});
