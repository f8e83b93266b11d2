import { cp, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, inject, test } from "vitest";
import { distribute, findUndistributed } from "../../src/database/distribution.ts";
import { knownMigrations, migrate, missingMigrations } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { migrateBefore } from "../earlier-version.ts";
import { eventually } from "../eventually.ts";
import { activity, readActivityIds, SCOPE } from "../factories.ts";
import { type FillableTable, findMissingRows, insertRows, selectFillableTables } from "../fill-tables.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { size } from "../sizes.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const STARTING = { reason: "starting" };
const ROWS_BEFORE = 20;
const ACTIVITIES = 30;
const IS_CITUS = inject("serverUrls").length > 1;
const known = await knownMigrations();
/** Migrations that an earlier version lacks, and the versions that are upgraded beside requests. */
const later = known.slice(1);
const VERSIONS = sampleOf(later, size({ usual: 5, long: later.length }));
/** The first version that distributed its tables lacked this migration. */
const FIRST_AFTER_CITUS = "0025_token_scopes.sql";
const DISTRIBUTED_VERSIONS = sampleOf(known.slice(known.indexOf(FIRST_AFTER_CITUS)), size({ usual: 3, long: 10 }));

/** Returns `count` of the values at equal distances, the first and the last among them. */
function sampleOf<Value>(values: readonly Value[], count: number): Value[] {
  const step = (values.length - 1) / (count - 1);
  return values.filter((_, index) => index === Math.round(Math.round(index / step) * step));
}

test("rows that any earlier version has written survive every later migration", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  const written: { row: number; tables: FillableTable[] }[] = [];
  for (const [row, migration] of later.entries()) {
    await migrateBefore(database, migration);
    const tables = await selectFillableTables(database);
    await insertRows(database, tables, row);
    written.push({ row, tables });
  }
  await migrate({ connectionString });
  for (const { row, tables } of written) {
    expect(await findMissingRows(database, tables, row), `rows written before ${later[row]}`).toEqual([]);
  }
});

/** Returns a folder of the migrations before the named one. */
async function migrationsBefore(migration: string): Promise<URL> {
  const folder = await mkdtemp(join(inject("runDirectory"), "migrations-"));
  const from = new URL("../../src/database/migrations/", import.meta.url);
  for (const name of known.filter((one) => one < migration)) await cp(new URL(name, from), join(folder, name));
  return pathToFileURL(`${folder}/`);
}

test.runIf(IS_CITUS)("rows of a distributed database survive every later migration", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(database, FIRST_AFTER_CITUS);
  await database.transaction((transaction) => distribute((text, values) => runSql(transaction, text, values)));
  const written: { row: number; tables: FillableTable[] }[] = [];
  for (const [row, migration] of DISTRIBUTED_VERSIONS.entries()) {
    await migrate({ connectionString }, { folder: await migrationsBefore(migration) });
    const tables = await selectFillableTables(database);
    await insertRows(database, tables, row);
    written.push({ row, tables });
  }
  await migrate({ connectionString });
  expect(await missingMigrations(database)).toEqual([]);
  expect(await findUndistributed((text, values) => runSql(database, text, values))).toEqual([]);
  for (const { row, tables } of written) {
    const version = `rows written before ${DISTRIBUTED_VERSIONS[row]}`;
    expect(await findMissingRows(database, tables, row), version).toEqual([]);
  }
});

/** Tables whose rows a service works off: changes that it reports, and users whose process no longer runs. */
const WORKED_OFF = ["crdt_unreported", "presence", "presence_connections", "presence_processes"];

test.each(VERSIONS)("a database without %s is upgraded by a start while requests run", async (migration) => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(database, migration);
  const tables = await selectFillableTables(database);
  let row = 0;
  while (row < ROWS_BEFORE) await insertRows(database, tables, row++);
  const service = new ServiceProcess({
    ...{ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64), DATA_DIR: await temporaryDataDir() },
    ...{ BOOTSTRAP_API_KEY: CREDENTIALS.apiKey, BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken },
  });
  const workspace = new TestWorkspace(await service.address("starting"), { workspaceId: "", ...CREDENTIALS });
  const added: string[] = [];
  async function addActivities(caller: number): Promise<void> {
    for (let call = 0; added.length < ACTIVITIES; call++) {
      const id = `${caller}-${call}`;
      const { httpStatus, body } = await workspace.call("/v2/activities/add", {
        ...SCOPE,
        activities: [activity({ id })],
      });
      if (httpStatus === 200) added.push(id);
      else expect({ httpStatus, body }).toMatchObject({ httpStatus: 503, body: { error: { details: STARTING } } });
    }
  }
  async function writeAsEarlierVersion(): Promise<void> {
    while (added.length < ACTIVITIES) await insertRows(database, tables, row++);
  }
  await Promise.all([addActivities(1), addActivities(2), writeAsEarlierVersion()]);
  expect((await readActivityIds(workspace)).sort()).toEqual(added.sort());
  const lasting = tables.filter(({ name }) => !WORKED_OFF.includes(name));
  for (let number = 0; number < row; number++) expect(await findMissingRows(database, lasting, number)).toEqual([]);
});

test("an upgrade gives way to a transaction that locks its tables in another order", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(database, "0026_folders.sql");
  const isBlocked = sql`select from pg_locks where relation = 'workspaces'::regclass and not granted`;
  let migrating: Promise<unknown> = Promise.resolve();
  await database.transaction(async (transaction) => {
    await runSql(transaction, "lock table workspaces in row exclusive mode");
    // Alters documents first, and then waits for workspaces.
    migrating = migrate({ connectionString });
    await eventually(async () => expect(await database.run(isBlocked)).toHaveLength(1));
    expect(await runSql(transaction, "select from documents")).toEqual([]);
  });
  await migrating;
  expect(await missingMigrations(database)).toEqual([]);
});
