import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import { addActivities, copyActivity } from "../../../test/factories.ts";
import { createTestDatabase, TestWorkspace } from "../../../test/harness.ts";
import { expireHeartbeats } from "../../../test/killed-jobs.ts";
import { runSql } from "../../../test/run-sql.ts";
import { ServiceProcess, startInProcess } from "../../../test/service-process.ts";
import { size } from "../../../test/sizes.ts";
import { deleteUserData, findRowsContaining, readStatus } from "../../../test/user-data.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { createWorkspace } from "../workspaces/workspaces.ts";

/** Number of kills. The last one is detected at once, another after up to 15 s; the job is retried within 10 s. */
const KILLS = size({ usual: 1, long: 20 });
const RECORDS = size({ usual: 20_000, long: 200_000 });
const ORGANIZATIONS = 10;
/** Maximum lifetime of a process after its first progress, too short for twenty processes to finish the deletion. */
const MAX_LIFETIME_MS = 150;
const ADA = { userId: "ada-7f3k", email: "ada@person.example" };
const BOB = { userId: "bob-22xx" };

const { database, connectionString } = await createTestDatabase();
const ENVIRONMENT = {
  DATABASE_URL: connectionString,
  SECRET_KEY: "5".repeat(64),
  BOOTSTRAP_API_KEY: "bootstrap-key",
  BOOTSTRAP_AUTH_TOKEN: "bootstrap-token-0123456789",
};

/** Writes records: half are by the user, and every tenth of the others mentions the user. */
async function fill(workspace: TestWorkspace): Promise<void> {
  const perOrganization = RECORDS / ORGANIZATIONS;
  for (let number = 0; number < ORGANIZATIONS; number++) {
    const organizationId = `organization-${number}`;
    await addActivities(
      workspace,
      [
        { id: "own", actionUser: ADA },
        { id: "mention", actionUser: BOB, entityData: [ADA.userId, ADA.email, "kept"] },
        { id: "other", actionUser: BOB, entityData: "kept" },
      ],
      { organizationId },
    );
    const key = organizationKey(workspace.id, organizationId);
    await copyActivity(database, key, "own", perOrganization * 0.5 - 1);
    await copyActivity(database, key, "mention", perOrganization * 0.05 - 1);
    await copyActivity(database, key, "other", perOrganization * 0.45 - 1);
  }
}

async function readProgress(): Promise<string> {
  const rows = await runSql<{ progress: string }>(
    database,
    `select concat_ws(' ', stage, position, (select sum(deleted + stripped) from user_data_receipts)) as progress
     from user_data_deletions`,
  );
  return rows[0]?.progress ?? "";
}

/** Kills the process soon after it has made progress. */
async function killDuringDeletion(service: ServiceProcess): Promise<void> {
  const before = await readProgress();
  expect(before, "it was done before the last kill").not.toMatch(/^done/);
  await eventually(async () => expect(await readProgress()).not.toBe(before));
  await delay(Math.random() * MAX_LIFETIME_MS);
  await service.kill();
}

test(`two services finish a deletion that was killed ${KILLS} times, without loss for other users`, async () => {
  const first = new ServiceProcess(ENVIRONMENT);
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = new TestWorkspace(await first.address(), created);
  await fill(workspace);
  const { jobId } = await deleteUserData(workspace, [ADA.userId]);
  await killDuringDeletion(first);
  for (let kill = 1; kill < KILLS; kill++) await killDuringDeletion(new ServiceProcess(ENVIRONMENT));
  await expireHeartbeats(database);
  const [{ address }] = await Promise.all([startInProcess(ENVIRONMENT), startInProcess(ENVIRONMENT)]);
  const status = await eventually(async () => {
    const found = await readStatus(workspace.at(address), jobId);
    expect(found.isDeleteCompleted).toBe(true);
    return found;
  });
  const counts = status.receipt?.map(({ deleted, stripped }) => [deleted, stripped]);
  expect(counts).toEqual(
    Array(ORGANIZATIONS).fill([(RECORDS / ORGANIZATIONS) * 0.5, (RECORDS / ORGANIZATIONS) * 0.05]),
  );
  expect(await findRowsContaining(database, [ADA.userId, ADA.email])).toEqual([]);
  const rows = await runSql<{ count: number }>(
    database,
    "select count(*) as count from activities where user_id = $1 and record::text like '%kept%'",
    [BOB.userId],
  );
  expect(rows[0]?.count).toBe(RECORDS / 2);
});
