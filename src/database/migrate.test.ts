import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import pg from "pg";
import { expect, test, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { registerCleanup } from "../../test/cleanup.ts";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { folderWith, migrateBefore, NEEDS_NINE, upgradeToNine } from "../../test/earlier-version.ts";
import { eventually } from "../../test/eventually.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { readConfig } from "../config/config.ts";
import { startService } from "../service/service.ts";
import { lockSchema, migrate } from "./migrate.ts";
import { compareVersions, knownMigrations, readMigrations } from "./migration-files.ts";
import type { Queryable } from "./statement.ts";

const NEWEST = (await knownMigrations()).at(-1) ?? "";

/** Locks the schema as a backup (shared) or a restore (exclusive) does. Returns the function that unlocks it. */
async function acquireSchemaLock(connectionString: string, mode: "exclusive" | "shared"): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const release = () => client.end();
  registerCleanup(release);
  await lockSchema(client, mode);
  return release;
}

const WAITING = `select from pg_locks join pg_database on pg_database.oid = database
  where datname = current_database() and locktype = 'advisory' and not granted`;

function untilAdvisoryLocksWait(database: Queryable, count: number): Promise<unknown> {
  return eventually(async () => expect(await runSql(database, WAITING)).toHaveLength(count));
}

async function getEnvironment(connectionString: string) {
  const keys = { SECRET_KEY: "5".repeat(64), LOG_LEVEL: "silent", NODE_ENV: "test" };
  return { ...keys, PORT: "0", DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString };
}

test("a start and a command do not wait for a running backup", async () => {
  const { connectionString } = await createTestDatabase();
  await acquireSchemaLock(connectionString, "shared");
  const environment = await getEnvironment(connectionString);
  const service = await startService(readConfig(environment), silentLog);
  registerCleanup(() => service.stop());
  expect(await runCommand(["workspace", "list", "--json"], environment)).toMatchObject({ exitCode: 0 });
});

test("a start and a command wait until a restore has ended", async () => {
  const { database, connectionString } = await createTestDatabase();
  const release = await acquireSchemaLock(connectionString, "exclusive");
  const environment = await getEnvironment(connectionString);
  const ended: string[] = [];
  const starting = startService(readConfig(environment), silentLog).then((service) => {
    registerCleanup(() => service.stop());
    ended.push("start");
  });
  const running = runCommand(["workspace", "list", "--json"], environment).then(() => ended.push("command"));
  await untilAdvisoryLocksWait(database, 2);
  expect(ended).toEqual([]);
  await release();
  await Promise.all([starting, running]);
});

test("an upgrade waits for a backup, logs that, and blocks no start of the version before", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(connectionString, NEWEST);
  const release = await acquireSchemaLock(connectionString, "shared");
  const warn = vi.fn();
  const upgrading = migrate({ connectionString }, { log: { warn } });
  await eventually(() =>
    expect(warn.mock.calls).toEqual([["waiting for a backup, restore or upgrade of the database to end"]]),
  );
  const other = new pg.Client({ connectionString });
  await other.connect();
  registerCleanup(() => other.end());
  await lockSchema(other, "shared");
  await other.end();
  await release();
  expect((await upgrading).applied).toEqual([NEWEST]);
});

test("a migration whose connection breaks fails, and the process goes on", async () => {
  const { database, connectionString } = await createTestDatabase();
  await acquireSchemaLock(connectionString, "exclusive");
  const socket = new Socket();
  const connection = { connectionString, stream: () => socket };
  const migrating = migrate(connection).catch((error: unknown) => error);
  await untilAdvisoryLocksWait(database, 1);
  const failure = new Error("read ECONNRESET");
  socket.destroy(failure);
  expect(await migrating).toBe(failure);
});

test("concurrent migrations of an empty database apply each migration once", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  const migrated = await Promise.all([1, 2, 3].map(() => migrate({ connectionString })));
  expect(migrated.flatMap(({ applied }) => applied)).toEqual(await knownMigrations());
});

test("a database of a later version is used as it is", async () => {
  const { connectionString } = await createTestDatabase();
  await migrate({ connectionString }, { folder: await folderWith("9999_later.sql", "create table later ();\n") });
  expect(await migrate({ connectionString })).toEqual({ applied: [], distributed: [] });
});

test("a start and every command reject a database that needs a later version, and change nothing", async () => {
  const { database, connectionString } = await createTestDatabase();
  await upgradeToNine(connectionString);
  const environment = await getEnvironment(connectionString);
  await expect(startService(readConfig(environment), silentLog)).rejects.toThrow(NEEDS_NINE);
  for (const args of [["migrate"], ["backup", "-"], ["workspace", "create", "--name", "Acme"]]) {
    const { stderr, exitCode } = await runCommand(args, environment);
    expect({ stderr, exitCode }).toEqual({ stderr: `colloquy: ${NEEDS_NINE}\n`, exitCode: 1 });
  }
  expect(await runSql(database, "select from workspaces")).toEqual([]);
});

test("no migration needs a version after this one", async () => {
  const needed = (await readMigrations()).flatMap(({ oldestVersion }) => oldestVersion ?? []);
  expect(needed.filter((version) => compareVersions(version, packageJson.version) > 0)).toEqual([]);
});

test.each([
  ["0.9.0", "0.10.0"],
  ["9.10.11", "10.0.0"],
  ["1.0.0", "1.0.1"],
])("version %s is before %s", (earlier, later) => {
  expect(compareVersions(earlier, later)).toBeLessThan(0);
  expect(compareVersions(later, earlier)).toBeGreaterThan(0);
});

test("a migration that was changed after it was applied is rejected, even if nothing else is missing", async () => {
  const { connectionString } = await createTestDatabase();
  const folder = await folderWith(NEWEST, "create table other ();\n");
  await expect(migrate({ connectionString }, { folder })).rejects.toThrow(
    `The migration ${NEWEST} was changed after it had been applied to this database. Restore the file`,
  );
});

test("line ends of Windows do not change a migration", async () => {
  const { connectionString } = await createTestDatabase();
  const text = await readFile(new URL(`./migrations/${NEWEST}`, import.meta.url), "utf8");
  const folder = await folderWith(NEWEST, text.replaceAll("\n", "\r\n"));
  expect((await migrate({ connectionString }, { folder })).applied).toEqual([]);
});

test("a start and every command reject a database of a pre-release version, with what to do", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await runSql(database, "create table migrations (name text primary key, applied_at timestamptz default now())");
  const environment = await getEnvironment(connectionString);
  const message =
    "The database is of a pre-release version of Colloquy, which this version cannot upgrade. Run `colloquy backup` " +
    "with that version, and `colloquy restore` with this one into an empty database.";
  await expect(startService(readConfig(environment), silentLog)).rejects.toThrow(message);
  for (const args of [["migrate"], ["backup", "-"], ["workspace", "list"]]) {
    const { stderr, exitCode } = await runCommand(args, environment);
    expect({ stderr, exitCode }).toEqual({ stderr: `colloquy: ${message}\n`, exitCode: 1 });
  }
});
