import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import {
  addNotification,
  addUsers,
  FULL_NOTIFICATION,
  markAsRead,
  notification,
  readInbox,
  readNotificationIds,
  readNotifications,
} from "../../../test/notifications.ts";

const PATH = "/v2/notifications/add";
const service = await startTestService();

function getKey(userId: string): string {
  return hash("sha256", Buffer.from(userId), "buffer").toString("hex", 0, 16);
}

test("a notification is returned with the sent fields, the named users, metadata and a timestamp", async () => {
  const workspace = await service.publicWorkspace();
  const before = Date.now();
  const notifyUsers = [{ userId: "grace", name: "Grace Hopper", email: "grace@example.com" }, { userId: "größe / 7" }];
  await addNotification(workspace, "n1", { ...FULL_NOTIFICATION, notifyUsers, isNotificationResolverUsed: true });
  const [record, ...others] = await readNotifications(workspace);
  expect(record).toEqual({
    ...FULL_NOTIFICATION,
    id: "n1",
    metadata: { ...SCOPE, apiKey: workspace.apiKey },
    notifyUsers: { [getKey("grace")]: true, [getKey("größe / 7")]: true },
    notifyUsersByUserId: { grace: true, "größe / 7": true },
    readAtByUserId: {},
    timestamp: expect.any(Number),
  });
  expect(record?.timestamp).toBeGreaterThanOrEqual(before);
  expect(record?.timestamp).toBeLessThanOrEqual(Date.now());
  expect(others).toEqual([]);
});

test("the metadata has the location if there is one", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { locationId: "page-2" });
  const metadata = { ...SCOPE, apiKey: workspace.apiKey, locationId: "page-2" };
  expect(await readNotifications(workspace)).toMatchObject([{ metadata }]);
});

test("the source is custom by default, and omitted fields are absent", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  const [record] = await readNotifications(workspace);
  expect(record?.notificationSource).toBe("custom");
  expect(Object.keys(record ?? {})).not.toContain("notificationSourceData");
});

test("adding a notification returns success", async () => {
  const workspace = await service.publicWorkspace();
  expect(await addNotification(workspace, "n1")).toEqual({ success: true, message: "Notification added." });
});

test("a notification without an id gets a UUID of version 7", async () => {
  const workspace = await service.publicWorkspace();
  for (let index = 0; index < 2; index++) await workspace.data(PATH, notification(["grace"]));
  const ids = await readNotificationIds(workspace);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)));
});

test.each(["with space", "ünïcode", "slash/", "dot.", "line\n", ""])("%j as an id is INVALID_ARGUMENT", async (id) => {
  const workspace = await service.publicWorkspace();
  const error = await workspace.error(PATH, notification(["grace"], { notificationId: id }));
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(
      /^data\.notificationId (must only have letters, digits, _ and -|must not be empty)$/,
    ),
  });
});

test.each(["displayHeadlineMessageTemplate", "displayBodyMessage"])(
  "%s is required and not satisfied by null",
  async (name) => {
    const workspace = await service.publicWorkspace();
    for (const value of [undefined, null]) {
      const error = await workspace.error(PATH, notification(["grace"], { [name]: value }));
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(name) });
      expect(error.message).toContain("isNotificationResolverUsed");
    }
    expect(await readNotifications(workspace)).toEqual([]);
  },
);

test("the messages are not required if a resolver is used", async () => {
  const workspace = await service.publicWorkspace();
  const { actionUser, notifyUsers } = { actionUser: { userId: "ada" }, notifyUsers: [{ userId: "grace" }] };
  await workspace.data(PATH, { ...SCOPE, actionUser, notifyUsers, isNotificationResolverUsed: true });
  expect(await readNotifications(workspace)).toMatchObject([{ actionUser }]);
});

test("a request can name 1,000 users, 1,001 are INVALID_ARGUMENT", async () => {
  const workspace = await service.publicWorkspace();
  const users = Array.from({ length: 1001 }, (_, number) => ({ userId: `user-${number}` }));
  const error = await workspace.error(PATH, notification([], { notifyUsers: users }));
  expect(error.message).toBe("data.notifyUsers must have at most 1,000 items");
  await addNotification(workspace, "n1", { notifyUsers: users.slice(0, 1000) });
  expect(await readInbox(workspace, "user-999")).toEqual(["n1"]);
});

test("a user who is named twice gets the notification once", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }, { userId: "grace", name: "Grace" }] });
  expect(await readInbox(workspace, "grace")).toEqual(["n1"]);
});

test.each(["__proto__", "constructor", "toString"])("%s is a user id like any other", async (userId) => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, userId, { notifyUsers: [{ userId }], actionUser: { userId } });
  const [record] = await readNotifications(workspace, { userId });
  expect(JSON.stringify(record?.notifyUsersByUserId)).toBe(`{"${userId}":true}`);
  expect(record?.notifyUsers).toEqual({ [getKey(userId)]: true });
});

test("free-form texts and data are returned unchanged", async () => {
  const workspace = await service.publicWorkspace();
  const hostile = JSON.parse('{"__proto__":{"a":"\\u0000"},"":"\\ud800","constructor":[[[{}]]],"n":1e308}');
  const fields = {
    displayHeadlineMessageTemplate: "\u0000 {x} \ud800",
    displayHeadlineMessageTemplateData: hostile,
    displayBodyMessage: "x".repeat(1024 * 1024),
    notificationSource: "\u0000",
    notificationSourceData: hostile,
  };
  await addNotification(workspace, "n1", fields);
  const [record] = await readNotifications(workspace);
  const kept = new Map(Object.entries(record ?? {}));
  for (const [name, value] of Object.entries(fields)) {
    expect(JSON.stringify(kept.get(name))).toBe(JSON.stringify(value));
  }
});

test("repeating a request keeps one notification, its position and its inboxes", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["bob"]);
  await addNotification(workspace, "n1", { notifyAll: true });
  await addNotification(workspace, "n2", { notifyAll: true });
  const before = await readNotifications(workspace);
  await addNotification(workspace, "n1", { notifyAll: true });
  expect(await readNotifications(workspace)).toEqual(before);
  expect(await readInbox(workspace, "grace")).toEqual(["n1", "n2"]);
  expect(await readInbox(workspace, "bob")).toEqual(["n1", "n2"]);
});

test("overwriting a notification replaces it as a whole and delivers it to its new recipients only", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { ...FULL_NOTIFICATION, locationId: "page-2" });
  const [before] = await readNotifications(workspace);
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "bob" }], documentId: "contract-8" });
  expect(await readNotifications(workspace)).toEqual([]);
  expect(await readInbox(workspace, "grace")).toEqual([]);
  const [after] = await readNotifications(workspace, { userId: "bob", documentId: "contract-8" });
  expect(after).toEqual({
    id: "n1",
    isRead: false,
    notificationSource: "custom",
    actionUser: { userId: "ada" },
    displayHeadlineMessageTemplate: "Hello",
    displayBodyMessage: "",
    metadata: { ...SCOPE, documentId: "contract-8", apiKey: workspace.apiKey },
    notifyUsers: { [getKey("bob")]: true },
    notifyUsersByUserId: { bob: true },
    timestamp: before?.timestamp,
  });
});

test("a notification overwritten in another document is in the inbox of a remaining recipient there", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { locationId: "page-1" });
  await addNotification(workspace, "n1", { locationId: "page-2", documentId: "contract-8" });
  expect(await readInbox(workspace, "grace", { documentId: "contract-7" })).toEqual([]);
  expect(await readInbox(workspace, "grace", { locationId: "page-1" })).toEqual([]);
  expect(await readInbox(workspace, "grace", { documentId: "contract-8", locationId: "page-2" })).toEqual(["n1"]);
});

test("overwriting does not return a notification to inboxes where it was read or deleted", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }, { userId: "bob" }] });
  await markAsRead(workspace, "n1", "grace");
  await workspace.data("/v2/notifications/delete", { organizationId: SCOPE.organizationId, userId: "bob" });
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }, { userId: "bob" }, { userId: "eve" }] });
  const lists = ["grace", "bob", "eve"].map((userId) => readInbox(workspace, userId));
  expect(await Promise.all(lists)).toEqual([[], [], ["n1"]]);
});

test("a notification that was read or deleted does not return when it is overwritten for others and back", async () => {
  const workspace = await service.publicWorkspace();
  const users = ["reader", "keeper", "deleter", "other"].map((userId) => ({ userId }));
  await addNotification(workspace, "n1", { notifyUsers: users });
  await markAsRead(workspace, "n1", "reader");
  await markAsRead(workspace, "n1", "keeper", { persistReadForUsers: true });
  await workspace.data("/v2/notifications/delete", { organizationId: SCOPE.organizationId, userId: "deleter" });
  const inboxes = () => Promise.all(users.map(({ userId }) => readInbox(workspace, userId)));
  expect(await inboxes()).toEqual([[], ["n1"], [], ["n1"]]);
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "eve" }], documentId: "contract-8" });
  expect(await inboxes()).toEqual([[], [], [], []]);
  expect(await readNotifications(workspace, { userId: "keeper", documentId: "contract-8" })).toEqual([]);
  await addNotification(workspace, "n1", { notifyUsers: users });
  expect(await inboxes()).toEqual([[], [], [], ["n1"]]);
});

test("the same id in two organizations is two notifications", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { displayBodyMessage: "one" });
  await addNotification(workspace, "n1", { displayBodyMessage: "two", organizationId: "globex" });
  expect(await readNotifications(workspace, { userId: "grace" })).toMatchObject([{ displayBodyMessage: "one" }]);
  const elsewhere = { userId: "grace", organizationId: "globex" };
  expect(await readNotifications(workspace, elsewhere)).toMatchObject([{ displayBodyMessage: "two" }]);
});

test("twenty concurrent calls with one id leave one notification, in the inboxes of one of them", async () => {
  const workspace = await service.publicWorkspace();
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      addNotification(workspace, "n1", { notifyUsers: [{ userId: `user-${number}` }] }),
    ),
  );
  const [record, ...others] = await readNotifications(workspace);
  expect(others).toEqual([]);
  const lists = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const ids = await readInbox(workspace, `user-${number}`);
      return ids.length > 0 ? [`user-${number}`] : [];
    }),
  );
  expect(lists.flat()).toEqual(Object.keys(Object(record?.notifyUsersByUserId)));
});

test("the first notification creates the organization and document", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  const { organizationId, documentId } = SCOPE;
  expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([{ id: organizationId }]);
  expect(await workspace.data("/v2/organizations/documents/get", { organizationId })).toMatchObject([
    { id: documentId },
  ]);
});
