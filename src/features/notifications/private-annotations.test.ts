import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations } from "../../../test/comments.ts";
import { createDelivery, delayNotifications, letPass } from "../../../test/delayed-notifications.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, readNotifications } from "../../../test/notifications.ts";
import { grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { Visibility } from "../comments/annotations/visibility.ts";

const service = await startTestService();
const deliverDelayed = await createDelivery(service.database);
const { organizationId, documentId } = SCOPE;
const TO_GRACE: Visibility = { type: "restricted", userIds: ["grace"] };
const TO_ORGANIZATION: Visibility = { type: "organizationPrivate", organizationId };
const PUBLIC: Visibility = { type: "public" };
const NOBODYS = { total: 0, unread: 0 };

/** A comment of ada that notifies grace and alan. */
function notifying(commentText = "thirty days") {
  const taggedUserContacts = ["grace", "alan"].map((userId) => ({ userId, text: `@${userId}` }));
  return { commentText, from: { userId: "ada" }, taggedUserContacts, triggerNotification: true };
}

function show(workspace: TestWorkspace, annotationId: string, visibility: Visibility) {
  return changeAnnotations(workspace, "update", { annotationIds: [annotationId], updatedData: { visibility } });
}

async function getCount(workspace: TestWorkspace, userId: string, place: object = {}): Promise<unknown> {
  const counts = await workspace.data("/v2/notifications/count/get", { organizationId, userIds: [userId], ...place });
  return counts[userId];
}

/** Returns the annotations of a user's inbox in each way to read it, which must agree with its count. */
async function getInbox(workspace: TestWorkspace, userId: string): Promise<unknown[]> {
  const ids = (await readNotifications(workspace)).map(({ id }) => id);
  const token = await tokenFor(workspace, userId, { resources: [resourceNamed("document other")] });
  const ofToken = await callWith(token, `${service.address}/v2/notifications/get`, { organizationId, userId });
  const lists = await Promise.all([
    readNotifications(workspace, { userId }),
    readNotifications(workspace, { userId, documentId }),
    readNotifications(workspace, { userId, notificationIds: ids }),
    workspace.data("/v2/notifications/get", { documentId, userId }),
    Object(ofToken.body).result.data as Awaited<ReturnType<typeof readNotifications>>,
  ]);
  const [first = [], ...others] = lists.map((list) =>
    list.map(({ notificationSourceData }) => Object(notificationSourceData).annotationId),
  );
  for (const other of others) expect(other).toEqual(first);
  const count = { total: first.length, unread: first.length };
  expect([await getCount(workspace, userId), await getCount(workspace, userId, { documentId })]).toEqual([
    count,
    count,
  ]);
  return first;
}

test("a delivered notification is hidden while its annotation is, from those who do not see it", async () => {
  const workspace = await service.publicWorkspace();
  for (const annotationId of ["a", "b"]) {
    await addAnnotations(workspace, [{ annotationId, commentData: [notifying("U+0000: \0")] }]);
  }
  expect(await getInbox(workspace, "alan")).toEqual(["b", "a"]);
  await show(workspace, "a", TO_GRACE);
  expect([await getInbox(workspace, "alan"), await getInbox(workspace, "grace")]).toEqual([["b"], ["b", "a"]]);
  expect(await readNotifications(workspace)).toHaveLength(2);
  await show(workspace, "a", PUBLIC);
  expect(await getInbox(workspace, "alan")).toEqual(["b", "a"]);
});

test("the notifications of an annotation for the organization follow the permissions on it", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [notifying()] }]);
  await show(workspace, "a", TO_ORGANIZATION);
  expect(await getInbox(workspace, "alan")).toEqual([]);
  await grant(workspace, "alan", "organization");
  expect(await getInbox(workspace, "alan")).toEqual(["a"]);
  await removeGrant(workspace, "alan", "organization");
  expect(await getInbox(workspace, "alan")).toEqual([]);
});

test("what a backend adds about a deleted private annotation is hidden until its ID is used again", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a", "b"]);
  for (const annotationId of ["a", "b"]) {
    await addNotification(workspace, annotationId, {
      notifyUsers: [{ userId: "alan" }, { userId: "grace" }],
      ...{ notificationSource: "comment", notificationSourceData: { annotationId } },
    });
  }
  await show(workspace, "a", TO_GRACE);
  await changeAnnotations(workspace, "delete", { annotationIds: ["a", "b"] });
  expect([await getInbox(workspace, "alan"), await getInbox(workspace, "grace")]).toEqual([["b"], ["b"]]);
  expect(await readNotifications(workspace)).toHaveLength(2);
  await addAnnotations(workspace, [{ annotationId: "a" }]);
  expect(await getInbox(workspace, "alan")).toEqual(["b", "a"]);
});

test("documents that are private by default hide no less", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [notifying()] }]);
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await grant(workspace, "alan", `document ${documentId}`);
  expect(await getInbox(workspace, "alan")).toEqual(["a"]);
  await show(workspace, "a", TO_GRACE);
  expect(await getInbox(workspace, "alan")).toEqual([]);
});

test("marking an inbox as read leaves hidden notifications unread", async () => {
  const workspace = await service.publicWorkspace();
  for (const annotationId of ["a", "b"]) {
    await addAnnotations(workspace, [{ annotationId, commentData: [notifying()] }]);
  }
  await show(workspace, "a", TO_GRACE);
  const read = await workspace.data("/v2/notifications/read", { organizationId, userId: "alan" });
  expect(read.readCount).toBe(1);
  expect(await getCount(workspace, "alan")).toEqual(NOBODYS);
  await show(workspace, "a", PUBLIC);
  expect(await getInbox(workspace, "alan")).toEqual(["a"]);
});

test("a digest is hidden while one of its annotations is", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a", "b"]);
  await delayNotifications(workspace, {
    batchConfig: { document: { isEnabled: true, batchWindowSeconds: 600, maxActivities: 50 } },
  });
  for (const annotationId of ["a", "b"]) await addComments(workspace, [notifying()], { annotationId });
  await letPass(service.database, workspace, 601);
  await deliverDelayed(workspace);
  const [digest] = await readNotifications(workspace, { userId: "alan" });
  expect(digest?.notificationSourceData).toMatchObject({ activities: [{ annotationId: "a" }, { annotationId: "b" }] });
  await show(workspace, "b", TO_GRACE);
  expect([await getCount(workspace, "alan"), await getCount(workspace, "grace")]).toEqual([
    NOBODYS,
    { total: 1, unread: 1 },
  ]);
  expect(await readNotifications(workspace, { userId: "alan" })).toEqual([]);
  expect(await readNotifications(workspace, { userId: "grace" })).toHaveLength(1);
});

test("a document in several organizations shows the notifications of the annotations seen in each", async () => {
  const workspace = await service.publicWorkspace();
  for (const id of ["acme", "globex"]) {
    await addAnnotations(workspace, [{ annotationId: "a", commentData: [notifying()] }], { organizationId: id });
  }
  const organizations = async () => {
    const inbox = await workspace.data("/v2/notifications/get", { documentId, userId: "alan" });
    return inbox.map(({ metadata }) => metadata.organizationId);
  };
  expect(await organizations()).toEqual(["globex", "acme"]);
  await show(workspace, "a", TO_GRACE);
  expect(await organizations()).toEqual(["globex"]);
});

test("a notification of a backend that names a hidden annotation stays", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", visibility: TO_GRACE }]);
  await addNotification(workspace, "n", {
    notificationSourceData: { annotationId: "a" },
    notifyUsers: [{ userId: "alan" }],
  });
  expect(await getInbox(workspace, "alan")).toEqual(["a"]);
});
