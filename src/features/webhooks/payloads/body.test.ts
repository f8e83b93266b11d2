import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../../test/crdt.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { deleteUserDataAndWait } from "../../../../test/user-data.ts";
import { webhookBodies } from "../../../../test/webhook-bodies.ts";
import { isReported, isSentToEndpoints } from "./event.ts";

const ADD = "/v2/commentannotations/add";
const UPDATE = "/v2/commentannotations/update";
const ADD_COMMENTS = "/v2/commentannotations/comments/add";
const ADA = { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" };
const GRACE = { userId: "grace", name: "Grace Hopper", email: "grace@example.com" };
const THREAD = { ...SCOPE, annotationId: "a" };
const ONE = { ...SCOPE, annotationIds: ["a"] };
const { workspaceWithThread, getEvents, lastEvent, buildBody, advanced, basic, getAnnotation } = webhookBodies(
  await startTestService(),
);

test("a body holds what the get operation returns, the document and the acting user", async () => {
  const workspace = await workspaceWithThread();
  const { organizationId, documentId } = SCOPE;
  const commentAnnotation = await getAnnotation(workspace);
  const document = { documentId, documentName: "Contract 7" };
  expect(await advanced(workspace)).toEqual({
    event: "comment_annotation.add",
    actionType: "add",
    source: "comment",
    webhookId: "msg_1",
    data: {
      actionUser: ADA,
      metadata: { apiKey: workspace.apiKey, organization: { organizationId }, document },
      commentAnnotation,
    },
  });
  expect(await basic(workspace)).toEqual({
    webhookId: "msg_1",
    actionType: "newlyAdded",
    notificationSource: "comment",
    actionUser: ADA,
    metadata: {
      apiKey: workspace.apiKey,
      ...{ organizationId, clientOrganizationId: organizationId },
      ...{ documentId, clientDocumentId: documentId, documentName: "Contract 7" },
    },
    commentAnnotation,
  });
});

type Change = [path: string, data: object];
const comment = { ...THREAD, commentId: 1 };
const by = { actionUser: GRACE };
const status = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };

test.each<[string, string, string, Change[], object, object]>([
  [
    ...(["comment.add", "add", "added"] as const),
    [[ADD_COMMENTS, { ...THREAD, commentData: [{ commentId: 2, from: GRACE, triggerNotification: true }] }]],
    { targetComment: expect.objectContaining({ commentId: 2, from: GRACE }), actionUser: GRACE },
    {},
  ],
  [
    ...(["comment.update", "update", "updated"] as const),
    [["/v2/commentannotations/comments/update", { ...THREAD, commentIds: [1], updatedData: { commentText: "Ten?" } }]],
    { targetComment: expect.objectContaining({ commentId: 1, commentText: "Ten?" }), actionUser: ADA },
    {},
  ],
  [
    ...(["comment.delete", "delete", "deleted"] as const),
    [["/v2/commentannotations/comments/delete", { ...THREAD, commentIds: [1] }]],
    {
      targetComment: { commentId: 1 },
      commentAnnotation: expect.objectContaining({ annotationId: "a", comments: [] }),
    },
    {},
  ],
  [
    ...(["comment.reaction_add", "reactionAdd", "reactionAdded"] as const),
    [["/v2/reactions/add", { ...comment, reaction: "👍", from: GRACE }]],
    { targetComment: expect.objectContaining({ reactions: [{ reaction: "👍", userIds: ["grace"] }] }) },
    {},
  ],
  [
    ...(["comment.reaction_delete", "reactionDelete", "reactionDeleted"] as const),
    [
      ["/v2/reactions/add", { ...comment, reaction: "👍", from: GRACE }],
      ["/v2/reactions/delete", { ...comment, reaction: "👍", from: GRACE }],
    ],
    { targetComment: expect.objectContaining({ commentId: 1, reactions: [] }), actionUser: { userId: "grace" } },
    {},
  ],
  [
    ...(["comment_annotation.status_change", "statusChange", "statusChanged"] as const),
    [[UPDATE, { ...ONE, ...by, updatedData: { status } }]],
    { oldStatus: expect.objectContaining({ id: "OPEN" }), newStatus: status, actionUser: { userId: "grace" } },
    {},
  ],
  [
    ...(["comment_annotation.assign", "assign", "assigned"] as const),
    [[UPDATE, { ...ONE, ...by, updatedData: { assignedTo: GRACE } }]],
    { commentAnnotation: expect.objectContaining({ assignedTo: GRACE }) },
    { assigned: true },
  ],
  [
    ...(["comment_annotation.assign", "assign", "assigned"] as const),
    [
      [UPDATE, { ...ONE, ...by, updatedData: { assignedTo: GRACE } }],
      [UPDATE, { ...ONE, ...by, updatedData: { assignedTo: null } }],
    ],
    {},
    { assigned: false },
  ],
  [
    ...(["comment_annotation.priority_change", "priorityChange", "priorityChanged"] as const),
    [[UPDATE, { ...ONE, updatedData: { priority: "P0" } }]],
    { newPriority: "P0" },
    {},
  ],
])(
  "%s is reported to both kinds of webhooks, as %s and %s",
  async (event, actionType, basicType, changes, data, more) => {
    const workspace = await workspaceWithThread();
    for (const [path, request] of changes) await workspace.uncheckedResult(path, request);
    const reported = await lastEvent(workspace);
    expect([isReported(reported), isSentToEndpoints(reported.kind)]).toEqual([true, true]);
    expect(await advanced(workspace)).toMatchObject({ event, actionType, source: "comment", data });
    const { metadata: _, ...expected } = { ...data, ...more, metadata: undefined };
    expect(await basic(workspace)).toMatchObject({ actionType: basicType, notificationSource: "comment", ...expected });
  },
);

test("oldStatus and newStatus are those of the event, also after a later change", async () => {
  const workspace = await workspaceWithThread();
  await workspace.data(UPDATE, { ...ONE, updatedData: { status: { type: "ongoing" } } });
  const event = await lastEvent(workspace);
  await workspace.data(UPDATE, { ...ONE, updatedData: { status: { type: "terminal" } } });
  const { data } = JSON.parse(await buildBody(workspace, event));
  expect(data).toMatchObject({
    oldStatus: { id: "OPEN" },
    newStatus: { id: "IN_PROGRESS" },
    commentAnnotation: { status: { id: "RESOLVED" } },
  });
});

test.each([
  ["accepted", "suggestion_accept", "suggestionAccept", "suggestionAccepted"],
  ["rejected", "suggestion_reject", "suggestionReject", "suggestionRejected"],
])(
  "a suggestion that is %s is reported; basic webhooks do so only by their trigger",
  async (verdict, kind, action, basicType) => {
    const workspace = await workspaceWithThread({ type: "suggestion" });
    await workspace.uncheckedResult(UPDATE, { ...ONE, updatedData: { suggestion: { status: verdict } } });
    expect(await advanced(workspace)).toMatchObject({ event: `comment_annotation.${kind}`, actionType: action });
    expect(await basic(workspace)).toBeUndefined();
    await workspace.data("/v2/workspace/webhookconfig/update", {
      webhookServiceConfig: { triggers: { [`comment_annotation.${kind}`]: true } },
    });
    expect(await basic(workspace)).toMatchObject({ actionType: basicType });
  },
);

test("a changed visibility is reported to basic webhooks only, with who is denied access", async () => {
  const workspace = await workspaceWithThread({ assignedTo: GRACE });
  const visibility = { type: "restricted" as const, userIds: ["ada"] };
  await workspace.data(UPDATE, { ...ONE, updatedData: { visibility } });
  const event = await lastEvent(workspace);
  expect([isReported(event), isSentToEndpoints(event.kind)]).toEqual([true, false]);
  expect(await basic(workspace, "processed")).toMatchObject({
    actionType: "accessModeChanged",
    visibility,
    accessDeniedUsers: ["grace"],
  });
  expect(await basic(workspace, "raw")).not.toHaveProperty("accessDeniedUsers");
  await workspace.data(ADD_COMMENTS, { ...THREAD, commentData: [{ from: ADA, triggerNotification: true }] });
  expect((await advanced(workspace)).data).toMatchObject({ visibility });
});

test("comments are reported only if they are added with triggerNotification", async () => {
  const workspace = await workspaceWithThread();
  await workspace.data(ADD_COMMENTS, {
    ...THREAD,
    commentData: [{ from: ADA }, { from: ADA, triggerNotification: true }, { from: ADA, triggerNotification: false }],
  });
  await workspace.data(ADD, { ...SCOPE, commentAnnotations: [{ annotationId: "b", commentData: [{ from: ADA }] }] });
  const ofComments = (await getEvents(workspace)).filter(({ kind }) => kind.startsWith("comment"));
  expect(ofComments.map(isReported)).toEqual([true, false, true, false, false]);
});

test("a deleted annotation is reported by its comments, and holds only IDs", async () => {
  const workspace = await workspaceWithThread();
  await workspace.data("/v2/commentannotations/delete", ONE);
  const reported = (await getEvents(workspace)).filter(isReported);
  expect(reported.map(({ kind }) => kind)).toEqual(["comment_annotation.add", "comment.delete"]);
  const { data } = JSON.parse(await buildBody(workspace, reported[1] ?? (await lastEvent(workspace))));
  expect(data).toMatchObject({ commentAnnotation: { annotationId: "a" }, targetComment: { commentId: 1 } });
  expect(data.commentAnnotation).toEqual({ annotationId: "a" });
});

test("records of a disabled organization are not sent", async () => {
  const workspace = await workspaceWithThread();
  const { organizationId } = SCOPE;
  const event = await lastEvent(workspace);
  await workspace.data("/v2/organizations/access/disablestate/update", {
    organizationIds: [organizationId],
    disabled: true,
  });
  expect(JSON.parse(await buildBody(workspace, event)).data.commentAnnotation).toEqual({ annotationId: "a" });
});

test("preferences of the users concerned are reported, by the level at which they are set", async () => {
  const workspace = await workspaceWithThread({ assignedTo: GRACE });
  const { organizationId, documentId } = SCOPE;
  const set = "/v2/notifications/config/set";
  await workspace.data(set, { organizationId, userIds: ["ada", "linus"], config: { inbox: "MINE", email: "NONE" } });
  await workspace.data(set, {
    organizationId,
    documentIds: [documentId],
    userIds: ["grace"],
    config: { inbox: "NONE" },
  });
  const preferences = {
    usersOrganizationNotificationsConfig: { ada: { inbox: "MINE", email: "NONE" } },
    usersDocumentNotificationsConfig: { grace: { inbox: "NONE" } },
  };
  expect(await advanced(workspace)).toMatchObject(preferences);
  expect(await basic(workspace, "processed")).toMatchObject(preferences);
  expect(await basic(workspace, "raw")).not.toHaveProperty("usersOrganizationNotificationsConfig");
});

test("the acting user has the name and address of the user's record", async () => {
  const workspace = await workspaceWithThread();
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users: [GRACE] });
  await workspace.data(UPDATE, { ...ONE, actionUser: { userId: "grace" }, updatedData: { status } });
  expect((await advanced(workspace)).data.actionUser).toEqual(GRACE);
});

test("the acting user is removed from events when that user's data is deleted", async () => {
  const workspace = await workspaceWithThread();
  await workspace.data(UPDATE, { ...ONE, actionUser: GRACE, updatedData: { status } });
  expect((await lastEvent(workspace)).userId).toBe("grace");
  await deleteUserDataAndWait(workspace, ["grace"]);
  expect((await lastEvent(workspace)).userId).toBeNull();
  expect((await advanced(workspace)).data).not.toHaveProperty("actionUser");
});

test("streams and events/get show nothing of what only webhooks report", async () => {
  const workspace = await workspaceWithThread();
  const { cursor } = await workspace.data("/v2/events/get", SCOPE);
  await workspace.data(UPDATE, { ...ONE, actionUser: GRACE, updatedData: { status } });
  const { events } = await workspace.data("/v2/events/get", { ...SCOPE, cursor });
  expect(events).toMatchObject([{ event: "comment_annotation.status_change", subject: { annotationId: "a" } }]);
  expect(Object.keys(Object(events[0])).toSorted()).toEqual(
    ["cursor", "documentId", "event", "organizationId", "record", "subject", "timestamp"].toSorted(),
  );
  expect(Object.keys(Object(events[0]?.subject))).toEqual(["annotationId"]);
});

test("an added recording is sent with its attachments, and a deleted one with its ID", async () => {
  const workspace = await workspaceWithThread();
  const triggers = { recorder: { done: true } };
  await workspace.data("/v2/workspace/webhookconfig/update", { webhookServiceConfig: { triggers } });
  const attachments = [{ url: "https://files.example.com/1.mp4" }];
  await workspace.data("/v2/recordings/add", {
    ...SCOPE,
    recordings: [{ annotationId: "r", from: GRACE, attachments }],
  });
  const event = await lastEvent(workspace);
  const recording = { recorderId: "r", from: GRACE, assets: attachments, assetsAllVersions: attachments };
  expect(await advanced(workspace)).toMatchObject({
    ...{ event: "recorder.done", actionType: "done", source: "recorder" },
    data: { actionUser: GRACE, metadata: { document: { documentName: "Contract 7" } }, ...recording },
  });
  expect(await basic(workspace)).toMatchObject({
    ...{ actionType: "done", notificationSource: "recorder", actionUser: GRACE },
    ...{ metadata: { documentId: SCOPE.documentId }, ...recording },
  });
  await workspace.data("/v2/recordings/delete", { organizationId: SCOPE.organizationId, recordingIds: ["r"] });
  const { data } = JSON.parse(await buildBody(workspace, event));
  expect([data.recorderId, data.from, data.assets]).toEqual(["r", undefined, undefined]);
});

test("a changed editor is sent with its content, and a deleted one with its ID", async () => {
  const workspace = await workspaceWithThread();
  const triggers = { crdt: { updateData: true } };
  await workspace.data("/v2/workspace/webhookconfig/update", { webhookServiceConfig: { triggers } });
  await addContent(workspace, { type: "text", data: "Thirty days." });
  const subject = { editorId: COLLABORATIVE_DOCUMENT.editorId };
  const event = { ...SCOPE, kind: "crdt.update_data" as const, subject, details: null, userId: null };
  const crdtData = { id: subject.editorId, data: "Thirty days.", lastUpdatedBy: null, lastUpdate: expect.any(String) };
  expect(JSON.parse(await buildBody(workspace, event))).toMatchObject({
    ...{ event: "crdt.update_data", actionType: "updateData", source: "crdt" },
    data: { metadata: { document: { documentName: "Contract 7" } }, crdtData },
  });
  expect(await basic(workspace, "processed", event)).toMatchObject({
    ...{ actionType: "updateData", notificationSource: "crdt", metadata: { documentId: SCOPE.documentId } },
    ...{ crdtData, accessDeniedUsers: [] },
  });
  await workspace.data("/v2/crdt/delete", SCOPE);
  expect(JSON.parse(await buildBody(workspace, event)).data.crdtData).toEqual({ id: subject.editorId });
});
