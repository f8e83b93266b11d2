import { expect, test } from "vitest";
import {
  countDelayedRows,
  countingStatements,
  createDelivery,
  letPass,
  reply,
  textsIn,
  workspaceWithDelays,
} from "../../../../test/delayed-notifications.ts";
import { eventually } from "../../../../test/eventually.ts";
import { createTestDatabase, makePublic, startTestService, TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ServiceProcess, startInProcess, temporaryDataDir } from "../../../../test/service-process.ts";
import { sql } from "../../../database/sql.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";

test("a process that is killed while it delivers loses nothing, and nothing is delivered twice", async () => {
  const { database, connectionString } = await createTestDatabase();
  const environment = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: await temporaryDataDir(), SECRET_KEY: "5".repeat(64) },
  };
  const killed = new ServiceProcess(environment);
  const address = await killed.address();
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = await workspaceWithDelays(await makePublic(new TestWorkspace(address, created)));
  await reply(workspace, ["grace", "alan"]);
  await letPass(database, workspace, 600);
  await database.transaction(async (transaction) => {
    await transaction.run(sql`lock table notification_recipients in exclusive mode`);
    await runSql(database, "update pgboss.job set start_after = now() where start_after > now()");
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`;
      expect(await runSql(database, waiting)).not.toEqual([]);
    });
    await killed.kill();
  });
  expect(await countDelayedRows(database, workspace)).toBe(3);
  const deliver = await createDelivery(database);
  await deliver(workspace);
  await deliver(workspace);
  const next = workspace.at((await startInProcess(environment)).address);
  expect([await textsIn(next), await textsIn(next, "grace")]).toEqual([["grace 0", "alan 1"], ["alan 1"]]);
  expect(await countDelayedRows(database, workspace)).toBe(0);
});

test("a thousand delayed notifications to one user take a bounded number of statements", async () => {
  const service = await startTestService();
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  for (let round = 0; round < 10; round++) await reply(workspace, Array(100).fill("grace"));
  expect(await countDelayedRows(service.database, workspace)).toBe(1_000);
  await letPass(service.database, workspace, 600);
  const counting = countingStatements(service.database);
  await (await createDelivery(counting.database))(workspace);
  expect(await textsIn(workspace)).toHaveLength(1_000);
  expect(counting.count()).toBeLessThan(30);
});
