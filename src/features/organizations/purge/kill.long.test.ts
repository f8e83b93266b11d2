import { expect, test } from "vitest";
import { addActivities, copyActivity } from "../../../../test/factories.ts";
import { createTestDatabase, TestWorkspace } from "../../../../test/harness.ts";
import { expireHeartbeats } from "../../../../test/killed-jobs.ts";
import { deleteRecords, ORGANIZATIONS, untilOrganizationPurged } from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ServiceProcess, startInProcess } from "../../../../test/service-process.ts";
import { size } from "../../../../test/sizes.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";

/** Number of records; a step purges 2,000. */
const RECORDS = size({ usual: 6_000, long: 1_000_000 });
const { database, connectionString } = await createTestDatabase();
const ENVIRONMENT = { DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64) };

async function countRecords(key: string): Promise<number> {
  const rows = await runSql<{ count: number }>(
    database,
    "select count(*) as count from activities where organization_key = $1",
    [key],
  );
  return rows[0]?.count ?? 0;
}

test("a deletion whose process is killed is finished by the next service", async () => {
  const killed = new ServiceProcess(ENVIRONMENT);
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = new TestWorkspace(await killed.address(), created);
  await addActivities(workspace, ["a"]);
  const key = organizationKey(workspace.id, "acme");
  await copyActivity(database, key, "a", RECORDS - 1);
  await database.transaction(async (holder) => {
    // The deletion cannot end before the kill.
    await runSql(holder, "select from activities where organization_key = $1 and id = 'a' for update", [key]);
    await deleteRecords(workspace, ORGANIZATIONS, ["acme"]);
    await expect.poll(() => countRecords(key), { interval: 5 }).toBeLessThan(RECORDS);
    await killed.kill();
  });
  await expireHeartbeats(database);
  expect(await countRecords(key)).toBeGreaterThan(0);
  const next = await startInProcess(ENVIRONMENT);
  await untilOrganizationPurged({ database }, workspace);
  expect(await countRecords(key)).toBe(0);
  await addActivities(workspace.at(next.address), ["new"]);
  expect(await countRecords(key)).toBe(1);
});
