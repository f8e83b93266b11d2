import { expect, test } from "vitest";
import { startMigration, untilMigrated } from "../../../../test/document-migrations.ts";
import { addActivities, copyActivity, readActivityIds } from "../../../../test/factories.ts";
import { createTestDatabase, TestWorkspace } from "../../../../test/harness.ts";
import { expireHeartbeats, skipRetryDelays } from "../../../../test/killed-jobs.ts";
import { addRecordings, readRecordingIds } from "../../../../test/recordings.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ServiceProcess, startInProcess } from "../../../../test/service-process.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";

/** Number of activities; a step moves 500. */
const RECORDS = 2_000;
const { database, connectionString } = await createTestDatabase();
const ENVIRONMENT = { DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };

async function countMoved(key: string): Promise<number> {
  const rows = await runSql<{ count: number }>(
    database,
    "select count(*) as count from activities where organization_key = $1 and document_id = 'new'",
    [key],
  );
  return rows[0]?.count ?? 0;
}

test("a migration whose process is killed is finished by the next service", async () => {
  const killed = new ServiceProcess(ENVIRONMENT);
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = new TestWorkspace(await killed.address(), created);
  await addActivities(workspace, ["a"], { documentId: "old" });
  await addRecordings(workspace, ["locked"], { documentId: "old" });
  const key = organizationKey(workspace.id, "acme");
  await copyActivity(database, key, "a", RECORDS - 1);
  // The migration cannot move the recording, and so not end, before the kill.
  await runSql(database, "alter table recordings add constraint unmovable check (document_id <> 'new')");
  const migrationId = await startMigration(workspace, "old", "new");
  await expect.poll(() => countMoved(key), { interval: 5 }).toBe(RECORDS);
  await killed.kill();
  await runSql(database, "alter table recordings drop constraint unmovable");
  await expireHeartbeats(database);
  await skipRetryDelays(database);
  const next = workspace.at((await startInProcess(ENVIRONMENT)).address);
  await untilMigrated(next, migrationId);
  expect((await readActivityIds(next, { documentId: "new" })).length).toBe(RECORDS);
  expect(await readRecordingIds(next, { documentId: "new" })).toEqual(["locked"]);
});
