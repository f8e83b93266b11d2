import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import {
  addNotification,
  markAsRead,
  notification,
  readInbox,
  readNotifications as readRecords,
} from "../../../test/notifications.ts";
import { setDisabled } from "../../../test/organizations.ts";
import { runSql } from "../../../test/run-sql.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const READ = "/v2/notifications/read";
const COUNT = "/v2/notifications/count/get";
const service = await startTestService();
const { organizationId } = SCOPE;

function read(workspace: TestWorkspace, request: Partial<Api[typeof READ]["request"]> = {}) {
  return workspace.data(READ, { organizationId, userId: "grace", ...request });
}

function count(workspace: TestWorkspace, userIds: string[], place: Partial<Api[typeof COUNT]["request"]> = {}) {
  return workspace.data(COUNT, { organizationId, userIds, ...place });
}

async function readStates(workspace: TestWorkspace, userId: string): Promise<[string, boolean | undefined][]> {
  const records = await readRecords(workspace, { userId });
  return records.map(({ id, isRead }) => [id, isRead]);
}

/** Adds notifications to grace and alan in two documents and two locations. */
async function fill(workspace: TestWorkspace): Promise<void> {
  const to = { notifyUsers: [{ userId: "grace" }, { userId: "alan" }] };
  await addNotification(workspace, "a", to);
  await addNotification(workspace, "b", { ...to, locationId: "page-2" });
  await addNotification(workspace, "c", { ...to, documentId: "contract-8", locationId: "page-2" });
}

test("an inbox has whether and when its user has read each notification", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  const before = Date.now();
  await markAsRead(workspace, "b", "grace", { persistReadForUsers: true });
  const [c, b, a] = await readRecords(workspace, { userId: "grace" });
  expect([c, a]).toMatchObject([
    { id: "c", isRead: false },
    { id: "a", isRead: false },
  ]);
  expect([c, a].every((record) => record && !("readAt" in record))).toBe(true);
  expect(b).toMatchObject({ id: "b", isRead: true, readAt: expect.any(Number) });
  expect(b?.readAt).toBeGreaterThanOrEqual(before);
  expect(b?.readAt).toBeLessThanOrEqual(Date.now());
  expect(await readRecords(workspace, { userId: "grace", notificationIds: ["b"] })).toEqual([b]);
  expect(await readStates(workspace, "alan")).toEqual([
    ["c", false],
    ["b", false],
    ["a", false],
  ]);
  expect(await workspace.data("/v1/notifications/get", { ...SCOPE, userId: "grace" })).toEqual([b, a]);
});

test("a list without a user has who has read each notification, and when", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  const before = Date.now();
  await markAsRead(workspace, "a", "grace");
  await markAsRead(workspace, "a", "alan", { persistReadForUsers: true });
  const [b, a] = await readRecords(workspace);
  expect(b).toMatchObject({ id: "b", readAtByUserId: {} });
  expect(a?.readAtByUserId).toEqual({ grace: expect.any(Number), alan: expect.any(Number) });
  for (const readAt of Object.values(a?.readAtByUserId ?? {})) {
    expect(readAt).toBeGreaterThanOrEqual(before);
    expect(readAt).toBeLessThanOrEqual(Date.now());
  }
  for (const record of [a, b]) expect(Object.keys(record ?? {})).not.toContain("isRead");
  expect(await readRecords(workspace, { documentId: SCOPE.documentId, notificationIds: ["a"] })).toEqual([a]);
});

test("of many readers, the first hundred are listed", async () => {
  const workspace = await service.publicWorkspace();
  const userIds = Array.from({ length: 150 }, (_, number) => `user-${number}`);
  await addNotification(workspace, "a", { notifyUsers: userIds.map((userId) => ({ userId })) });
  const notifications = { id: "a", readByUserIds: userIds };
  await workspace.data("/v2/notifications/update", { ...SCOPE, notifications });
  const early = userIds.slice(60);
  await runSql(
    service.database,
    "update notification_recipients set read_at = read_at - 1000 where organization_key = $1 and user_id = any($2)",
    [organizationKey(workspace.id, organizationId), early],
  );
  const [record] = await readRecords(workspace);
  const readers = Object.keys(record?.readAtByUserId ?? {});
  expect(readers).toHaveLength(100);
  expect(readers.slice(0, 90).toSorted()).toEqual(early.toSorted());
});

test("the count has the total and the unread notifications of each user", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  await markAsRead(workspace, "a", "grace", { persistReadForUsers: true });
  await markAsRead(workspace, "b", "alan");
  expect(await count(workspace, ["grace", "alan", "nobody"])).toEqual({
    grace: { total: 3, unread: 2 },
    alan: { total: 2, unread: 2 },
    nobody: { total: 0, unread: 0 },
  });
});

test.each([
  [{ documentId: "contract-7" }, { total: 2, unread: 1 }],
  [{ documentId: "contract-8" }, { total: 1, unread: 1 }],
  [{ locationId: "page-2" }, { total: 2, unread: 1 }],
  [
    { documentId: "contract-7", locationId: "page-2" },
    { total: 1, unread: 0 },
  ],
  [{ documentId: "missing" }, { total: 0, unread: 0 }],
])("the count is limited to %j, as get is", async (place, expected) => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  await markAsRead(workspace, "b", "grace", { persistReadForUsers: true });
  expect(await count(workspace, ["grace"], place)).toEqual({ grace: expected });
  const records = await readRecords(workspace, { userId: "grace", ...place });
  const unread = records.filter(({ isRead }) => !isRead).length;
  expect({ total: records.length, unread }).toEqual(expected);
});

test("thirty users are counted at once, and no more", async () => {
  const workspace = await service.publicWorkspace();
  const userIds = Array.from({ length: 30 }, (_, number) => `user-${number}`);
  await addNotification(workspace, "a", { notifyUsers: userIds.map((userId) => ({ userId })) });
  const one = { total: 1, unread: 1 };
  expect(await count(workspace, userIds)).toEqual(Object.fromEntries(userIds.map((userId) => [userId, one])));
  const error = await workspace.error(COUNT, { organizationId, userIds: [...userIds, "one more"] });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.userIds must/) });
});

test("reading all notifications empties the user's inbox and no other", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  expect(await read(workspace)).toEqual({
    success: true,
    message: "3 notifications marked as read.",
    readCount: 3,
  });
  expect(await readInbox(workspace, "grace")).toEqual([]);
  expect(await readInbox(workspace, "alan")).toEqual(["a", "b", "c"]);
  expect(await read(workspace)).toMatchObject({ success: true, readCount: 0 });
});

test("with persistReadForUsers the notifications stay in the inbox as read", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  expect(await read(workspace, { persistReadForUsers: true })).toMatchObject({ readCount: 3 });
  expect(await readStates(workspace, "grace")).toEqual([
    ["c", true],
    ["b", true],
    ["a", true],
  ]);
  expect(await count(workspace, ["grace"])).toEqual({ grace: { total: 3, unread: 0 } });
});

test("what was read before keeps its time and its place in the inbox", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  await markAsRead(workspace, "a", "grace", { persistReadForUsers: true });
  const before = await readRecords(workspace, { userId: "grace", notificationIds: ["a"] });
  expect(await read(workspace)).toMatchObject({ readCount: 2 });
  expect(await readRecords(workspace, { userId: "grace" })).toEqual(before);
});

test.each([
  [{ documentId: "contract-7" }, ["c"]],
  [{ locationId: "page-2" }, ["a"]],
  [{ documentId: "contract-7", locationId: "page-2" }, ["a", "c"]],
  [{ notificationIds: ["a", "c", "missing"] }, ["b"]],
  [{ documentId: "contract-8", notificationIds: ["a"] }, ["a", "b", "c"]],
])("reading %j leaves %j in the inbox", async (scope, left) => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  expect(await read(workspace, scope)).toMatchObject({ readCount: 3 - left.length });
  expect(await readInbox(workspace, "grace")).toEqual(left);
});

test("more notifications than one statement marks are all marked", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "a");
  await runSql(
    service.database,
    `insert into notification_recipients (organization_key, sequence, user_id, document_id, created_at)
     select organization_key, sequence + 1000000 + number, user_id, document_id, created_at - number / 3
     from notification_recipients, generate_series(1, 12000) as number where organization_key = $1`,
    [organizationKey(workspace.id, organizationId)],
  );
  expect(await count(workspace, ["grace"])).toEqual({ grace: { total: 12_001, unread: 12_001 } });
  expect(await read(workspace, { persistReadForUsers: true })).toMatchObject({ readCount: 12_001 });
  expect(await count(workspace, ["grace"])).toEqual({ grace: { total: 12_001, unread: 0 } });
});

test("twelve concurrent requests mark each notification once", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  const responses = await Promise.all(Array.from({ length: 12 }, () => read(workspace)));
  expect(responses.reduce((sum, { readCount }) => sum + readCount, 0)).toBe(3);
});

test("a notification that was overwritten stays read", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "a");
  await read(workspace, { persistReadForUsers: true });
  await addNotification(workspace, "a", { displayBodyMessage: "changed" });
  expect(await readRecords(workspace, { userId: "grace" })).toMatchObject([
    { isRead: true, displayBodyMessage: "changed" },
  ]);
});

test("a disabled organization rejects counting and reading", async () => {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/notifications/add", notification(["grace"]));
  await setDisabled(workspace, true);
  const details = { reason: "organization_disabled", organizationId };
  for (const [path, request] of [
    [COUNT, { organizationId, userIds: ["grace"] }],
    [READ, { organizationId, userId: "grace" }],
  ] as const) {
    expect(await workspace.error(path, request)).toMatchObject({ status: "PERMISSION_DENIED", details });
  }
});

test("an export says which of the user's notifications were read, and when", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  await read(workspace, { notificationIds: ["b"] });
  const { receivedNotifications } = await workspace.data("/v2/users/data/get", { organizationId, userId: "grace" });
  expect(receivedNotifications).toMatchObject([
    { id: "a", isRead: false },
    { id: "b", isRead: true, readAt: expect.any(Number) },
    { id: "c", isRead: false },
  ]);
});
