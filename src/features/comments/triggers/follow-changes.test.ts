import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, changeComments, comment } from "../../../../test/comments.ts";
import { createDelivery, delayNotifications, letPass } from "../../../../test/delayed-notifications.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const service = await startOwnTestService();
const { database } = service;
const deliverDelayed = await createDelivery(database);
const { organizationId } = SCOPE;
const SECRET = "secret-7f3k";
const EDITED = "edited-7f3k";
const BY_GRACE = { from: { userId: "grace", name: "Grace" }, triggerNotification: true };
const WINDOW = { isEnabled: true, batchWindowSeconds: 600, maxActivities: 50 };

/** Returns a comment of ada's with the secret that notifies grace. */
function secret(fields: Parameters<typeof comment>[0] = {}) {
  const taggedUserContacts = [{ userId: "grace", text: "@grace" }];
  return comment({ commentText: SECRET, taggedUserContacts, triggerNotification: true, ...fields });
}

function getInbox(workspace: TestWorkspace, userId = "grace") {
  return workspace.data("/v2/notifications/get", { organizationId, userId });
}

async function countUnread(workspace: TestWorkspace, userId = "grace") {
  const counts = await workspace.data("/v2/notifications/count/get", { organizationId, userIds: [userId] });
  return counts[userId];
}

/** Creates a workspace in which grace is notified of the secret, in the annotation "a". */
async function workspaceWithSecret(fields: Parameters<typeof comment>[0] = {}): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment(), secret(fields)] }]);
  expect(await countUnread(workspace)).toEqual({ total: 1, unread: 1 });
  return workspace;
}

test.each([
  ["it", (workspace: TestWorkspace) => changeComments(workspace, "delete", { commentIds: [2] })],
  ["all comments of its annotation", (workspace: TestWorkspace) => changeComments(workspace, "delete", {})],
  ["its annotation", (workspace: TestWorkspace) => changeAnnotations(workspace, "delete", { annotationIds: ["a"] })],
  ["all annotations", (workspace: TestWorkspace) => changeAnnotations(workspace, "delete", {})],
])("the notification of a comment is deleted with %s", async (_, deleteIt) => {
  const workspace = await workspaceWithSecret();
  await deleteIt(workspace);
  expect(await getInbox(workspace)).toEqual([]);
  expect(await countUnread(workspace)).toEqual({ total: 0, unread: 0 });
  expect(await findRowsContaining(database, [SECRET])).toEqual([]);
});

test("other comments, annotations and organizations keep their notifications", async () => {
  const workspace = await workspaceWithSecret();
  const other = { organizationId: "other" };
  await addComments(workspace, [secret({ commentText: "kept" })]);
  await addAnnotations(workspace, [{ annotationId: "b", commentData: [secret({ commentText: "kept too" })] }]);
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment(), secret()] }], other);
  await changeComments(workspace, "delete", { commentIds: [2] });
  expect((await getInbox(workspace)).map(({ displayBodyMessage }) => displayBodyMessage)).toEqual(["kept too", "kept"]);
  const elsewhere = await workspace.data("/v2/notifications/get", { ...other, userId: "grace" });
  expect(elsewhere.map(({ displayBodyMessage }) => displayBodyMessage)).toEqual([SECRET]);
});

test("the notification of a change is deleted with the annotation, and kept when a comment is deleted", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", assignedTo: { userId: "grace" } }]);
  await changeAnnotations(workspace, "update", {
    ...{ updatedData: { status: { type: "terminal" } }, actionUser: { userId: "ada" }, triggerNotification: true },
  });
  await changeComments(workspace, "delete", {});
  expect(await countUnread(workspace)).toEqual({ total: 1, unread: 1 });
  await changeAnnotations(workspace, "delete", {});
  expect(await countUnread(workspace)).toEqual({ total: 0, unread: 0 });
});

test("notifications of an edited comment show its present text, except one that a backend has replaced", async () => {
  const workspace = await workspaceWithSecret({ commentText: EDITED });
  await addComments(workspace, [secret({ commentText: EDITED })]);
  const [second] = await getInbox(workspace);
  const notifications = [{ id: second?.id ?? "", displayBodyMessage: "ours" }];
  await workspace.data("/v1/notifications/update", { ...SCOPE, notifications });
  await changeComments(workspace, "update", { commentIds: [2, 3], updatedData: { commentText: "present" } });
  expect(await getInbox(workspace)).toMatchObject([
    { displayBodyMessage: "ours", notificationSourceData: { commentId: 3, commentText: "present" } },
    { displayBodyMessage: "present", notificationSourceData: { commentId: 2, commentText: "present" } },
  ]);
  expect(await findRowsContaining(database, [EDITED])).toEqual([]);
});

test("a comment with only HTML notifies with its text, and follows the HTML", async () => {
  const workspace = await service.publicWorkspace();
  const { commentText: _, ...html } = secret({ commentHtml: "<p>Is <b>§4</b></p><p>right?</p>" });
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [html] }]);
  expect(await getInbox(workspace)).toMatchObject([{ displayBodyMessage: "Is §4\nright?" }]);
  await changeComments(workspace, "update", { commentIds: [1], updatedData: { commentHtml: "<i>present</i>" } });
  expect(await getInbox(workspace)).toMatchObject([{ displayBodyMessage: "present" }]);
});

test("readers of the events see deleted and edited notifications", async () => {
  const workspace = await service.publicWorkspace();
  const token = await tokenFor(workspace, "grace");
  const read = async (cursor?: string) => {
    const { body } = await callWith(token, `${service.address}/v2/events/get`, { organizationId, cursor });
    return Object(body).result.data;
  };
  await addAnnotations(workspace, ["a"]);
  let { cursor } = await read();
  const readKinds = async () => {
    const { events, cursor: next } = await read(cursor);
    cursor = next;
    const kinds = events.map(({ event }: { event: string }) => event);
    return kinds.filter((kind: string) => kind.startsWith("notification."));
  };
  await addComments(workspace, [secret()]);
  expect(await readKinds()).toEqual(["notification.add"]);
  await changeComments(workspace, "update", { commentIds: [2], updatedData: { commentText: "present" } });
  expect(await readKinds()).toEqual(["notification.update"]);
  await changeComments(workspace, "delete", { commentIds: [2] });
  expect(await readKinds()).toEqual(["notification.delete"]);
});

test("deleted comments leave a digest, which goes with the last of them", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a", "b"]);
  await delayNotifications(workspace, { batchConfig: { document: WINDOW } });
  await addComments(workspace, [BY_GRACE, { ...BY_GRACE, from: { userId: "alan", name: "Alan" } }]);
  await addComments(workspace, [BY_GRACE], { annotationId: "b" });
  await letPass(database, workspace, 600);
  await deliverDelayed(workspace);
  const headline = "{count} updates in discussions, the latest from {actionUser}";
  const digest = (count: string) => [
    {
      ...{ displayHeadlineMessageTemplate: headline, messageKey: "notification.comment.digest" },
      displayHeadlineMessageTemplateData: { count },
    },
  ];
  expect(await getInbox(workspace, "ada")).toMatchObject(digest("3"));
  await changeAnnotations(workspace, "delete", { annotationIds: ["b"] });
  expect(await getInbox(workspace, "ada")).toMatchObject(digest("2"));
  expect(await getInbox(workspace, "ada")).toMatchObject([{ actionUser: { userId: "alan", name: "Alan" } }]);
  await changeComments(workspace, "delete", { commentIds: [3] });
  expect(await getInbox(workspace, "ada")).toMatchObject([
    {
      actionUser: { userId: "grace", name: "Grace" },
      displayHeadlineMessageTemplate: "An update in a discussion from {actionUser}",
      messageKey: "notification.comment.digest_of_one",
      notificationSourceData: { activities: [{ annotationId: "a", commentId: 2 }] },
    },
  ]);
  await changeAnnotations(workspace, "delete", { annotationIds: ["a"] });
  expect(await getInbox(workspace, "ada")).toEqual([]);
});

test("deleting the data of a comment's author deletes its notification, whoever caused it", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ commentText: SECRET })] }]);
  await changeComments(workspace, "update", {
    commentIds: [1],
    updatedData: { taggedUserContacts: [{ userId: "grace", text: "@grace" }] },
    ...{ actionUser: { userId: "alan" }, triggerNotification: true },
  });
  expect(await countUnread(workspace)).toEqual({ total: 1, unread: 1 });
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect(await getInbox(workspace)).toEqual([]);
});
