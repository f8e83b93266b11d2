import { Socket } from "node:net";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { migrateBefore } from "../../test/earlier-version.ts";
import { eventually } from "../../test/eventually.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { readConfig } from "../config/config.ts";
import { startService } from "../service/service.ts";
import { knownMigrations, lockSchema, migrate } from "./migrate.ts";
import type { Queryable } from "./statement.ts";

/** Locks the schema as a backup (shared) or a restore (exclusive) does. Returns the function that unlocks it. */
async function holdSchema(connectionString: string, mode: "exclusive" | "shared"): Promise<() => Promise<void>> {
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

async function environmentOf(connectionString: string) {
  const keys = { SECRET_KEY: "5".repeat(64), LOG_LEVEL: "silent", NODE_ENV: "test" };
  return { ...keys, PORT: "0", DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString };
}

test("a start and a command do not wait for a running backup", async () => {
  const { connectionString } = await createTestDatabase();
  await holdSchema(connectionString, "shared");
  const environment = await environmentOf(connectionString);
  const service = await startService(readConfig(environment), silentLog);
  registerCleanup(() => service.stop());
  expect(await runCommand(["workspace", "list", "--json"], environment)).toMatchObject({ exitCode: 0 });
});

test("a start and a command wait until a restore has ended", async () => {
  const { database, connectionString } = await createTestDatabase();
  const release = await holdSchema(connectionString, "exclusive");
  const environment = await environmentOf(connectionString);
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
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  const newest = (await knownMigrations()).at(-1) ?? "";
  await migrateBefore(database, newest);
  const release = await holdSchema(connectionString, "shared");
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
  expect((await upgrading).applied).toEqual([newest]);
});

test("a migration whose connection breaks fails, and the process goes on", async () => {
  const { database, connectionString } = await createTestDatabase();
  await holdSchema(connectionString, "exclusive");
  const socket = new Socket();
  const connection = { connectionString, stream: () => socket };
  const migrating = migrate(connection).catch((error: unknown) => error);
  await untilAdvisoryLocksWait(database, 1);
  const failure = new Error("read ECONNRESET");
  socket.destroy(failure);
  expect(await migrating).toBe(failure);
});
