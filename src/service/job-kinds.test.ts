import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, runJsonCommand } from "../../test/command-line.ts";
import { addAnnotations, addComments } from "../../test/comments.ts";
import { DELAY, delayNotifications } from "../../test/delayed-notifications.ts";
import { eventually } from "../../test/eventually.ts";
import { addActivities, SCOPE } from "../../test/factories.ts";
import { createTestDatabase, silentLog, TestWorkspace } from "../../test/harness.ts";
import { allowMails, openMailQueue } from "../../test/mails.ts";
import { runSql } from "../../test/run-sql.ts";
import { deleteUserData, untilDeletionDone } from "../../test/user-data.ts";
import { readConfig } from "../config/config.ts";
import { createWorkspace } from "../features/workspaces/workspaces.ts";
import { START_STEPS, startService } from "./service.ts";

async function getEnvironment(DATABASE_URL: string) {
  return { DATABASE_URL, SECRET_KEY: "5".repeat(64), DATA_DIR: await emptyFolder(), PORT: "0" };
}

async function start(environment: Record<string, string>, steps = START_STEPS): Promise<string> {
  const service = await startService(readConfig(environment), silentLog, { steps });
  onTestFinished(() => service.stop());
  return service.address;
}

test("what was in progress when a backup was made is done after its restore", async () => {
  const source = await createTestDatabase();
  const from = await getEnvironment(source.connectionString);
  const address = await start(from, { ...START_STEPS, startJobWorkers: async () => {} });
  const credentials = await createWorkspace(source.database, { name: "Acme", activityServiceEnabled: true });
  const workspace = new TestWorkspace(address, credentials);
  await addActivities(workspace, [{ actionUser: { userId: "kurt" } }]);
  await addActivities(workspace, ["a"], { documentId: "old" });
  await addActivities(workspace, ["a"], { organizationId: "closed" });
  const users = ["ada", "grace"].map((userId) => ({
    ...{ userId, email: `${userId}@example.com` },
    accessRole: "editor" as const,
  }));
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  await allowMails(workspace, ["comment.add"]);
  const queueMail = await openMailQueue(source.database);
  await addAnnotations(workspace, ["a"]);
  await queueMail(workspace);
  await delayNotifications(workspace, DELAY);
  await addComments(workspace, [{ from: { userId: "grace" }, triggerNotification: true }]);
  const { jobId } = await deleteUserData(workspace, ["kurt"]);
  await workspace.data("/v2/organizations/documents/delete", {
    organizationId: SCOPE.organizationId,
    documentIds: ["old"],
  });
  await workspace.data("/v2/organizations/delete", { organizationIds: ["closed"] });
  const pending = await runSql(source.database, "select distinct name from pgboss.job order by name");
  const names = [
    "delete-user-data",
    "deliver-delayed-notifications",
    "purge-documents",
    "purge-organization",
    "send-mail",
  ];
  expect(pending).toEqual(names.map((name) => ({ name })));

  const target = await createTestDatabase({ isBare: true });
  const to = await getEnvironment(target.connectionString);
  const file = join(await emptyFolder(), "backup");
  await runJsonCommand(["backup", file], from);
  await runJsonCommand(["restore", file], to);
  const restored = workspace.at(await start(to));
  await untilDeletionDone(restored, jobId);
  await eventually(async () => {
    expect(await restored.data("/v2/workspace/outbox/get", {})).toMatchObject([
      { to: expect.stringContaining("grace") },
    ]);
    const left = await runSql(
      target.database,
      "select 1 from document_purges union all select 1 from organizations where organization_id = 'closed'",
    );
    expect(left).toEqual([]);
  });
  const delivery = "select start_after from pgboss.job where name = 'deliver-delayed-notifications'";
  expect(await runSql(target.database, delivery)).toEqual(await runSql(source.database, delivery));
});
