import { describe, expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import {
  addNotification,
  FULL_NOTIFICATION,
  markAsRead,
  readInbox,
  readNotifications,
} from "../../../test/notifications.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v1/notifications/update";
const { organizationId, documentId } = SCOPE;
const UPDATED = { success: true, message: "Notification updated." };
const NOT_FOUND = { success: false, message: "Notification not found." };
const service = await startTestService();

type Request = Api[typeof PATH]["request"];

function update(
  workspace: TestWorkspace,
  notifications: Request["notifications"],
  scope: Partial<Request> = { documentId },
) {
  return workspace.data(PATH, { organizationId, notifications, ...scope });
}

test.each([
  { actionUser: { userId: "eve", name: "Eve" } },
  { displayHeadlineMessageTemplate: "{actionUser} has signed" },
  { displayHeadlineMessageTemplateData: { other: "value" } },
  { displayBodyMessage: "Done." },
  { messageKey: "sign" },
  { notificationSourceData: { other: { deep: 1 } } },
  { displayHeadlineMessageTemplate: null },
  { displayHeadlineMessageTemplateData: null },
  { displayBodyMessage: null },
  { notificationSourceData: null },
])("%j replaces the field as a whole and keeps the others", async (fields) => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { ...FULL_NOTIFICATION, locationId: "page-2" });
  const [before] = await readNotifications(workspace);
  expect(await update(workspace, [{ id: "n1", ...fields }])).toEqual({ n1: UPDATED });
  expect(await readNotifications(workspace)).toEqual([{ ...before, ...fields }]);
});

test("a new headline without a key removes the key, whose translations say something else", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { ...FULL_NOTIFICATION, messageKey: "sign" });
  await update(workspace, [{ id: "n1", displayBodyMessage: "Done." }]);
  expect(await readNotifications(workspace)).toMatchObject([{ messageKey: "sign" }]);
  await update(workspace, [{ id: "n1", displayHeadlineMessageTemplate: "Seal" }]);
  expect((await readNotifications(workspace))[0]).not.toHaveProperty("messageKey");
});

test.each(["notifyUsersByUserId", "timestamp", "notificationSource", "documentId"])(
  "%s cannot be changed: the request is INVALID_ARGUMENT and changes nothing",
  async (name) => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1");
    const before = await readNotifications(workspace);
    const notifications = [{ id: "n1", displayBodyMessage: "new", [name]: "other" }];
    const error = await workspace.error(PATH, { organizationId, documentId, notifications });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "unknown_field" } });
    expect(await readNotifications(workspace)).toEqual(before);
  },
);

test("a single notification needs no array, in both versions", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  for (const path of [PATH, "/v2/notifications/update"] as const) {
    const request = { organizationId, documentId, notifications: { id: "n1", displayBodyMessage: path } };
    expect(await workspace.data(path, request)).toEqual({ n1: UPDATED });
    expect(await readNotifications(workspace)).toMatchObject([{ displayBodyMessage: path }]);
  }
});

test("hostile data of a notification is returned unchanged", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  const notificationSourceData = JSON.parse('{"__proto__":"\\u0000","\\ud800":[null]}');
  await update(workspace, { id: "n1", notificationSourceData });
  const [record] = await readNotifications(workspace);
  expect(JSON.stringify(record?.notificationSourceData)).toBe(JSON.stringify(notificationSourceData));
});

test("a missing id fails alone, and an item with only an id succeeds and changes nothing", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  await addNotification(workspace, "n2");
  const before = await readNotifications(workspace);
  const items = [{ id: "n1" }, { id: "__proto__" }, { id: "n2", readByUserIds: ["stranger"] }];
  const response = await update(workspace, items);
  expect(JSON.stringify(response)).toBe(JSON.stringify({ n1: UPDATED, ["__proto__"]: NOT_FOUND, n2: UPDATED }));
  expect(await readNotifications(workspace)).toEqual(before);
});

describe.each<Partial<Request>>([
  { documentId: "d1" },
  { documentId: "d1", locationId: "l1" },
  { documentId: "d1", userId: "grace" },
  { userId: "grace" },
  { documentId: "d1", locationId: "l1", userId: "grace" },
])("with the scope %j", (scope) => {
  const everything = { documentId: "d1", locationId: "l1", userId: "grace" };

  test("a notification of the scope is updated", async () => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1", { documentId: "d1", locationId: "l1" });
    expect(await update(workspace, { id: "n1", displayBodyMessage: "new" }, scope)).toEqual({ n1: UPDATED });
    expect(await readNotifications(workspace, { documentId: "d1" })).toMatchObject([{ displayBodyMessage: "new" }]);
  });

  test.each(Object.keys(scope) as (keyof typeof everything)[])(
    "a notification with another %s fails alone",
    async (name) => {
      const workspace = await service.publicWorkspace();
      const { userId, ...place } = { ...everything, [name]: "other" };
      await addNotification(workspace, "out", { ...place, notifyUsers: [{ userId }], displayBodyMessage: "old" });
      await addNotification(workspace, "in", { documentId: "d1", locationId: "l1" });
      const items = ["out", "in"].map((id) => ({ id, displayBodyMessage: "new", readByUserIds: ["grace", "other"] }));
      expect(await update(workspace, items, scope)).toEqual({ out: NOT_FOUND, in: UPDATED });
      expect(await readNotifications(workspace, { userId, ...place })).toMatchObject([{ displayBodyMessage: "old" }]);
    },
  );
});

test.each([{}, { locationId: "l1" }, { userId: "grace", locationId: "l1" }])(
  "the scope %j is INVALID_ARGUMENT, the message lists the accepted scopes, and nothing is changed",
  async (scope) => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1", { locationId: "l1" });
    const request = { organizationId, notifications: [{ id: "n1", readByUserIds: ["grace"] }], ...scope };
    const error = await workspace.error(PATH, request);
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message:
        "data must have one of these combinations: organizationId with documentId, or organizationId with userId, or " +
        "with both; those with documentId may have locationId too",
    });
    expect(await readInbox(workspace, "grace")).toEqual(["n1"]);
  },
);

describe("a notification that a user has read", () => {
  const notifyUsers = [{ userId: "grace" }, { userId: "bob" }];

  test("leaves only that user's inbox and stays unchanged", async () => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1", { notifyUsers });
    const before = await readNotifications(workspace);
    expect(await markAsRead(workspace, "n1", "grace")).toEqual({ n1: UPDATED });
    expect(await readInbox(workspace, "grace")).toEqual([]);
    expect(await readInbox(workspace, "bob")).toEqual(["n1"]);
    const readAtByUserId = { grace: expect.any(Number) };
    expect(await readNotifications(workspace)).toEqual(before.map((record) => ({ ...record, readAtByUserId })));
  });

  test("stays in the inbox with persistReadForUsers, until it is read without it", async () => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1", { notifyUsers });
    await markAsRead(workspace, "n1", "grace", { persistReadForUsers: true });
    expect(await readInbox(workspace, "grace")).toEqual(["n1"]);
    await markAsRead(workspace, "n1", "grace", { persistReadForUsers: false });
    expect(await readInbox(workspace, "grace")).toEqual([]);
  });

  test("does not return to the inbox with persistReadForUsers, and can be read again", async () => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1", { notifyUsers });
    for (const fields of [{}, {}, { persistReadForUsers: true }]) {
      expect(await markAsRead(workspace, "n1", "grace", fields)).toEqual({ n1: UPDATED });
    }
    expect(await readInbox(workspace, "grace")).toEqual([]);
  });

  test("can be marked for several users and notifications in one call, and other users are ignored", async () => {
    const workspace = await service.publicWorkspace();
    for (const id of ["n1", "n2", "n3"]) await addNotification(workspace, id, { notifyUsers });
    await update(workspace, [
      { id: "n1", readByUserIds: ["grace", "bob", "stranger", "grace"] },
      { id: "n2", readByUserIds: ["bob"], persistReadForUsers: false },
      { id: "n3", readByUserIds: ["grace"], persistReadForUsers: true },
    ]);
    expect(await readInbox(workspace, "grace")).toEqual(["n2", "n3"]);
    expect(await readInbox(workspace, "bob")).toEqual(["n3"]);
    expect(await readInbox(workspace, "stranger")).toEqual([]);
  });

  test.each([{}, { readByUserIds: [] }])("is not changed by persistReadForUsers with %j", async (fields) => {
    const workspace = await service.publicWorkspace();
    await addNotification(workspace, "n1", { notifyUsers });
    expect(await update(workspace, { id: "n1", persistReadForUsers: false, ...fields })).toEqual({ n1: UPDATED });
    expect(await readInbox(workspace, "grace")).toEqual(["n1"]);
  });

  test("has left all inboxes after concurrent calls for the same users and notifications in other orders", async () => {
    const workspace = await service.publicWorkspace();
    const userIds = Array.from({ length: 10 }, (_, index) => `user-${index}`);
    const ids = Array.from({ length: 10 }, (_, index) => `n${index}`);
    for (const id of ids) await addNotification(workspace, id, { notifyUsers: userIds.map((userId) => ({ userId })) });
    await Promise.all(
      userIds.map((_, index) => {
        const inOrder = index % 2 ? ids.toReversed() : ids;
        const items = inOrder.map((id) => ({ id, readByUserIds: index % 3 ? userIds.toReversed() : userIds }));
        return update(workspace, items, index % 2 ? { userId: `user-${index}` } : { documentId });
      }),
    );
    expect((await Promise.all(userIds.map((userId) => readInbox(workspace, userId)))).flat()).toEqual([]);
  });
});

test("concurrent updates of different fields are all stored", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  const changes = [
    { displayBodyMessage: "b" },
    { notificationSourceData: { c: 1 } },
    { actionUser: { userId: "eve" } },
  ];
  await Promise.all(changes.map((fields) => update(workspace, { id: "n1", ...fields })));
  expect(await readNotifications(workspace)).toMatchObject([Object.assign({}, ...changes)]);
});

test("a repeated id is INVALID_ARGUMENT and nothing is changed", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { displayBodyMessage: "old" });
  const notifications = ["new", "newer"].map((displayBodyMessage) => ({ id: "n1", displayBodyMessage }));
  const error = await workspace.error(PATH, { organizationId, documentId, notifications });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/notifications\[1\]\.id /),
  });
  expect(await readNotifications(workspace)).toMatchObject([{ displayBodyMessage: "old" }]);
});

test.each([
  [[], "data.notifications must have at least 1 item"],
  [Array.from({ length: 501 }, (_, index) => ({ id: `n${index}` })), "data.notifications must have at most 500 items"],
  [[{ id: "n1" }, {}], "data.notifications[1].id is required"],
  [{}, "data.notifications.id is required"],
  [{ id: "n1", readByUserIds: "grace" }, "data.notifications.readByUserIds must be an array"],
  [{ id: "n1", persistReadForUsers: 1 }, "data.notifications.persistReadForUsers must be a boolean"],
  [{ id: "n1", actionUser: null }, "data.notifications.actionUser must be an object"],
  ["n1", "data.notifications must be an array or an object"],
])("invalid notifications are INVALID_ARGUMENT that names the field (%#)", async (notifications, message) => {
  const workspace = await service.publicWorkspace();
  const error = await workspace.error(PATH, { organizationId, documentId, notifications });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message });
});

test("the notifications of another workspace are not found and stay unchanged", async () => {
  const [mine, theirs] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
  await addNotification(theirs, "n1", { displayBodyMessage: "old" });
  const items = { id: "n1", displayBodyMessage: "new", readByUserIds: ["grace"] };
  expect(await update(mine, items)).toEqual({ n1: NOT_FOUND });
  expect(await readNotifications(theirs, { userId: "grace" })).toMatchObject([{ displayBodyMessage: "old" }]);
  expect(await mine.data("/v2/organizations/get", {})).toEqual([]);
});
