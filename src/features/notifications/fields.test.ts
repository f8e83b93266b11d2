import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import {
  addNotification,
  addUsers,
  markAsRead,
  notification,
  readInbox,
  readNotifications,
  setConfig,
} from "../../../test/notifications.ts";
import { DOCUMENTS, readRecordIds } from "../../../test/organizations.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import type { Api } from "../../operations.ts";

const ADD = "/v2/notifications/add";
const UPDATE = "/v2/notifications/update";
const service = await startTestService();

type NotificationUpdate = Exclude<Api[typeof UPDATE]["request"]["notifications"], unknown[]>;

const FIELDS = {
  displayBodyMessageTemplate: "{actionUser} waits",
  displayBodyMessageTemplateData: { actionUser: { userId: "ada" } },
  context: { project: { id: "p1" }, nested: { access: "kept below the top" } },
  location: { id: "page-2", locationName: "Page 2", zoom: 3 },
};

function update(workspace: TestWorkspace, id: string, fields: Partial<NotificationUpdate>) {
  return workspace.data(UPDATE, { ...SCOPE, notifications: { id, ...fields } });
}

test("location, context and the template of the body are returned as sent", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", FIELDS);
  const metadata = { ...SCOPE, apiKey: workspace.apiKey, locationId: "page-2" };
  expect(await readNotifications(workspace)).toMatchObject([{ ...FIELDS, metadata }]);
});

test("metadata is kept next to the fields of the service, which take precedence", async () => {
  const workspace = await service.publicWorkspace();
  const given = { tenant: "north", apiKey: "forged", documentId: "forged", organizationId: "forged", locationId: "x" };
  await addNotification(workspace, "n1", { metadata: given });
  const [record] = await readNotifications(workspace);
  expect(record?.metadata).toEqual({ tenant: "north", ...SCOPE, apiKey: workspace.apiKey });
});

test("a notification with a location is found by its id", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { location: { id: "page-2" } });
  await addNotification(workspace, "n2", { location: { id: "page-3" }, locationId: "page-3" });
  expect(await readInbox(workspace, "grace", { locationId: "page-2" })).toEqual(["n1"]);
  expect(await readInbox(workspace, "grace", { locationId: "page-3" })).toEqual(["n2"]);
  const request = notification(["grace"], { location: { id: "page-2" }, locationId: "page-3" });
  const message = "data.location.id must be the same as locationId";
  expect(await workspace.error(ADD, request)).toMatchObject({ status: "INVALID_ARGUMENT", message });
});

test("a template of the body takes the place of the body", async () => {
  const workspace = await service.publicWorkspace();
  const { displayBodyMessage, ...request } = notification(["grace"]);
  expect(await workspace.error(ADD, request)).toMatchObject({ status: "INVALID_ARGUMENT" });
  await workspace.data(ADD, { ...request, displayBodyMessageTemplate: "{actionUser} waits" });
  const [record] = await readNotifications(workspace);
  expect(record).toMatchObject({ displayBodyMessageTemplate: "{actionUser} waits" });
  expect(Object.keys(record ?? {})).not.toContain("displayBodyMessage");
});

test("context.accessFields is rejected, by add and by update, because it follows from context.access", async () => {
  const name = "context.accessFields";
  const fields = { context: { accessFields: ["team:a"] } };
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  const before = await readNotifications(workspace);
  for (const [path, place, request] of [
    [ADD, "data", { ...notification(["grace"]), ...fields }],
    [UPDATE, "data.notifications[0]", { ...SCOPE, notifications: [{ id: "n1", ...fields }] }],
  ] as const) {
    const error = await workspace.error(path, request);
    const details = { reason: "unknown_field", issues: [{ path: `${place}.${name}` }] };
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details });
  }
  expect(await readNotifications(workspace)).toEqual(before);
});

test.each([{ createOrganization: false }, { createDocument: false }])(
  "with %j nothing is created or written, and an existing place is written to",
  async (create) => {
    const workspace = await service.publicWorkspace();
    const request = notification(["grace"], create);
    expect(await workspace.error(ADD, request)).toMatchObject({
      status: "NOT_FOUND",
      details: { reason: "not_found" },
    });
    expect(await workspace.data("/v2/organizations/get", {})).toEqual([]);
    await addNotification(workspace, "first");
    await addNotification(workspace, "second", create);
    expect(await readInbox(workspace, "grace")).toEqual(["first", "second"]);
    expect(await readRecordIds(workspace, DOCUMENTS)).toEqual([SCOPE.documentId]);
  },
);

test("update replaces these fields, also by null, and keeps the others", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { ...FIELDS, metadata: { tenant: "north" } });
  const [before] = await readNotifications(workspace);
  const changes = { displayBodyMessageTemplate: "{x}", displayBodyMessageTemplateData: null, context: null };
  await update(workspace, "n1", { ...changes, metadata: { tenant: "south", apiKey: "forged" } });
  expect(await readNotifications(workspace)).toEqual([
    { ...before, ...changes, metadata: { ...before?.metadata, tenant: "south" } },
  ]);
  await update(workspace, "n1", { metadata: null });
  const [{ metadata } = {}] = await readNotifications(workspace);
  expect(metadata).toEqual({ ...SCOPE, apiKey: workspace.apiKey, locationId: "page-2" });
});

test("update of the location moves a notification in lists and inboxes, and null takes it out of any", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { locationId: "page-1" });
  await update(workspace, "n1", { location: { id: "page-2" } });
  for (const scope of [{ documentId: SCOPE.documentId }, { userId: "grace" }]) {
    expect(await readNotifications(workspace, { ...scope, locationId: "page-1" })).toEqual([]);
    const [moved] = await readNotifications(workspace, { ...scope, locationId: "page-2" });
    expect(moved).toMatchObject({ location: { id: "page-2" }, metadata: { locationId: "page-2" } });
  }
  await update(workspace, "n1", { location: null });
  expect(await readInbox(workspace, "grace", { locationId: "page-2" })).toEqual([]);
  const [record] = await readNotifications(workspace, { userId: "grace" });
  expect(record?.location).toBeNull();
  expect(Object.keys(record?.metadata ?? {})).not.toContain("locationId");
});

test("update of notifyUsers changes the recipients as overwriting does", async () => {
  const workspace = await service.publicWorkspace();
  await setConfig(workspace, ["muted"], { inbox: "NONE" });
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }, { userId: "alan" }] });
  await update(workspace, "n1", { notifyUsers: ["alan", "bob", "muted"].map((userId) => ({ userId })) });
  const [record] = await readNotifications(workspace);
  expect(record?.notifyUsersByUserId).toEqual({ alan: true, bob: true, muted: true });
  expect(Object.keys(record?.notifyUsers ?? {})).toHaveLength(3);
  const inboxes = ["grace", "alan", "bob", "muted"].map((userId) => readInbox(workspace, userId));
  expect(await Promise.all(inboxes)).toEqual([[], ["n1"], ["n1"], []]);
});

test("a notification for all users keeps reaching all when its notifyUsers change", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["carol"]);
  await addNotification(workspace, "n1", { notifyAll: true });
  await update(workspace, "n1", { notifyUsers: [{ userId: "bob" }] });
  const inboxes = ["grace", "carol", "bob"].map((userId) => readInbox(workspace, userId));
  expect(await Promise.all(inboxes)).toEqual([[], ["n1"], ["n1"]]);
});

test("a recipient who has read the notification does not get it back, and keeps its read state", async () => {
  const workspace = await service.publicWorkspace();
  const notifyUsers = [{ userId: "grace" }, { userId: "alan" }];
  await addNotification(workspace, "n1", { notifyUsers });
  await markAsRead(workspace, "n1", "grace");
  await markAsRead(workspace, "n1", "alan", { persistReadForUsers: true });
  await update(workspace, "n1", { notifyUsers: [...notifyUsers, { userId: "bob" }] });
  expect(await readInbox(workspace, "grace")).toEqual([]);
  expect(await readNotifications(workspace, { userId: "alan" })).toMatchObject([{ isRead: true }]);
  expect(await readNotifications(workspace, { userId: "bob" })).toMatchObject([{ isRead: false }]);
});

test("one update can add a recipient and mark the notification as read by them", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  await update(workspace, "n1", {
    notifyUsers: [{ userId: "bob" }],
    readByUserIds: ["bob"],
    persistReadForUsers: true,
  });
  expect(await readNotifications(workspace, { userId: "bob" })).toMatchObject([{ id: "n1", isRead: true }]);
});

test("concurrent updates of recipients, readers and deletions end without a deadlock", async () => {
  const workspace = await service.publicWorkspace();
  const userIds = Array.from({ length: 20 }, (_, number) => `user-${number}`);
  const notifyUsers = userIds.map((userId) => ({ userId }));
  const ids = ["a", "b", "c", "d"];
  for (const id of ids) await addNotification(workspace, id, { notifyUsers });
  const updates = ids.map((id) => ({ id, notifyUsers, readByUserIds: ["user-1"], persistReadForUsers: true }));
  const all = { organizationId: SCOPE.organizationId };
  await Promise.all([
    workspace.data(UPDATE, { ...SCOPE, notifications: updates }),
    workspace.data(UPDATE, { ...SCOPE, notifications: updates.toReversed() }),
    ...userIds.map((userId) => workspace.data("/v2/notifications/read", { ...all, userId, persistReadForUsers: true })),
    ...userIds.slice(15).map((userId) => workspace.data("/v2/notifications/delete", { ...all, userId })),
  ]);
  for (const userId of userIds.slice(0, 15)) expect(await readInbox(workspace, userId)).toEqual(ids);
  for (const userId of userIds.slice(15)) expect(await readInbox(workspace, userId)).toEqual([]);
});

test("the deletion of a user's data removes the user from these fields and keeps what the service sets", async () => {
  const workspace = await service.publicWorkspace();
  const ada = "ada-7f3k";
  await addNotification(workspace, "n1", {
    actionUser: { userId: "bob" },
    documentId: ada,
    location: Object.assign({ id: ada, locationName: `Desk of @${ada}` }, { owner: ada }),
    metadata: { ownerId: ada, tenant: "north" },
    context: { watchers: [ada, "carol"] },
    displayBodyMessageTemplate: `@${ada} waits`,
    displayBodyMessageTemplateData: { user: { userId: ada, name: "Ada" } },
  });
  await deleteUserDataAndWait(workspace, [ada]);
  const [record] = await readNotifications(workspace, { documentId: ada });
  expect(record).toMatchObject({
    location: { id: ada, locationName: "Desk of [deleted]" },
    context: { watchers: ["carol"] },
    displayBodyMessageTemplate: "[deleted] waits",
    displayBodyMessageTemplateData: { user: { name: "Ada" } },
  });
  expect(Object.keys(record?.location ?? {})).toEqual(["id", "locationName"]);
  const { apiKey } = workspace;
  expect(record?.metadata).toEqual({ ...SCOPE, apiKey, documentId: ada, locationId: ada, tenant: "north" });
});
