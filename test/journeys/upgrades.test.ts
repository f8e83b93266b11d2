import { expect, test } from "vitest";
import { migrate } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { folderWith, migrateBefore, NEEDS_NINE, upgradeToNine } from "../earlier-version.ts";
import { eventually } from "../eventually.ts";
import { activity, readActivityIds, SCOPE } from "../factories.ts";
import { fillTables, findMissingRows, insertRows, selectFillableTables } from "../fill-tables.ts";
import { createTestDatabase, startOwnTestService, TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const STARTING = { reason: "starting" };
const ROWS_BEFORE = 20;
const ACTIVITIES = 30;
/** The migration that the earlier version of these tests lacks. */
const MIGRATION = "0010_events.sql";
const LATER_MIGRATION = "9999_titles.sql";

test("rows survive a migration that changes their tables", async () => {
  const { database, connectionString } = await createTestDatabase();
  await fillTables(database, [1, 2, 3]);
  const tables = await selectFillableTables(database);
  const statements = tables.map(({ name }) => `alter table ${name} add column title text not null default 'none';\n`);
  const { applied } = await migrate(
    { connectionString },
    { folder: await folderWith(LATER_MIGRATION, statements.join("")) },
  );
  expect(applied).toEqual([LATER_MIGRATION]);
  for (const row of [1, 2, 3]) expect(await findMissingRows(database, tables, row)).toEqual([]);
});

/**
 * Tables whose rows a service works off: changes of which it adds versions or that it reports, and users whose process
 * no longer runs.
 */
const WORKED_OFF = ["crdt_edits", "crdt_unreported_changes", "presence", "presence_connections", "presence_processes"];

test("a database of an earlier version is upgraded by a start while requests run", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(connectionString, MIGRATION);
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
  const { database, connectionString } = await createTestDatabase();
  const folder = await folderWith(
    LATER_MIGRATION,
    "alter table documents add column title text;\nalter table workspaces add column title text;\n",
  );
  const isBlocked = sql`select from pg_locks where relation = 'workspaces'::regclass and not granted`;
  let migrating: Promise<unknown> = Promise.resolve();
  await database.transaction(async (transaction) => {
    await runSql(transaction, "lock table workspaces in row exclusive mode");
    migrating = migrate({ connectionString }, { folder });
    await eventually(async () => expect(await database.run(isBlocked)).toHaveLength(1));
    expect(await runSql(transaction, "select from documents")).toEqual([]);
  });
  expect(await migrating).toMatchObject({ applied: [LATER_MIGRATION] });
});

test("a running service goes on after a later version has upgraded its database, and is ready", async () => {
  const service = await startOwnTestService();
  const workspace = await service.workspace();
  const folder = await folderWith(LATER_MIGRATION, "alter table activities add column title text;\n");
  await workspace.data("/v2/activities/add", { ...SCOPE, activities: [activity({ id: "before" })] });
  expect(await readActivityIds(workspace)).toEqual(["before"]);
  await migrate({ connectionString: service.config.databaseUrl }, { folder });
  await workspace.data("/v2/activities/add", { ...SCOPE, activities: [activity({ id: "after" })] });
  expect((await readActivityIds(workspace)).sort()).toEqual(["after", "before"]);
  expect(await fetch(`${service.address}/readyz`)).toMatchObject({ status: 200 });
});

test("a running service is not ready any more once its database needs a later version, and says so", async () => {
  const { address, config } = await startOwnTestService();
  await upgradeToNine(config.databaseUrl);
  const response = await fetch(`${address}/readyz`);
  const { error } = Object(await response.json());
  expect([response.status, error]).toEqual([503, expect.objectContaining({ message: NEEDS_NINE })]);
});
