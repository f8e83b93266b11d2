import { expect, test } from "vitest";
import {
  createDelivery,
  letPass,
  reply,
  textsIn,
  workspaceWithDelays,
} from "../../../../test/delayed-notifications.ts";
import { eventually } from "../../../../test/eventually.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../../test/user-data.ts";
import { explainNotification } from "../../explanations/explain-notification.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";

const service = await startOwnTestService();
const deliverDelayed = await createDelivery(service.database);
const { organizationId } = SCOPE;

test("a worker delivers at the time when the notification is due", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  await reply(workspace, ["grace"]);
  const [job] = await runSql<{ wait: number }>(
    service.database,
    `select extract(epoch from start_after - created_on)::float as wait from pgboss.job
     where name = 'deliver-delayed-notifications' order by created_on desc limit 1`,
  );
  expect(Math.abs((job?.wait ?? 0) - 600)).toBeLessThan(30);
  await letPass(service.database, workspace, 600);
  await runSql(service.database, "update pgboss.job set start_after = now() where start_after > now()");
  await eventually(async () => expect(await textsIn(workspace)).toEqual(["grace 0"]));
});

test("four deliveries at the same time deliver each notification once", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  const users = Array.from({ length: 30 }, (_, index) => `user-${index}`);
  await reply(workspace, ["grace", "alan"], users);
  await letPass(service.database, workspace, 600);
  await Promise.all(Array.from({ length: 4 }, () => deliverDelayed(workspace)));
  const lists = await Promise.all(users.map((userId) => textsIn(workspace, userId)));
  expect(lists).toEqual(users.map(() => ["grace 0", "alan 1"]));
  expect(await textsIn(workspace)).toEqual(["grace 0", "alan 1"]);
});

test("deleting a user purges the delayed notifications to them and of their events, and keeps the rest", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  const gone = `gone-${workspace.id}`;
  await reply(workspace, [gone, "grace"], ["alan"]);
  await deleteUserDataAndWait(workspace, [gone]);
  expect(await findRowsContaining(service.database, [gone])).toEqual([]);
  await letPass(service.database, workspace, 600);
  await deliverDelayed(workspace);
  expect([await textsIn(workspace), await textsIn(workspace, "alan")]).toEqual([["grace 1"], ["grace 1"]]);
});

test("nothing of a user whose deletion was accepted is delivered, even before the purge", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  await reply(workspace, ["grace", "alan"]);
  await runSql(
    service.database,
    `insert into user_data_deletions (id, workspace_id, user_ids, accepted_at, tasks_count, stage)
     values (gen_random_uuid(), $1, '{grace}', extract(epoch from now()) * 1000, 1, 'purging')`,
    [workspace.id],
  );
  await letPass(service.database, workspace, 600);
  await deliverDelayed(workspace);
  expect([await textsIn(workspace), await textsIn(workspace, "grace")]).toEqual([["alan 1"], []]);
});

test("the export of a user has the delayed notifications to them", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  await reply(workspace, ["grace"]);
  const exported = await workspace.data("/v2/users/data/get", { organizationId, userId: "ada" });
  expect(Object(exported).delayedNotifications).toMatchObject([
    { documentId: SCOPE.documentId, annotationId: "a", commentId: 2, event: { actionType: "comment.add" } },
  ]);
});

test("the explanation of a missing notification says that some are delayed", async () => {
  const workspace = await workspaceWithDelays(await service.publicWorkspace());
  const scope = openOrganization(service.database, workspace, organizationId);
  const subject = { userId: "ada", notificationId: "unknown" };
  expect(await explainNotification(scope, subject)).toMatchObject({
    inbox: { rule: "not-found" },
  });
  await reply(workspace, ["grace"]);
  expect(await explainNotification(scope, subject)).toMatchObject({
    inbox: { rule: "delayed", explanation: expect.stringContaining("1 notification to the user is delayed") },
    email: { rule: "delayed" },
  });
});
