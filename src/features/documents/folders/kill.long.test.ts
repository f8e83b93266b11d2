import { expect, test } from "vitest";
import { addActivities, copyActivity } from "../../../../test/factories.ts";
import { createTestDatabase, TestWorkspace } from "../../../../test/harness.ts";
import { expireHeartbeats } from "../../../../test/killed-jobs.ts";
import { DOCUMENTS, readRecordIds, writeRecords } from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ServiceProcess, startInProcess } from "../../../../test/service-process.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";

const RECORDS = 6_000;

test("a deletion whose process is killed is finished by the next service", async () => {
  const { database, connectionString } = await createTestDatabase();
  const environment = { DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };
  const killed = new ServiceProcess(environment);
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = new TestWorkspace(await killed.address(), created);
  await writeRecords(workspace, DOCUMENTS, "add", ["contract-7"], { folderId: "a" });
  await addActivities(workspace, ["a"]);
  const key = organizationKey(workspace.id, "acme");
  await copyActivity(database, key, "a", RECORDS - 1);
  const count = async () => {
    const [row] = await runSql<{ count: number }>(
      database,
      "select count(*) as count from activities where organization_key = $1",
      [key],
    );
    return row?.count ?? 0;
  };
  await database.transaction(async (holder) => {
    // The deletion cannot end before the kill.
    await runSql(holder, "select from activities where organization_key = $1 and id = 'a' for update", [key]);
    await workspace.data("/v2/organizations/folders/delete", { organizationId: "acme", folderId: "a" });
    await expect.poll(count, { interval: 5 }).toBeLessThan(RECORDS);
    await killed.kill();
  });
  await expireHeartbeats(database);
  expect(await count()).toBeGreaterThan(0);
  const next = await startInProcess(environment);
  await expect.poll(count).toBe(0);
  expect(await readRecordIds(workspace.at(next.address), DOCUMENTS)).toEqual([]);
});
