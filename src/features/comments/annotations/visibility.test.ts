import { expect, test } from "vitest";
import { buildContext, enableContext } from "../../../../test/access-context.ts";
import { addAnnotations, changeAnnotations, comment, readAnnotations } from "../../../../test/comments.ts";
import { createDelivery, DELAY, delayNotifications, letPass } from "../../../../test/delayed-notifications.ts";
import { readActivities, SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { grant, resourceNamed } from "../../../../test/permissions.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import type { Visibility } from "./visibility.ts";

const service = await startOwnTestService();
const deliverDelayed = await createDelivery(service.database);
const ANNOTATIONS = "/v2/commentannotations";
const RESTRICTED: Visibility = { type: "restricted", userIds: ["grace"] };
const PRIVATE: Visibility = {
  type: "organizationPrivate",
  organizationId: SCOPE.organizationId,
  userIds: ["emmy"],
};

/** Creates a workspace with annotations of ada, named after who sees them. */
async function withVisibilities(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [
    { annotationId: "public", visibility: { type: "public" } },
    { annotationId: "organization", visibility: PRIVATE },
    { annotationId: "grace", visibility: RESTRICTED },
  ]);
  await grant(workspace, "member", "organization");
  await grant(workspace, "guest", `document ${SCOPE.documentId}`);
  return workspace;
}

/** Returns a token that carries no permission on the organization or the document. */
function plainToken(workspace: TestWorkspace, userId: string): Promise<string> {
  return tokenFor(workspace, userId, { resources: [resourceNamed("document other")] });
}

async function call(token: string, operation: string, request: object = {}) {
  const { body } = await callWith(token, `${service.address}${operation}`, { ...SCOPE, ...request });
  return Object(body);
}

/** Reads the IDs of the annotations that a user sees. */
async function seenBy(workspace: TestWorkspace, userId: string): Promise<string[]> {
  const { result } = await call(await plainToken(workspace, userId), `${ANNOTATIONS}/get`, { order: "asc" });
  return result.data.map(({ annotationId }: { annotationId: string }) => annotationId);
}

test.each([
  ["ada", ["public", "organization", "grace"], "the author"],
  ["grace", ["public", "grace"], "a user who is named"],
  ["emmy", ["public", "organization"], "a user who is named beside the organization"],
  ["member", ["public", "organization"], "a user with a permission on the organization"],
  ["guest", ["public"], "a user with a permission on the document alone"],
  ["alan", ["public"], "a user without permissions"],
])("%s sees %j: %s", async (userId, expected) => {
  const workspace = await withVisibilities();
  const token = await plainToken(workspace, userId);
  expect(await seenBy(workspace, userId)).toEqual(expected);
  const { result: counted } = await call(token, `${ANNOTATIONS}/count/get`, {
    ...{ documentId: undefined, documentIds: [SCOPE.documentId] },
  });
  expect(counted.data).toMatchObject({ [SCOPE.documentId]: { total: expected.length } });
  const { organizationId, documentId } = SCOPE;
  const request = { organizationId, documentIds: [documentId], userId };
  // A request of a backend about the user counts the same.
  expect(await workspace.data("/v2/commentannotations/count/get", request)).toEqual(counted.data);
  for (const annotationId of ["public", "organization", "grace"]) {
    const isSeen = expected.includes(annotationId);
    const { result: comments } = await call(token, `${ANNOTATIONS}/comments/get`, { annotationId });
    expect(comments.data, annotationId).toHaveLength(isSeen ? 1 : 0);
    const commentData = [{ commentText: "more" }];
    const added = await call(token, `${ANNOTATIONS}/comments/add`, { annotationId, commentData });
    const reaction = { annotationId, commentId: 1, reaction: "👍" };
    const reacted = await call(token, "/v2/reactions/add", reaction);
    expect([added.error?.status, reacted.error?.status]).toEqual(
      isSeen ? [undefined, undefined] : ["NOT_FOUND", "NOT_FOUND"],
    );
  }
});

test("a token with a permission on the organization sees what its users see", async () => {
  const workspace = await withVisibilities();
  const resources = [{ type: "organization" as const, id: SCOPE.organizationId }];
  const token = await tokenFor(workspace, "alan", { resources });
  const { result } = await call(token, `${ANNOTATIONS}/get`, { order: "asc" });
  expect(result.data.map(({ annotationId }: { annotationId: string }) => annotationId)).toEqual([
    ...["public", "organization"],
  ]);
});

test("a backend reads all annotations, with the author among the users of those that are not public", async () => {
  const workspace = await withVisibilities();
  const read = await readAnnotations(workspace, { order: "asc" });
  expect(read.map(({ visibilityConfig }) => visibilityConfig)).toEqual([
    { type: "public" },
    { ...PRIVATE, userIds: ["emmy", "ada"] },
    { ...RESTRICTED, userIds: ["grace", "ada"] },
  ]);
});

test("a user who is replaced is replaced among those who see the annotation", async () => {
  const workspace = await withVisibilities();
  const updateUsers = [{ oldUser: { userId: "grace" }, newUser: { userId: "kurt" } }];
  await changeAnnotations(workspace, "update", { annotationIds: ["grace"], updateUsers, updatedData: undefined });
  expect([await seenBy(workspace, "grace"), await seenBy(workspace, "kurt")]).toEqual([
    ["public"],
    ["public", "grace"],
  ]);
});

test("a user who is replaced among those who see the annotation gets an event of its deletion", async () => {
  const workspace = await withVisibilities();
  const grace = await plainToken(workspace, "grace");
  const { result } = await call(grace, "/v2/events/get");
  const updateUsers = [{ oldUser: { userId: "grace" }, newUser: { userId: "kurt" } }];
  await changeAnnotations(workspace, "update", { annotationIds: ["grace"], updateUsers, updatedData: undefined });
  const response = await call(grace, "/v2/events/get", { cursor: result.data.cursor });
  expect(response.result.data.events).toMatchObject([
    { event: "comment_annotation.delete", subject: { annotationId: "grace" } },
  ]);
});

test("marking as read, and replacing users whom they do not name, leaves annotations as they are", async () => {
  const workspace = await withVisibilities();
  const before = await readAnnotations(workspace);
  const { cursor } = await workspace.data("/v2/events/get", { organizationId: SCOPE.organizationId });
  const updateUsers = [{ oldUser: { userId: "alan" }, newUser: { userId: "kurt" } }];
  await changeAnnotations(workspace, "update", { updatedData: { readByUserIds: ["grace"] } });
  await changeAnnotations(workspace, "update", { updateUsers, updatedData: undefined });
  expect(await readAnnotations(workspace)).toEqual(before);
  const { events } = await workspace.data("/v2/events/get", { organizationId: SCOPE.organizationId, cursor });
  expect(events).toEqual([]);
});

test("an update replaces the visibility and keeps the context, and the other way round", async () => {
  const workspace = await service.publicWorkspace();
  await enableContext(workspace);
  await addAnnotations(workspace, [{ annotationId: "a", context: { access: { team: "x" } }, visibility: RESTRICTED }]);
  const grace = await tokenFor(workspace, "grace", { resources: [buildContext({ team: "x" })] });
  const kurt = await tokenFor(workspace, "kurt", { resources: [buildContext({ team: "x" })] });
  const count = async (token: string) => (await call(token, `${ANNOTATIONS}/get`)).result.data.length;
  expect([await count(grace), await count(kurt), (await seenBy(workspace, "grace")).length]).toEqual([1, 0, 0]);
  await changeAnnotations(workspace, "update", { updatedData: { visibility: { type: "public" } } });
  expect([await count(kurt), (await seenBy(workspace, "kurt")).length]).toEqual([1, 0]);
  await changeAnnotations(workspace, "update", { updatedData: { context: null, visibility: RESTRICTED } });
  await changeAnnotations(workspace, "update", { updatedData: { context: {}, priority: "high" } });
  expect([await count(grace), await count(kurt), (await seenBy(workspace, "grace")).length]).toEqual([1, 0, 1]);
  expect(await readAnnotations(workspace)).toMatchObject([{ visibilityConfig: { userIds: ["grace", "ada"] } }]);
});

test("a user adds an annotation for few, and nobody else reads of it in activities or the inbox", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "member", "organization");
  const ada = await plainToken(workspace, "ada");
  const tagged = ["grace", "alan", "member"].map((userId) => ({ userId, text: `@${userId}` }));
  const triggers = { triggerActivities: true, triggerNotification: true };
  const commentData = [{ commentText: "secret", taggedUserContacts: tagged, ...triggers }];
  await call(ada, `${ANNOTATIONS}/add`, {
    commentAnnotations: [
      { annotationId: "restricted", visibility: RESTRICTED, commentData },
      { annotationId: "organization", visibility: { ...PRIVATE, userIds: undefined }, commentData },
    ],
  });
  const inbox = async (userId: string) => {
    const list = await workspace.data("/v2/notifications/get", { organizationId: SCOPE.organizationId, userId });
    return list.map(({ notificationSourceData }) => Object(notificationSourceData).annotationId);
  };
  expect([await inbox("grace"), await inbox("alan"), await inbox("member")]).toEqual([
    ...[["restricted"], [], ["organization"]],
  ]);
  expect(await readActivities(workspace)).toEqual([]);
});

test("activities of comments are hidden from users when their annotation is", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ triggerActivities: true })] }]);
  const activities = async (userId: string) =>
    (await call(await plainToken(workspace, userId), "/v2/activities/get")).result.data.length;
  expect(await activities("kurt")).toBe(1);
  await changeAnnotations(workspace, "update", { updatedData: { visibility: RESTRICTED } });
  expect([await activities("kurt"), await activities("grace")]).toEqual([0, 1]);
  expect(await readActivities(workspace)).toHaveLength(1);
});

test("activities of a private annotation stay hidden from users after its deletion", async () => {
  const workspace = await service.publicWorkspace();
  for (const annotationId of ["private", "public"]) {
    await addAnnotations(workspace, [{ annotationId, commentData: [comment({ triggerActivities: true })] }]);
  }
  const updatedData = { visibility: RESTRICTED };
  await changeAnnotations(workspace, "update", { annotationIds: ["private"], updatedData });
  await changeAnnotations(workspace, "delete", {});
  for (const userId of ["kurt", "grace"]) {
    const { result } = await call(await plainToken(workspace, userId), "/v2/activities/get");
    expect(result.data).toMatchObject([{ targetEntityId: "public" }]);
  }
  expect(await readActivities(workspace)).toHaveLength(2);
});

test("a delayed notification is dropped for users who may no longer see the annotation", async () => {
  const workspace = await service.publicWorkspace();
  await delayNotifications(workspace, DELAY);
  const tagged = ["grace", "alan"].map((userId) => ({ userId, text: `@${userId}` }));
  const commentData = [comment({ taggedUserContacts: tagged, triggerNotification: true })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  await changeAnnotations(workspace, "update", { updatedData: { visibility: RESTRICTED } });
  await letPass(service.database, workspace, 601);
  await deliverDelayed(workspace);
  const inbox = (userId: string) =>
    workspace.data("/v2/notifications/get", { organizationId: SCOPE.organizationId, userId });
  expect([(await inbox("grace")).length, await inbox("alan")]).toEqual([1, []]);
});

test("the deletion of a user's data removes the user from those who see annotations", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", visibility: { type: "restricted", userIds: ["grace-7"] } }]);
  await deleteUserDataAndWait(workspace, ["grace-7"]);
  expect(await findRowsContaining(service.database, ["grace-7"])).toEqual([]);
  expect(await readAnnotations(workspace)).toMatchObject([{ visibilityConfig: { userIds: ["ada"] } }]);
});

test("the count for a user leaves out documents that the user cannot read, as inboxes do", async () => {
  const workspace = await service.publicWorkspace();
  const { organizationId, documentId } = SCOPE;
  await addAnnotations(workspace, ["a"]);
  const count = () =>
    workspace.data("/v2/commentannotations/count/get", { organizationId, documentIds: [documentId], userId: "grace" });
  expect(await count()).toEqual({ [documentId]: { total: 1, unread: 1 } });
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  expect(await count()).toEqual({ [documentId]: { total: 0, unread: 0 } });
  await grant(workspace, "grace", `document ${documentId}`);
  expect(await count()).toEqual({ [documentId]: { total: 1, unread: 1 } });
});
