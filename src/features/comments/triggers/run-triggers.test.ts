import { expect, test } from "vitest";
import {
  addAnnotations,
  addComments,
  changeAnnotations,
  changeComments,
  comment,
  readAnnotations,
  readComments,
} from "../../../../test/comments.ts";
import { readActivities, SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import type { Api } from "../../../operations.ts";

const service = await startTestService();
const BOTH = { triggerActivities: true, triggerNotification: true };
const ADA = { userId: "ada", name: "Ada Lovelace" };

/** Returns the headlines in each user's inbox, oldest first. */
async function readInboxes(workspace: TestWorkspace, ...userIds: string[]): Promise<object> {
  const lists = userIds.map(async (userId) => {
    const request = { organizationId: SCOPE.organizationId, userId, order: "asc" as const };
    const list = await workspace.data("/v2/notifications/get", request);
    return [userId, list.map(({ notificationSourceData }) => Object(notificationSourceData).actionType)];
  });
  return Object.fromEntries(await Promise.all(lists));
}

async function readActionTypes(workspace: TestWorkspace): Promise<unknown[]> {
  return (await readActivities(workspace, { order: "asc" })).map(({ actionType }) => actionType);
}

function tagging(...userIds: string[]) {
  return userIds.map((userId) => ({ userId, text: `@${userId}` }));
}

test("a comment notifies tagged users, the assignee and earlier participants, never its author", async () => {
  const workspace = await service.publicWorkspace();
  const commentData = [comment({ from: ADA, taggedUserContacts: tagging("grace", "ada"), triggerNotification: true })];
  await addAnnotations(workspace, [{ annotationId: "a", assignedTo: { userId: "alan" }, commentData }]);
  await addComments(workspace, [
    { from: { userId: "kurt" }, triggerNotification: true },
    { from: { userId: "emmy" }, triggerNotification: true },
    { from: { userId: "silent" } },
  ]);
  expect(await readInboxes(workspace, "ada", "grace", "alan", "kurt", "emmy", "silent")).toEqual({
    ada: ["comment.add", "comment.add"],
    grace: ["comment_annotation.add"],
    alan: ["comment_annotation.add", "comment.add", "comment.add"],
    kurt: ["comment.add"],
    emmy: [],
    silent: [],
  });
});

async function readHeadlines(workspace: TestWorkspace, userId: string) {
  const list = await workspace.data("/v2/notifications/get", { organizationId: SCOPE.organizationId, userId });
  return list.map(({ displayHeadlineMessageTemplate: template, displayHeadlineMessageTemplateData: data }) =>
    String(template).replace(/\{(\w+)\}/g, (_, name) => {
      const value = Object(data)[name];
      return Object(value).name ?? Object(value).userId ?? String(value);
    }),
  );
}

const CHANGES = {
  status: { id: "FIXED", name: "Fixed", type: "terminal" as const },
  assignedTo: { userId: "grace", name: "Grace" },
  priority: { id: "P0" },
};

test("one update makes one notification that says what changed, and an activity for each change", async () => {
  const workspace = await service.publicWorkspace();
  const { organizationId, documentId } = SCOPE;
  await workspace.data("/v2/organizations/documents/add", {
    ...{ organizationId, documents: [{ documentId, documentName: "Contract 7" }] },
  });
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "alan" } })] }]);
  await changeAnnotations(workspace, "update", { updatedData: CHANGES, actionUser: ADA, ...BOTH });
  const headline = "Ada Lovelace resolved a discussion in Contract 7 as Fixed, assigned it to Grace";
  const expected = [`${headline} and changed its priority to P0`];
  expect([await readHeadlines(workspace, "alan"), await readHeadlines(workspace, "grace")]).toEqual([
    expected,
    expected,
  ]);
  const kinds = ["status_change", "assign", "priority_change"].map((kind) => `comment_annotation.${kind}`);
  expect((await readActionTypes(workspace)).sort()).toEqual(kinds.sort());
});

test("a change of status says what it became, and each change alone has its own sentence", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "alan" } })] }]);
  const update = (updatedData: object) =>
    changeAnnotations(workspace, "update", { updatedData, actionUser: ADA, triggerNotification: true });
  await update({ status: { id: "HALF", name: "Half done", type: "ongoing" } });
  await update({ assignedTo: { userId: "grace" } });
  await update({ priority: "P1" });
  expect(await readHeadlines(workspace, "alan")).toEqual([
    "Ada Lovelace changed the priority of a discussion in contract-7 to P1",
    "Ada Lovelace assigned a discussion in contract-7 to grace",
    "Ada Lovelace changed the status of a discussion in contract-7 to Half done",
  ]);
});

test("those whom a comment mentions are told so, and the others that there is a comment", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const taggedUserContacts = tagging("grace");
  await addComments(workspace, [
    { from: { userId: "alan", name: "Alan" }, taggedUserContacts, triggerNotification: true },
  ]);
  expect(await readHeadlines(workspace, "grace")).toEqual(["Alan mentioned you"]);
  expect(await readHeadlines(workspace, "ada")).toEqual(["Alan commented"]);
});

test.each([
  ["status", { status: { id: "OPEN", name: "Open", type: "default" as const } }],
  ["assignee", { assignedTo: { userId: "grace", name: "Grace", email: "g@example.com" } }],
  ["priority", { priority: { n: 1, id: "P" } }],
])("sending the %s again, with other fields or in another order, triggers nothing", async (_, updatedData) => {
  const workspace = await service.publicWorkspace();
  const given = { assignedTo: { userId: "grace" }, priority: { id: "P", n: 1 } };
  await addAnnotations(workspace, [{ annotationId: "a", status: { type: "default" }, ...given }]);
  await changeAnnotations(workspace, "update", { updatedData, actionUser: ADA, ...BOTH });
  expect([await readHeadlines(workspace, "grace"), await readActionTypes(workspace)]).toEqual([[], []]);
});

test("notifications of comments respect the recipients' preferences", async () => {
  const workspace = await service.publicWorkspace();
  const set = (userId: string, inbox: "ALL" | "MINE" | "NONE") =>
    workspace.data("/v2/notifications/config/set", {
      organizationId: SCOPE.organizationId,
      userIds: [userId],
      config: { inbox },
    });
  await set("grace", "NONE");
  await set("alan", "MINE");
  const commentData = [comment({ taggedUserContacts: tagging("grace", "alan"), triggerNotification: true })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  expect(await readInboxes(workspace, "grace", "alan")).toEqual({ grace: [], alan: ["comment_annotation.add"] });
});

test("the activity records the acting user, the action and the location", async () => {
  const workspace = await service.publicWorkspace();
  const commentData = [comment({ commentId: 7, from: ADA, triggerActivities: true }), comment(), comment(BOTH)];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  expect(await readActionTypes(workspace)).toEqual(["comment_annotation.add", "comment.add"]);
  const [first] = await readActivities(workspace, { order: "asc" });
  expect(first).toMatchObject({
    featureType: "comment",
    actionUser: ADA,
    targetEntityId: "a",
    targetSubEntityId: "7",
    entityData: { annotationId: "a", commentId: 7, commentText: "thirty days" },
    displayMessageTemplateData: { user: ADA },
    metadata: { ...SCOPE, apiKey: workspace.apiKey },
  });
});

test("names that the call omits are taken from the acting user's record", async () => {
  const workspace = await service.publicWorkspace();
  const users = [
    { userId: "carol", name: "Cärol \u0000" },
    { userId: "__proto__", name: "Proto" },
    { userId: "long", name: "é".repeat(300) },
  ];
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  await workspace.data("/v2/users/add", { organizationId: "other", users: [{ userId: "nobody", name: "Foreign" }] });
  await addAnnotations(workspace, ["a"]);
  const from = [
    { userId: "carol", email: "carol@example.com" },
    { userId: "carol", name: "C." },
    { userId: "__proto__", name: " " },
    { userId: "long" },
    { userId: "nobody" },
  ];
  const names = ["Cärol \u0000", "C.", "Proto", undefined, undefined];
  await addComments(
    workspace,
    from.map((user) => ({ from: user, ...BOTH })),
  );
  const expected = from.map((user, index) => (names[index] ? { ...user, name: names[index] } : user));
  const list = await workspace.data("/v2/notifications/get", {
    organizationId: SCOPE.organizationId,
    userId: "ada",
    order: "asc",
  });
  expect(list.map(({ actionUser }) => actionUser)).toEqual(expected);
  expect(list.map((item) => item.displayHeadlineMessageTemplateData)).toEqual(
    expected.map((actionUser) => ({ actionUser })),
  );
  const activities = await readActivities(workspace, { order: "asc" });
  expect(activities.map(({ actionUser }) => actionUser)).toEqual(expected);
  expect(activities.map((item) => item.displayMessageTemplateData)).toEqual(expected.map((user) => ({ user })));
  expect((await readComments(workspace)).map((item) => item.from).slice(1)).toEqual(from);
});

test("a call without a trigger has no side effects, and no activity is added while the service is off", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  await workspace.data("/v2/users/add", {
    organizationId: SCOPE.organizationId,
    users: [{ userId: "grace", accessRole: "viewer" }],
  });
  await addAnnotations(workspace, [
    { annotationId: "a", commentData: [comment({ taggedUserContacts: tagging("grace") })] },
  ]);
  await addComments(workspace, [{ from: ADA, ...BOTH, taggedUserContacts: tagging("grace") }]);
  expect(await readActionTypes(workspace)).toEqual([]);
  expect(await readInboxes(workspace, "grace")).toEqual({ grace: ["comment.add"] });
});

test("an update causes one notification, and an activity for each field that changes", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", priority: "P1" }]);
  const from = { actionUser: { userId: "grace" }, ...BOTH };
  const status = { id: "DONE", name: "Done" };
  const assignedTo = { userId: "alan" };
  const updatedData = { status, assignedTo, priority: "P1", context: {} };
  await changeAnnotations(workspace, "update", { updatedData, ...from });
  await changeAnnotations(workspace, "update", { updatedData, ...from });
  await changeAnnotations(workspace, "update", { updatedData: { priority: "P0" }, ...from });
  const types = ["comment_annotation.status_change", "comment_annotation.assign", "comment_annotation.priority_change"];
  expect(await readActionTypes(workspace)).toEqual(types);
  const notified = ["comment_annotation.status_change", "comment_annotation.priority_change"];
  expect(await readInboxes(workspace, "ada", "alan", "grace")).toEqual({ ada: notified, alan: notified, grace: [] });
  const [, assigned] = await readActivities(workspace, { order: "asc" });
  expect(assigned).toMatchObject({ changes: { assignedTo: { from: null, to: assignedTo } }, targetEntityId: "a" });
});

test("updating a comment notifies only newly tagged users, from its author or `actionUser`", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [
    { commentData: [comment({ taggedUserContacts: tagging("grace") })], annotationId: "a" },
  ]);
  const update = (userIds: string[], more: Partial<Api["/v2/commentannotations/comments/update"]["request"]>) =>
    changeComments(workspace, "update", {
      commentIds: [1],
      updatedData: { taggedUserContacts: tagging(...userIds) },
      ...more,
    });
  await update(["grace", "alan", "ada"], { triggerNotification: true });
  await update(["grace", "alan", "emmy"], {});
  await update(["ada", "emmy", "kurt"], { triggerNotification: true, actionUser: { userId: "kurt" } });
  expect(await readInboxes(workspace, "grace", "alan", "emmy", "kurt", "ada")).toEqual({
    grace: [],
    alan: ["comment.update"],
    emmy: [],
    kurt: [],
    ada: ["comment.update"],
  });
});

test.each(["triggerActivities", "triggerNotification"])(
  "an update with %s and without actionUser is INVALID_ARGUMENT and changes nothing",
  async (trigger) => {
    const workspace = await service.publicWorkspace();
    await addAnnotations(workspace, ["a"]);
    const before = await readAnnotations(workspace);
    const request = { ...SCOPE, updatedData: { priority: "P0" }, [trigger]: true };
    const error = await workspace.error("/v2/commentannotations/update", request);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("actionUser") });
    expect(await readAnnotations(workspace)).toEqual(before);
  },
);

test("a rejected call has no side effects", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const commentData = [comment({ ...BOTH, commentId: 1, from: { userId: "grace" } })];
  await workspace.error("/v2/commentannotations/comments/add", { ...SCOPE, annotationId: "a", commentData });
  const [again] = Object.values(await addAnnotations(workspace, [{ annotationId: "a", commentData }]));
  expect(again).toMatchObject({ success: false });
  expect(await readComments(workspace)).toHaveLength(1);
  expect([await readActionTypes(workspace), await readInboxes(workspace, "ada")]).toEqual([[], { ada: [] }]);
});

test("forty concurrent comments that notify are all delivered without deadlocks", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a", "b"]);
  const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
  await Promise.all(
    users.flatMap((userId) =>
      ["a", "b"].map((annotationId) => addComments(workspace, [{ from: { userId }, ...BOTH }], { annotationId })),
    ),
  );
  expect(await readInboxes(workspace, "ada")).toEqual({ ada: Array(40).fill("comment.add") });
  expect(await readActionTypes(workspace)).toHaveLength(40);
});
