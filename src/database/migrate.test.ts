import { Socket } from "node:net";
import pg from "pg";
import { expect, test } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { eventually } from "../../test/eventually.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { lockSchema, migrate } from "./migrate.ts";

test("a migration whose connection breaks fails, and the process goes on", async () => {
  const { database, connectionString } = await createTestDatabase();
  const other = new pg.Client({ connectionString });
  await other.connect();
  registerCleanup(() => other.end());
  await lockSchema(other, "exclusive");
  const socket = new Socket();
  const connection = { connectionString, stream: () => socket };
  const migrating = migrate(connection).catch((error: unknown) => error);
  const waiting = `select 1 as waits from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and not granted`;
  await eventually(async () => expect(await runSql(database, waiting)).toHaveLength(1));
  const failure = new Error("read ECONNRESET");
  socket.destroy(failure);
  expect(await migrating).toBe(failure);
});
