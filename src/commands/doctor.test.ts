import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, runCommand, runJsonCommand } from "../../test/command-line.ts";
import { folderWith, NEEDS_NINE, upgradeToNine } from "../../test/earlier-version.ts";
import { connectionUrl } from "../../test/global-setup.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runQuery } from "../../test/servers.ts";
import { temporaryDataDir } from "../../test/service-process.ts";
import { findLostVolume } from "../config/lost-volume.ts";
import { borrowEmbeddedDatabase } from "../database/embedded.ts";
import { migrate } from "../database/migrate.ts";

const SECRET_KEY = "5".repeat(64);

test("a correct installation passes every check", async () => {
  const DATABASE_URL = await createOwnDatabase();
  const environment = { SECRET_KEY, DATABASE_URL, DATA_DIR: await emptyFolder() };
  const { healthy, checks } = await runJsonCommand(["doctor"], environment);
  const names = ["configuration", "data directory", "disk", "database", "privileges", "durability"];
  const ok = [...names, "migrations", "clock", "stored files", "secrets", "files", "mail"].map((name) => ({
    name,
    status: "ok",
    finding: expect.any(String),
  }));
  // Folders of tests may be in memory, of which doctor warns.
  const lost = await findLostVolume(environment.DATA_DIR);
  const warning = lost && { status: "warning", finding: expect.stringContaining(lost), remedy: expect.any(String) };
  expect(checks).toEqual(ok.map((check) => (check.name === "files" ? { ...check, ...warning } : check)));
  expect(healthy).toBe(true);
});

test("an empty DATA_DIR stays empty", async () => {
  const folder = await emptyFolder();
  const { checks } = await runJsonCommand(["doctor"], { DATA_DIR: folder });
  expect(checks).toContainEqual(expect.objectContaining({ name: "database", status: "skipped" }));
  expect(await readdir(folder)).toEqual([]);
});

test("a DATA_DIR that is a file is an error, and the database is not checked", async () => {
  const DATA_DIR = join(await emptyFolder(), "file");
  await writeFile(DATA_DIR, "");
  const { stdout, stderr, exitCode } = await runCommand(["doctor"], { DATA_DIR });
  expect(stdout).toMatch(/^ERROR +data directory .*\n +→ Change its owner or set another DATA_DIR\.$/m);
  expect(stdout).toMatch(/^- +database +Not checked\. Correct the data directory/m);
  expect({ stderr, exitCode }).toEqual({ stderr: "colloquy: Found 1 error.\n", exitCode: 1 });
});

test("a damaged secret.key is an error of the secrets, not of the database", async () => {
  const DATA_DIR = await temporaryDataDir({ isPostgresPrepared: true });
  await runJsonCommand(["migrate"], { DATA_DIR });
  await writeFile(join(DATA_DIR, "secret.key"), "damaged");
  const { stdout, exitCode } = await runCommand(["doctor"], { DATA_DIR });
  expect(stdout).toMatch(/^ERROR +secrets +\S+secret\.key must hold 64 hexadecimal digits/m);
  expect(stdout).toMatch(/^ok +database /m);
  expect(exitCode).toBe(1);
});

test("every error of the configuration is reported with its remedy", async () => {
  const broken = { PORT: "many", LOG_LEVEL: "loud", DATABASE_URL: "postgres://db/colloquy" };
  const { stdout, stderr, exitCode } = await runCommand(["doctor"], broken);
  const error = (finding: string, remedy: string) => `ERROR {4}configuration {2}${finding}\n +→ ${remedy}\n`;
  expect(stdout).toMatch(
    new RegExp(
      "^" +
        error("PORT must be a whole number .*", "Correct PORT, .* 8080\\.") +
        error("LOG_LEVEL must be one of .*", "Correct LOG_LEVEL, .* info\\.") +
        error("SECRET_KEY must be set together with DATABASE_URL.*", "Set SECRET_KEY, .*") +
        "- {8}the rest {7}Not checked.*\n$",
    ),
  );
  expect({ stderr, exitCode }).toEqual({ stderr: "colloquy: Found 3 errors.\n", exitCode: 1 });
});

test("a missing migration, disabled durability and an unreachable mail server are errors with a remedy", async () => {
  const broken = await createBrokenDatabase();
  const environment = { SECRET_KEY, DATABASE_URL: broken, SMTP_URL: "smtp://127.0.0.1:1" };
  const { stdout, exitCode } = await runCommand(["doctor", "--json"], {
    ...environment,
    DATA_DIR: await emptyFolder(),
  });
  const { checks }: { checks: { name: string; status: string; remedy?: string }[] } = JSON.parse(stdout);
  const errors = checks.filter(({ status }) => status === "error");
  expect(exitCode).toBe(1);
  expect(errors.map(({ name }) => name)).toEqual(["durability", "migrations", "mail"]);
  expect(errors.map(({ remedy }) => remedy)).not.toContain(undefined);
});

test("doctor says whether this version can run on a database of a later version", async () => {
  const { connectionString } = await createTestDatabase();
  const environment = { SECRET_KEY, DATABASE_URL: connectionString, DATA_DIR: await emptyFolder() };
  const checkMigrations = async () => {
    const { stdout } = await runCommand(["doctor", "--json"], environment);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "migrations");
  };
  await migrate({ connectionString }, { folder: await folderWith("9998_later.sql", "create table later ();\n") });
  const finding = "The schema is that of a later version, and this version can run on it.";
  expect(await checkMigrations()).toEqual({ name: "migrations", status: "ok", finding });
  await upgradeToNine(connectionString);
  const { status, finding: needed, remedy } = await checkMigrations();
  expect([status, `${needed} ${remedy}`]).toEqual(["error", NEEDS_NINE]);
});

test("an unreachable database is reported at once", async () => {
  const environment = { SECRET_KEY, DATABASE_URL: "postgres://127.0.0.1:1/colloquy" };
  const { stdout, exitCode } = await runCommand(["doctor"], { ...environment, DATA_DIR: await emptyFolder() });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/ERROR {4}database .*cannot be reached.*\n *→ Check DATABASE_URL/);
});

/** Starts another PostgreSQL, since the one that the tests share runs without durability. */
async function createOwnDatabase(): Promise<string> {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const { connection, stop } = await borrowEmbeddedDatabase({ dataDir, log: silentLog });
  onTestFinished(stop);
  await migrate(connection);
  return connectionUrl(connection);
}

async function createBrokenDatabase(): Promise<string> {
  const connectionString = await createOwnDatabase();
  await runQuery(connectionString, "delete from migrations where name = '0001_workspaces.sql'");
  const url = new URL(connectionString);
  url.searchParams.set("options", "-c synchronous_commit=off");
  return url.href;
}
