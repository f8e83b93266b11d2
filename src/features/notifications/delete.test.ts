import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, markAsRead, readInbox, readNotificationIds } from "../../../test/notifications.ts";
import { size } from "../../../test/sizes.ts";
import { integer, sql, uuid } from "../../database/sql.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { CHUNK_ROWS, MAX_IDS_RETURNED } from "../tenancy/record-queries.ts";

const PATH = "/v2/notifications/delete";
const { organizationId, documentId } = SCOPE;
const DELETED = { success: true, message: "Notification deleted." };
const NOT_FOUND = { success: false, message: "Notification not found." };
const service = await startTestService();

function remove(workspace: TestWorkspace, scope: Partial<Api[typeof PATH]["request"]>) {
  return workspace.data(PATH, { organizationId, ...scope });
}

function response(ids: string[]): object {
  return Object.fromEntries(ids.map((id) => [id, DELETED]));
}

const ALL = ["d1", "d1-l1", "d1-l2", "d2-l1"];
const notifyUsers = [{ userId: "grace" }, { userId: "bob" }];

async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  for (const id of ALL) {
    const [documentId = "", locationId] = id.split("-");
    await addNotification(workspace, id, { documentId, locationId, notifyUsers });
  }
  return workspace;
}

async function everything(workspace: TestWorkspace): Promise<string[]> {
  const found = await Promise.all(["d1", "d2"].map((documentId) => readNotificationIds(workspace, { documentId })));
  return found.flat();
}

test.each([
  [{ documentId: "d1" }, ["d1", "d1-l1", "d1-l2"]],
  [{ documentId: "d1", locationId: "l1" }, ["d1-l1"]],
  [{ documentId: "d1", notificationIds: ["d1-l2"] }, ["d1-l2"]],
  [{ documentId: "d1", locationId: "l2", notificationIds: ["d1-l2"] }, ["d1-l2"]],
  [{ documentId: "d3" }, []],
])("%j deletes the notifications of the scope for everyone, and others stay", async (scope, ids) => {
  const workspace = await filledWorkspace();
  expect(await remove(workspace, scope)).toEqual(response(ids));
  const left = ALL.filter((id) => !ids.includes(id));
  expect(await everything(workspace)).toEqual(left);
  expect(await readInbox(workspace, "grace")).toEqual(left);
  expect(await readInbox(workspace, "bob")).toEqual(left);
});

test.each([
  [{ userId: "grace" }, ALL],
  [{ userId: "grace", documentId: "d1" }, ["d1", "d1-l1", "d1-l2"]],
  [{ userId: "grace", locationId: "l1" }, ["d1-l1", "d2-l1"]],
  [{ userId: "grace", documentId: "d1", locationId: "l1" }, ["d1-l1"]],
  [{ userId: "grace", notificationIds: ["d1", "d2-l1"] }, ["d1", "d2-l1"]],
  [{ userId: "grace", documentId: "d2", notificationIds: ["d2-l1"] }, ["d2-l1"]],
  [{ userId: "eve" }, []],
])("%j deletes from that user's inbox only", async (scope, ids) => {
  const workspace = await filledWorkspace();
  expect(await remove(workspace, scope)).toEqual(response(ids));
  expect(await readInbox(workspace, "grace")).toEqual(ALL.filter((id) => !ids.includes(id)));
  expect(await readInbox(workspace, "bob")).toEqual(ALL);
  expect(await everything(workspace)).toEqual(ALL);
});

test("ids that are outside the scope, missing or already deleted fail alone", async () => {
  const workspace = await filledWorkspace();
  const notificationIds = ["missing", "d2-l1", "d1", "d1"];
  const scopes = [
    { documentId: "d1", notificationIds },
    { documentId: "d1", userId: "bob", notificationIds: ["d1-l1", "d2-l1"] },
  ];
  expect(await remove(workspace, scopes[0] ?? {})).toEqual({ missing: NOT_FOUND, "d2-l1": NOT_FOUND, d1: DELETED });
  expect(await remove(workspace, scopes[1] ?? {})).toEqual({ "d1-l1": DELETED, "d2-l1": NOT_FOUND });
  for (const scope of scopes) {
    const again = Object.values(await remove(workspace, scope));
    expect(again.every((item) => JSON.stringify(item) === JSON.stringify(NOT_FOUND))).toBe(true);
  }
  expect(await readInbox(workspace, "bob")).toEqual(["d1-l2", "d2-l1"]);
});

test("a notification that the user has read is not found for deletion", async () => {
  const workspace = await filledWorkspace();
  await markAsRead(workspace, "d1", "grace");
  expect(await remove(workspace, { userId: "grace", notificationIds: ["d1"] })).toEqual({ d1: NOT_FOUND });
});

test("an id that was deleted for everyone can be added again as a new notification", async () => {
  const workspace = await filledWorkspace();
  await markAsRead(workspace, "d1", "grace");
  await remove(workspace, { documentId: "d1", notificationIds: ["d1"] });
  await addNotification(workspace, "d1", { documentId: "d1", notifyUsers });
  expect(await readInbox(workspace, "grace")).toEqual(["d1-l1", "d1-l2", "d2-l1", "d1"]);
});

test.each([{}, { notificationIds: ["d1"] }, { locationId: "l1" }, { locationId: "l1", notificationIds: ["d1-l1"] }])(
  "the scope %j is INVALID_ARGUMENT, the message lists the accepted scopes, and nothing is deleted",
  async (scope) => {
    const workspace = await filledWorkspace();
    const error = await workspace.error(PATH, { organizationId, ...scope });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^data must have one of these combinations: organizationId with documentId, or /),
    });
    expect(await everything(workspace)).toEqual(ALL);
  },
);

test("1,001 ids are INVALID_ARGUMENT", async () => {
  const workspace = await service.publicWorkspace();
  const notificationIds = Array.from({ length: 1001 }, (_, index) => `n${index}`);
  const error = await workspace.error(PATH, { organizationId, documentId, notificationIds });
  expect(error.message).toBe("data.notificationIds must have at most 1,000 items");
});

test("the notifications of other organizations and workspaces stay", async () => {
  const [workspace, other] = await Promise.all([filledWorkspace(), filledWorkspace()]);
  await addNotification(workspace, "d1", { organizationId: "globex", documentId: "d1", notifyUsers });
  await remove(workspace, { documentId: "d1" });
  await remove(workspace, { userId: "grace" });
  expect(await readNotificationIds(workspace, { organizationId: "globex", documentId: "d1" })).toEqual(["d1"]);
  expect(await readInbox(workspace, "grace", { organizationId: "globex" })).toEqual(["d1"]);
  expect(await everything(other)).toEqual(ALL);
  expect(await readInbox(other, "grace")).toEqual(ALL);
});

/** Adds this number of copies to the document and to grace's inbox. */
async function multiply(workspace: TestWorkspace, count: number): Promise<void> {
  const key = uuid(organizationKey(workspace.id, organizationId));
  await service.database.run(
    sql`insert into notifications
      select organization_key, id || n, document_id, location_id, user_id, created_at, nextval('notification_sequence'),
        record, record_bytes
      from notifications, generate_series(1, ${integer(count)}) as n where organization_key = ${key}`,
  );
  await service.database.run(
    sql`insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at)
      select organization_key, sequence, 'grace', document_id, location_id, created_at
      from notifications where organization_key = ${key} on conflict do nothing`,
  );
}

test.each([{ userId: "grace" }, { documentId }])(
  "all matches of %j are deleted by as many statements as it takes, and the first 50,000 are listed",
  async (scope) => {
    const matches = size({ usual: CHUNK_ROWS + 1, long: MAX_IDS_RETURNED + 1 });
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n");
    await multiply(workspace, matches - 1);
    expect(Object.keys(await remove(workspace, scope))).toHaveLength(Math.min(matches, MAX_IDS_RETURNED));
    expect(await readInbox(workspace, "grace")).toEqual([]);
    const left = await workspace.data("/v1/notifications/get", { organizationId, documentId });
    expect(left).toHaveLength("userId" in scope ? 1000 : 0);
  },
);

test("concurrent deletions, updates and overwrites of the same notifications leave no remains", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 8 }, (_, index) => `n${index}`);
  const add = (id: string) => addNotification(workspace, id, { notifyUsers });
  await Promise.all(ids.map(add));
  const items = ids.map((id) => ({ id, readByUserIds: ["bob", "grace"], persistReadForUsers: true }));
  const update = (notifications: Api["/v1/notifications/update"]["request"]["notifications"]) =>
    workspace.data("/v1/notifications/update", { organizationId, documentId, notifications });
  await Promise.all([
    ...ids.map(add),
    remove(workspace, { documentId, notificationIds: ids.toReversed() }),
    update(items),
    remove(workspace, { userId: "grace" }),
    update(items.toReversed()),
    remove(workspace, { userId: "bob", documentId }),
    remove(workspace, { documentId }),
    ...ids.map(add),
  ]);
  await remove(workspace, { documentId });
  expect(await readNotificationIds(workspace)).toEqual([]);
  const rows = await service.database.run(
    sql`select sequence from notification_recipients
      where organization_key = ${uuid(organizationKey(workspace.id, organizationId))}`,
  );
  expect(rows).toEqual([]);
});
