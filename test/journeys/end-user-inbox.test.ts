import { expect, test } from "vitest";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { addNotification, addUsers, notification, readInbox, readNotifications } from "../notifications.ts";
import { grant } from "../permissions.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const GET = "/v2/notifications/get";
const COUNT = "/v2/notifications/count/get";
const READ = "/v2/notifications/read";
const DELETE = "/v2/notifications/delete";
const CONFIG = "/v2/notifications/config";

/** Creates a workspace with a notification to grace and alan. */
async function shared(fields: Parameters<typeof addNotification>[2] = {}): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n", { notifyUsers: [{ userId: "grace" }, { userId: "alan" }], ...fields });
  return workspace;
}

/** Returns a function that calls as the user and returns the body of the response. */
async function getCalls(workspace: TestWorkspace, userId: string) {
  const token = await tokenFor(workspace, userId);
  return async (path: string, request: object = {}) => {
    return Object((await callWith(token, `${service.address}${path}`, { organizationId, ...request })).body);
  };
}

test("users read and count their own inbox only", async () => {
  const workspace = await shared();
  await addNotification(workspace, "of-alan", { notifyUsers: [{ userId: "alan" }] });
  const call = await getCalls(workspace, "grace");
  for (const request of [{}, { documentId }, { userId: "grace" }, { notificationIds: ["n", "of-alan"] }]) {
    for (const path of [GET, "/v1/notifications/get"]) {
      const { result } = await call(path, request);
      expect(result.data.map(({ id }: { id: string }) => id)).toEqual(["n"]);
    }
  }
  expect((await call(COUNT)).result.data).toEqual({ grace: { total: 1, unread: 1 } });
  const foreign = { details: { reason: "identity_mismatch" } };
  expect((await call(GET, { userId: "alan" })).error).toMatchObject(foreign);
  expect((await call(COUNT, { userIds: ["grace", "alan"] })).error).toMatchObject(foreign);
});

test("a user reads a notification without its other recipients and readers, and otherwise as it was sent", async () => {
  const text = "\u0000 \ud800 __proto__";
  const workspace = await shared({
    ...{ displayBodyMessage: text, notificationSourceData: JSON.parse('{"__proto__":{"":[null,1e21]}}') },
  });
  await workspace.data(READ, { organizationId, userId: "alan", persistReadForUsers: true });
  const [stored] = await readNotifications(workspace, { userId: "grace" });
  const [read] = (await (await getCalls(workspace, "grace"))(GET)).result.data;
  const [key] = Object.keys(read.notifyUsers);
  expect(read).toEqual({ ...stored, notifyUsers: { [String(key)]: true }, notifyUsersByUserId: { grace: true } });
  expect(stored?.notifyUsers).toMatchObject({ [String(key)]: true });
  expect(JSON.stringify(read)).not.toContain("alan");
  expect([stored?.displayBodyMessage, Object.keys(stored?.notifyUsersByUserId ?? {})]).toEqual([
    text,
    ["grace", "alan"],
  ]);
});

test("users whom notifyAll has reached see no recipients", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["grace", "kurt"]);
  const request = { ...notification(["kurt"], { notificationId: "n" }), notifyAll: true };
  await workspace.data("/v2/notifications/add", request);
  const [read] = (await (await getCalls(workspace, "grace"))(GET)).result.data;
  expect([read.id, read.notifyUsers, read.notifyUsersByUserId]).toEqual(["n", {}, {}]);
});

test("marking as read changes the inbox of the caller only, and nobody else's can be named", async () => {
  const workspace = await shared();
  const call = await getCalls(workspace, "grace");
  const foreign = { details: { reason: "identity_mismatch" } };
  expect((await call(READ, { userId: "alan" })).error).toMatchObject(foreign);
  expect((await call(READ, { persistReadForUsers: true })).result.data.readCount).toBe(1);
  expect((await call(COUNT)).result.data).toEqual({ grace: { total: 1, unread: 0 } });
  const [read] = (await call(GET)).result.data;
  expect([read.isRead, typeof read.readAt]).toEqual([true, "number"]);
  const counts = await workspace.data(COUNT, { organizationId, userIds: ["alan"] });
  expect(counts).toEqual({ alan: { total: 1, unread: 1 } });
  const [record] = await readNotifications(workspace);
  expect(Object.keys(record?.readAtByUserId ?? {})).toEqual(["grace"]);
});

test("users delete from their own inbox only, whatever they name", async () => {
  const workspace = await shared();
  await addNotification(workspace, "of-alan", { notifyUsers: [{ userId: "alan" }] });
  for (const userId of ["grace", "alan"]) await grant(workspace, userId, "organization");
  await addNotification(workspace, "closed", { documentId: "closed", notifyUsers: [{ userId: "grace" }] });
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: ["closed"], accessType: "restricted" },
  });
  const before = await readNotifications(workspace);
  const call = await getCalls(workspace, "grace");
  const { error } = await call(DELETE, { userId: "alan", notificationIds: ["n"] });
  expect(error).toMatchObject({ details: { reason: "identity_mismatch" } });
  const denied = await call(DELETE, { documentId: "closed" });
  expect(denied.error).toMatchObject({ details: { reason: "access_denied" } });
  const missing = { success: false, message: "Notification not found." };
  const deleted = { success: true, message: "Notification deleted." };
  const notificationIds = ["n", "of-alan", "closed"];
  expect((await call(DELETE, { notificationIds })).result.data).toEqual({
    ...{ n: deleted, "of-alan": missing, closed: missing },
  });
  expect((await call(DELETE, { documentId })).result.data).toEqual({});
  expect((await call(DELETE)).result.data).toEqual({});
  expect(await readInbox(workspace, "alan")).toEqual(["n", "of-alan"]);
  expect(await readNotifications(workspace)).toEqual(before);
  await grant(workspace, "grace", "document closed", "viewer");
  expect(await readInbox(workspace, "grace")).toEqual(["closed"]);
});

test("users cannot add or change a notification", async () => {
  const workspace = await shared();
  const call = await getCalls(workspace, "grace");
  const before = await readNotifications(workspace);
  const requests = {
    "/v2/notifications/add": notification(["grace"]),
    "/v1/notifications/add": notification(["grace"]),
    "/v2/notifications/update": { userId: "grace", notifications: [{ id: "n", readByUserIds: ["grace"] }] },
    "/v1/notifications/update": { documentId, notifications: { id: "n", displayBodyMessage: "changed" } },
  };
  for (const [path, request] of Object.entries(requests)) {
    expect((await call(path, request)).error, path).toMatchObject({ details: { reason: "backend_only" } });
  }
  expect(await readNotifications(workspace)).toEqual(before);
});

test("users read and set their own preferences only, and do not join the organization by it", async () => {
  const workspace = await shared();
  const call = await getCalls(workspace, "kurt");
  const config = { inbox: "MINE", email: "NONE" };
  expect((await call(`${CONFIG}/set`, { config })).result.data).toEqual({
    kurt: { success: true, message: "Notification preferences set.", userId: "kurt" },
  });
  await call(`${CONFIG}/set`, { config: { inbox: "ALL" }, documentIds: [documentId] });
  const own = (await call(`${CONFIG}/get`, { documentIds: [documentId] })).result.data;
  expect(own.map((one: { config: object }) => one.config)).toEqual([{ inbox: "ALL", email: "NONE" }]);
  await call(`${CONFIG}/set`, { config: { inbox: null }, documentIds: [documentId] });
  const left = (await call(`${CONFIG}/get`, { documentIds: [documentId] })).result.data;
  expect(left.map((one: { config: object }) => one.config)).toEqual([config]);
  const foreign = { details: { reason: "identity_mismatch" } };
  expect((await call(`${CONFIG}/set`, { config, userIds: ["kurt", "grace"] })).error).toMatchObject(foreign);
  expect((await call(`${CONFIG}/get`, { userId: "grace", getOrganizationConfig: true })).error).toMatchObject(foreign);
  expect(await workspace.data("/v2/users/get", { organizationId })).toEqual([]);
  await addNotification(workspace, "to-all", { notifyAll: true });
  expect(await readInbox(workspace, "kurt")).toEqual([]);
});
