import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { emptyFolder, runCommand } from "../../../test/command-line.ts";
import { eventually } from "../../../test/eventually.ts";
import { addActivities } from "../../../test/factories.ts";
import { createTestDatabase, startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { createEndpoint } from "../../../test/webhooks.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { createWorkspace } from "../workspaces/workspaces.ts";
import { selectLastBackup } from "./health-queries.ts";

const PATH = "/v2/workspace/overview/get";
const service = await startTestService();

test("a new workspace has nothing that needs attention", async () => {
  const workspace = await service.workspace();
  expect((await workspace.data(PATH, {})).health).toEqual({
    webhooks: { endpoints: 0, failing: 0, disabled: 0 },
    mails: { refused: 0, deferred: 0 },
    requests: { requests: expect.any(Number), errors: 0, p95Ms: null },
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    version: packageJson.version,
    lastBackupAt: null,
  });
});

test("failing webhooks, refused and deferred mails, and failed requests are counted in their workspace", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  const [failing, disabled] = [await createEndpoint(workspace), await createEndpoint(workspace)];
  await runSql(service.database, "update webhook_endpoints set failing_since = 1 where id = $1", [failing]);
  await runSql(service.database, "update webhook_endpoints set failing_since = 1, disabled = true where id = $1", [
    disabled,
  ]);
  await addActivities(workspace, ["a"]);
  for (const [state, hoursAgo] of [
    ["rejected", 1],
    ["rejected", 25],
    ["deferred", 1],
    ["sent", 1],
  ] as const) {
    await addMail(workspace, state, hoursAgo);
  }
  await workspace.call("/v2/activities/add", {});
  await eventually(async () => {
    expect((await workspace.data(PATH, {})).health).toMatchObject({
      webhooks: { endpoints: 2, failing: 1, disabled: 1 },
      mails: { refused: 1, deferred: 1 },
      requests: { errors: 1, p95Ms: expect.any(Number) },
    });
  });
  expect((await other.data(PATH, {})).health).toMatchObject({
    webhooks: { endpoints: 0 },
    mails: { refused: 0, deferred: 0 },
    requests: { errors: 0 },
  });
});

function addMail(workspace: TestWorkspace, state: string, hoursAgo: number): Promise<unknown> {
  return runSql(
    service.database,
    `insert into mail_deliveries (organization_key, id, workspace_id, document_id, annotation_ids, user_id, address,
        triggers, state, attempts, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, 'd', '{}', 'ada', 'ada@example.com', '{}', $3, 1, $4, $4)`,
    [organizationKey(workspace.id, "acme"), workspace.id, state, Date.now() - hoursAgo * 3_600_000],
  );
}

test("a backup is recorded in the audit log of each workspace, and its time is the last one", async () => {
  const { database, connectionString } = await createTestDatabase();
  const { workspaceId } = await createWorkspace(database, { name: "backed up" });
  expect(await selectLastBackup(database, workspaceId)).toBe(null);
  const folder = await emptyFolder();
  const environment = { DATABASE_URL: connectionString, DATA_DIR: folder, SECRET_KEY: "5".repeat(64) };
  const begun = Date.now();
  expect(await runCommand(["backup", join(folder, "backup.colloquy")], environment)).toMatchObject({ exitCode: 0 });
  expect(await selectLastBackup(database, workspaceId)).toBeGreaterThanOrEqual(begun);
});
