import { describe, expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import {
  addNotification,
  markAsRead,
  readInbox,
  readNotificationIds,
  readNotificationPages,
  readNotifications,
} from "../../../test/notifications.ts";
import { MIB_BEFORE_MULTIPLYING, multiplyRecordBytes } from "../../../test/record-bytes.ts";
import { sql, uuid } from "../../database/sql.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATHS = ["/v1/notifications/get", "/v2/notifications/get"] as const;
const { organizationId, documentId } = SCOPE;
const service = await startTestService();

/** Adds notifications to two documents, with two locations each and without one, to grace and bob in turn. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  for (const place of [{ documentId: "d1" }, { documentId: "d2" }]) {
    for (const locationId of [undefined, "l1", "l2"]) {
      for (const userId of ["grace", "bob"]) {
        const id = `${place.documentId}-${locationId}-${userId}`;
        await addNotification(workspace, id, { ...place, locationId, notifyUsers: [{ userId }] });
      }
    }
  }
  return workspace;
}

const ALL = ["d1", "d2"].flatMap((document) =>
  ["undefined", "l1", "l2"].flatMap((location) => ["grace", "bob"].map((user) => `${document}-${location}-${user}`)),
);

const ACCEPTED = [
  { documentId: "d1" },
  { userId: "grace" },
  { documentId: "d1", locationId: "l1" },
  { userId: "grace", locationId: "l1" },
  { documentId: "d1", notificationIds: ["d1-l1-bob", "d2-l1-bob", "missing"] },
  { userId: "grace", notificationIds: ["d1-l1-grace", "d1-l1-bob", "missing"] },
  { documentId: "d1", locationId: "l1", notificationIds: ["d1-l1-bob", "d1-l2-bob"] },
  { userId: "grace", locationId: "l1", notificationIds: ["d2-l1-grace", "d2-l2-grace"] },
  { documentId: "d2", userId: "bob" },
  { documentId: "d2", userId: "bob", locationId: "l2" },
  { documentId: "d2", userId: "bob", locationId: "l2", notificationIds: ["d2-l2-bob", "d2-l1-bob"] },
  { documentId: "d3" },
  { userId: "eve" },
];

function matches(id: string, scope: (typeof ACCEPTED)[number]): boolean {
  const [document, location, user] = id.split("-");
  const { documentId = document, locationId = location, userId = user, notificationIds = [id] } = scope;
  return documentId === document && locationId === location && userId === user && notificationIds.includes(id);
}

describe.each(PATHS)("%s", (path) => {
  test.each(ACCEPTED)("returns the notifications of the scope %j, newest first", async (scope) => {
    const workspace = await filledWorkspace();
    const found = await workspace.data(path, { organizationId, ...scope });
    expect(found.map(({ id }) => id)).toEqual(ALL.filter((id) => matches(id, scope)).toReversed());
  });

  test.each([
    {},
    { notificationIds: ["d1-l1-bob"] },
    { locationId: "l1" },
    { locationId: "l1", notificationIds: ["x"] },
  ])("rejects the scope %j as INVALID_ARGUMENT and lists the accepted scopes", async (scope) => {
    const workspace = await service.publicWorkspace();
    const error = await workspace.error(path, { organizationId, ...scope });
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.message).toBe(
      "data must have one of these combinations: organizationId with documentId, or organizationId with userId, or " +
        "with both; each may have locationId and notificationIds too; or documentId with userId, with locationId or " +
        "with both",
    );
  });

  test("omits notifications that the user has read, and none without a user", async () => {
    const workspace = await service.publicWorkspace();
    for (const id of ["n1", "n2"]) {
      await addNotification(workspace, id, { notifyUsers: [{ userId: "grace" }, { userId: "bob" }] });
    }
    await markAsRead(workspace, "n2", "grace");
    const idsIn = async (scope: Api["/v1/notifications/get"]["request"]) =>
      (await workspace.data(path, { organizationId, ...scope })).map(({ id }) => id);
    expect(await idsIn({ userId: "grace" })).toEqual(["n1"]);
    expect(await idsIn({ userId: "grace", documentId, notificationIds: ["n1", "n2"] })).toEqual(["n1"]);
    expect(await idsIn({ userId: "bob" })).toEqual(["n2", "n1"]);
    expect(await idsIn({ documentId })).toEqual(["n2", "n1"]);
  });

  test("finds nothing in another workspace or organization, and creates nothing", async () => {
    const [mine, theirs] = await Promise.all([service.publicWorkspace(), filledWorkspace()]);
    for (const scope of ACCEPTED) expect(await mine.data(path, { organizationId, ...scope })).toEqual([]);
    expect(await theirs.data(path, { organizationId: "globex", userId: "grace" })).toEqual([]);
    expect(await mine.data("/v2/organizations/get", {})).toEqual([]);
  });
});

test("v1 returns the newest 1,000 without a page token, and accepts no pageSize", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "seed");
  await service.database.run(
    sql`insert into notifications
      select organization_key, id || n, document_id, location_id, user_id, created_at, nextval('notification_sequence'),
        replace(record::text, 'seed', 'seed' || n)::json, record_bytes from notifications, generate_series(1, 1000) as n
      where organization_key = ${uuid(organizationKey(workspace.id, organizationId))}`,
  );
  const { message } = await workspace.error(PATHS[0], { organizationId, documentId, pageSize: 2 });
  expect(message).toContain("data.pageSize is not a field of this operation.");
  const result = await workspace.result(PATHS[0], { organizationId, documentId });
  expect(result.data.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => `seed${1000 - index}`));
  expect(result).not.toHaveProperty("pageToken");
});

test("v1 ends with the notification that passes 8 MiB, and v2 continues in the next page", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 10 }, (_, index) => `n${index}`);
  for (const id of ids)
    await addNotification(workspace, id, { displayBodyMessage: "x".repeat(MIB_BEFORE_MULTIPLYING) });
  await multiplyRecordBytes(service.database, workspace, "notifications");
  const newest = await workspace.data(PATHS[0], { organizationId, userId: "grace" });
  expect(newest.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 8));
  const pages = await readNotificationPages(workspace, { userId: "grace", order: "asc" });
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 8), ids.slice(8)]);
});

test.each([{ userId: "grace" }, { documentId }, { userId: "grace", documentId }])(
  "the pages of %j together are the whole list, in both orders",
  async (scope) => {
    const workspace = await service.publicWorkspace();
    const ids = Array.from({ length: 11 }, (_, index) => `n${index}`);
    for (const id of ids) await addNotification(workspace, id);
    for (const order of ["asc", "desc"] as const) {
      const pages = await readNotificationPages(workspace, { ...scope, order, pageSize: 4 });
      expect(pages.map((page) => page.length)).toEqual([4, 4, 3]);
      expect(pages.flat().map(({ id }) => id)).toEqual(order === "asc" ? ids : ids.toReversed());
    }
  },
);

test("a notification is returned once in the pages while others are added, read and deleted", async () => {
  const workspace = await service.publicWorkspace();
  for (let index = 0; index < 6; index++) await addNotification(workspace, `n${index}`);
  const scope = { organizationId, userId: "grace", pageSize: 2 };
  const first = await workspace.result("/v2/notifications/get", scope);
  expect(first.data.map(({ id }) => id)).toEqual(["n5", "n4"]);
  await addNotification(workspace, "new");
  await markAsRead(workspace, "n4", "grace");
  await markAsRead(workspace, "n3", "grace");
  await addNotification(workspace, "n2", { displayBodyMessage: "overwritten" });
  const { pageToken } = first;
  const second = await workspace.result("/v2/notifications/get", { ...scope, pageToken });
  expect(second.data.map(({ id }) => id)).toEqual(["n2", "n1"]);
  const last = await workspace.result("/v2/notifications/get", {
    ...scope,
    pageToken: second.pageToken,
  });
  expect(last.data.map(({ id }) => id)).toEqual(["n0"]);
  expect(last).not.toHaveProperty("pageToken");
});

test.each([{ userId: "bob" }, { documentId }, { order: "asc" }, { locationId: "l1" }, { organizationId: "globex" }])(
  "a pageToken used with another filter, %j, is INVALID_ARGUMENT",
  async (other) => {
    const workspace = await service.publicWorkspace();
    for (const id of ["n1", "n2"]) await addNotification(workspace, id);
    const scope = { organizationId, userId: "grace", pageSize: 1 };
    const { pageToken } = await workspace.result("/v2/notifications/get", scope);
    const error = await workspace.error("/v2/notifications/get", { ...scope, pageToken, ...other });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
  },
);

test.each([0, 1001, 1.5])("a pageSize of %d is INVALID_ARGUMENT", async (pageSize) => {
  const workspace = await service.publicWorkspace();
  const error = await workspace.error("/v2/notifications/get", { organizationId, userId: "grace", pageSize });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.pageSize /) });
});

test.each([0, 1001])("%i notificationIds are INVALID_ARGUMENT", async (count) => {
  const workspace = await service.publicWorkspace();
  const notificationIds = Array.from({ length: count }, (_, index) => `n${index}`);
  for (const path of PATHS) {
    const error = await workspace.error(path, { organizationId, documentId, notificationIds });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/\.notificationIds /) });
  }
});

test("concurrently written notifications have the same order for every reader", async () => {
  const workspace = await service.publicWorkspace();
  await Promise.all(Array.from({ length: 30 }, (_, index) => addNotification(workspace, `n${index}`)));
  const ids = await readNotificationIds(workspace);
  expect(ids).toHaveLength(30);
  expect(await readInbox(workspace, "grace")).toEqual(ids);
  const times = (await readNotifications(workspace)).map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});
