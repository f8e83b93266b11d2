import { expect, test, vi } from "vitest";
import { eventReader, getEvents } from "../../test/events.ts";
import { addActivities, readActivityIds, SCOPE } from "../../test/factories.ts";
import { silentLog, startOwnTestService, type TestWorkspace } from "../../test/harness.ts";
import { addNotification, readNotificationPages } from "../../test/notifications.ts";
import { runSql } from "../../test/run-sql.ts";
import { storesIn } from "../../test/stores.ts";
import { deleteExpiredRows } from "../database/expiry.ts";
import { deleteExpiredActivities } from "../features/activities/expiry.ts";
import { deleteExpiredNotifications } from "../features/notifications/expiry.ts";
import { expireByOrganization } from "../features/purge/expire-by-organization.ts";
import { startExpiryTimers } from "./expiry.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const RETENTION_DAYS = 90;
const OLD = Date.now() - RETENTION_DAYS * DAY_MS - 60_000;
const NEW = Date.now() - RETENTION_DAYS * DAY_MS + 60 * 60_000;
/** Maximum number of activities in a request. */
const MAX_ADDED = 500;
/** More than two transactions delete. */
const MANY = 2_100;

const service = await startOwnTestService(() => ({ activityRetentionDays: RETENTION_DAYS }));
const { database } = service;

/** Adds expired activities. */
async function addOld(workspace: TestWorkspace, count: number, organizationId = SCOPE.organizationId): Promise<void> {
  const old = Array.from({ length: count }, (_, index) => ({ id: `old-${index}`, timestamp: OLD + index }));
  for (let start = 0; start < count; start += MAX_ADDED) {
    await addActivities(workspace, old.slice(start, start + MAX_ADDED), { organizationId });
  }
}

async function readInbox(workspace: TestWorkspace): Promise<string[]> {
  return (await readNotificationPages(workspace, { userId: "grace" })).flat().map(({ id }) => id);
}

function countInbox(workspace: TestWorkspace) {
  return workspace.data("/v2/notifications/count/get", { organizationId: SCOPE.organizationId, userIds: ["grace"] });
}

test("activities are deleted after the retention, in all organizations, and in no other table", async () => {
  const workspaces = [await service.publicWorkspace(), await service.workspace()];
  for (const [index, workspace] of workspaces.entries()) {
    for (const organizationId of ["acme", "initech"]) {
      await addOld(workspace, index === 0 ? MANY : 1, organizationId);
      await addActivities(workspace, [{ id: "new", timestamp: NEW }], { organizationId });
    }
  }
  if (workspaces[0]) await addNotification(workspaces[0], "old", { timestamp: OLD });
  await deleteExpiredRows(deleteExpiredActivities(database, RETENTION_DAYS));
  for (const workspace of workspaces) {
    for (const organizationId of ["acme", "initech"]) {
      expect(await readActivityIds(workspace, { organizationId })).toEqual(["new"]);
    }
  }
  const [first = expect.fail()] = workspaces;
  const exported = await first.data("/v2/users/data/get", { organizationId: "acme", userId: "ada" });
  expect(exported.activities).toMatchObject([{ id: "new" }]);
  expect(await readInbox(first)).toEqual(["old"]);
});

test("a deletion after the retention is an event for each activity, and one for inboxes", async () => {
  const workspace = await service.publicWorkspace();
  const { cursor } = await getEvents(workspace);
  await addOld(workspace, 2);
  await addNotification(workspace, "old", { timestamp: OLD });
  const readEvents = eventReader(workspace, cursor);
  await readEvents();
  await deleteExpiredRows(deleteExpiredActivities(database, RETENTION_DAYS));
  await deleteExpiredRows(deleteExpiredNotifications(database, RETENTION_DAYS));
  expect(await readEvents()).toEqual([
    ["activity.delete", { id: "old-0" }],
    ["activity.delete", { id: "old-1" }],
    ["notification.update", {}],
  ]);
});

test("notifications are deleted after the retention, and the counts of inboxes are right", async () => {
  const workspace = await service.publicWorkspace();
  for (let index = 0; index < 3; index++) await addNotification(workspace, `old-${index}`, { timestamp: OLD });
  await addNotification(workspace, "new", { timestamp: NEW });
  expect(await countInbox(workspace)).toEqual({ grace: { total: 4, unread: 4 } });
  await deleteExpiredRows(deleteExpiredNotifications(database, RETENTION_DAYS));
  expect(await countInbox(workspace)).toEqual({ grace: { total: 1, unread: 1 } });
  expect(await readInbox(workspace)).toEqual(["new"]);
  const rows = await runSql(database, "select from notification_recipients where created_at < $1", [NEW - DAY_MS / 2]);
  expect(rows).toEqual([]);
});

test("a call deletes about as many rows as it may, and the next one goes on", async () => {
  const workspace = await service.publicWorkspace();
  for (const organizationId of ["acme", "initech"]) await addOld(workspace, 1_000, organizationId);
  const deleteChunk = deleteExpiredActivities(database, RETENTION_DAYS);
  expect([await deleteChunk(1_000), await deleteChunk(1_000), await deleteChunk(1_000)]).toEqual([1_000, 1_000, 0]);
});

test("an organization whose rows cannot be deleted does not keep others from it", async () => {
  const workspace = await service.publicWorkspace();
  for (const organizationId of ["acme", "initech"]) await addOld(workspace, 1, organizationId);
  const attempted: string[] = [];
  const deleteChunk = expireByOrganization(database, {
    ...{ table: "activities", retentionDays: RETENTION_DAYS, chunkRows: 2 },
    async purge({ key }) {
      attempted.push(key);
      if (key === attempted[0]) throw new Error("broken");
      return 1;
    },
  });
  await expect(deleteChunk(10)).rejects.toThrow("broken");
  expect(await deleteChunk(10)).toBe(attempted.length - 1);
  expect(new Set(attempted).size).toBeGreaterThan(1);
  await deleteExpiredRows(deleteExpiredActivities(database, RETENTION_DAYS));
});

test("the timers delete what the configuration lets expire, and count it", async () => {
  const workspace = await service.publicWorkspace();
  await addOld(workspace, 3);
  await addNotification(workspace, "old", { timestamp: OLD });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const resources = new AsyncDisposableStack();
  const expired = await startExpiryTimers(
    { config: service.config, log: silentLog, resources },
    database,
    storesIn("timers").files,
  );
  vi.advanceTimersByTime(10 * 60_000);
  vi.useRealTimers();
  await resources.disposeAsync();
  expect(expired).toMatchObject({ activities: 3, mails: 0 });
  expect(expired).not.toHaveProperty("notifications");
  expect(await readActivityIds(workspace)).toEqual([]);
  expect(await readInbox(workspace)).toEqual(["old"]);
});

test("the retention can be read, and /metrics counts expired rows", async () => {
  const workspace = await service.publicWorkspace();
  expect(await workspace.data("/v2/workspace/retention/get", {})).toEqual({
    ...{ activityDays: RETENTION_DAYS, notificationDays: null, mailDays: 30, requestDays: 30, auditDays: 365 },
    eventHours: 72,
  });
  const metrics = await (await fetch(`${service.address}/metrics`)).text();
  expect(metrics).toMatch(/^colloquy_expired_rows_total\{kind="activities"\} 0$/m);
});
