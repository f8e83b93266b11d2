import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addNotification, addUsers, markAsRead, readInbox, readNotifications } from "../../../../test/notifications.ts";
import { grant, removeGrant } from "../../../../test/permissions.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const UPDATE = "/v2/notifications/update";
const { organizationId } = SCOPE;
const verifyUserPermissions = true;
const service = await startTestService();

/** Makes documents that only users with a permission on them can read: grace can read the one in SCOPE. */
async function restrictedWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await grant(workspace, "grace", `document ${SCOPE.documentId}`, "viewer");
  return workspace;
}

const named = (...userIds: string[]) => userIds.map((userId) => ({ userId }));

/** Returns which of the users have received the notification, while documents are open to everyone. */
async function getInboxes(workspace: TestWorkspace, userIds: string[]): Promise<string[]> {
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "public" });
  const inboxes = await Promise.all(userIds.map((userId) => readInbox(workspace, userId)));
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  return userIds.filter((_, index) => inboxes[index]?.includes("n"));
}

test("a verified notification reaches only users who can read the document, named or not", async () => {
  const workspace = await restrictedWorkspace();
  await addUsers(workspace, ["reader", "other"]);
  await grant(workspace, "reader", `document ${SCOPE.documentId}`, "editor");
  const notifyUsers = named("grace", "alan");
  await addNotification(workspace, "n", { notifyUsers, notifyAll: true, verifyUserPermissions });
  expect(await getInboxes(workspace, ["grace", "alan", "reader", "other"])).toEqual(["grace", "reader"]);
  const [record] = await readNotifications(workspace);
  expect(record?.notifyUsersByUserId).toEqual({ grace: true });
  expect(Object.keys(record?.notifyUsers ?? {})).toHaveLength(1);
});

test("overwriting a notification with verification takes it from inboxes of users who cannot read it", async () => {
  const workspace = await restrictedWorkspace();
  await addNotification(workspace, "n", { notifyUsers: named("grace", "alan") });
  expect(await getInboxes(workspace, ["grace", "alan"])).toEqual(["grace", "alan"]);
  await addNotification(workspace, "n", { notifyUsers: named("grace", "alan"), verifyUserPermissions });
  expect(await getInboxes(workspace, ["grace", "alan"])).toEqual(["grace"]);
});

test("a user who has read a notification keeps the read state when verification takes it from the inbox", async () => {
  const workspace = await restrictedWorkspace();
  const add = () => addNotification(workspace, "n", { notifyUsers: named("grace", "alan"), verifyUserPermissions });
  const readers = async () => Object.keys((await readNotifications(workspace))[0]?.readAtByUserId ?? {});
  await add();
  await markAsRead(workspace, "n", "grace", { persistReadForUsers: true });
  await removeGrant(workspace, "grace", `document ${SCOPE.documentId}`);
  await add();
  expect([await getInboxes(workspace, ["grace"]), await readers()]).toEqual([[], ["grace"]]);
  await grant(workspace, "grace", `document ${SCOPE.documentId}`);
  await add();
  expect([await getInboxes(workspace, ["grace"]), await readers()]).toEqual([[], ["grace"]]);
});

test("a verified update ignores readers who cannot read the document", async () => {
  const workspace = await restrictedWorkspace();
  await addNotification(workspace, "n", { notifyUsers: named("grace", "alan") });
  const notifications = [{ id: "n", readByUserIds: ["grace", "alan"], persistReadForUsers: true }];
  const request = { organizationId, documentId: SCOPE.documentId, notifications, verifyUserPermissions };
  expect((await workspace.data(UPDATE, request)).n).toMatchObject({ success: true });
  const [record] = await readNotifications(workspace);
  expect(Object.keys(record?.readAtByUserId ?? {})).toEqual(["grace"]);
});

test("a verified update fails, and changes nothing, if none of the recipients can read the document", async () => {
  const workspace = await restrictedWorkspace();
  await addNotification(workspace, "n", { notifyUsers: named("alan") });
  await addNotification(workspace, "readable", { notifyUsers: named("alan", "grace") });
  const notifications = ["n", "readable", "missing"].map((id) => ({
    ...{ id, displayBodyMessage: "changed", readByUserIds: ["alan"] },
  }));
  const request = { organizationId, documentId: SCOPE.documentId, notifications };
  expect(await workspace.data(UPDATE, { ...request, verifyUserPermissions })).toEqual({
    n: { success: false, message: "None of its recipients can read the document." },
    readable: { success: true, message: "Notification updated." },
    missing: { success: false, message: "Notification not found." },
  });
  const records = await readNotifications(workspace);
  expect(records.map(({ id, displayBodyMessage }) => [id, displayBodyMessage])).toEqual([
    ["readable", "changed"],
    ["n", ""],
  ]);
  expect(records.map(({ readAtByUserId }) => readAtByUserId)).toEqual([{}, {}]);
  expect((await workspace.data(UPDATE, request)).n).toMatchObject({ success: true });
});

test("nobody can read a deleted document until it is purged", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n");
  const key = organizationKey(workspace.id, organizationId);
  await runSql(service.database, "delete from documents where organization_key = $1", [key]);
  const pending = "insert into document_purges (organization_key, document_id, deleted_at) values ($1, $2, 0)";
  await runSql(service.database, pending, [key, SCOPE.documentId]);
  const notifications = [{ id: "n", notifyUsers: named("alan") }];
  const request = { organizationId, documentId: SCOPE.documentId, notifications, verifyUserPermissions };
  const message = "None of its recipients can read the document.";
  expect((await workspace.data(UPDATE, request)).n).toEqual({ success: false, message });
  await runSql(service.database, "delete from document_purges where organization_key = $1", [key]);
  expect((await workspace.data(UPDATE, request)).n).toMatchObject({ success: true });
});

test("a verified update delivers again only to users who can read the document", async () => {
  const workspace = await restrictedWorkspace();
  await addUsers(workspace, ["other"]);
  await addNotification(workspace, "n", { notifyUsers: named("alan"), notifyAll: true });
  const notifications = [{ id: "n", notifyUsers: named("alan", "grace") }];
  const request = { organizationId, documentId: SCOPE.documentId, notifications, verifyUserPermissions };
  expect((await workspace.data(UPDATE, request)).n).toMatchObject({ success: true });
  expect(await getInboxes(workspace, ["alan", "grace", "other"])).toEqual(["grace"]);
});

test("an update of a user's notifications verifies each by its own document", async () => {
  const workspace = await restrictedWorkspace();
  await addNotification(workspace, "n");
  await addNotification(workspace, "elsewhere", { documentId: "contract-8" });
  const notifications = ["n", "elsewhere"].map((id) => ({ id, readByUserIds: ["grace"] }));
  const response = await workspace.data(UPDATE, {
    ...{ organizationId, userId: "grace", notifications, verifyUserPermissions },
  });
  expect([response.n?.success, response.elsewhere?.success]).toEqual([true, false]);
});

test("one notification of an update can be verified alone", async () => {
  const workspace = await restrictedWorkspace();
  for (const id of ["verified", "n"]) await addNotification(workspace, id, { notifyUsers: named("alan") });
  const notifications = [{ id: "verified", verifyUserPermissions }, { id: "n" }];
  const response = await workspace.data(UPDATE, { organizationId, documentId: SCOPE.documentId, notifications });
  expect([response.verified?.success, response.n?.success]).toEqual([false, true]);
});
