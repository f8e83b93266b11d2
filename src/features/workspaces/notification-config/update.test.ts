import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, comment } from "../../../../test/comments.ts";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { allowMails, countMails } from "../../../../test/mails.ts";
import { addNotification, readInbox } from "../../../../test/notifications.ts";
import type { Api } from "../../../operations.ts";

const GET = "/v2/workspace/notificationconfig/get";
const PATH = "/v2/workspace/notificationconfig/update";
type Changes = Api[typeof PATH]["request"];
type Triggers = NonNullable<NonNullable<Changes["notificationServiceConfig"]>["triggers"]>;

const service = await startTestService();
const second = await service.secondProcess();

const ALL_ON = {
  ...{ newlyAdded: true, added: true, updated: true, statusChanged: true, assigned: true, priorityChanged: true },
};

function update(workspace: TestWorkspace, changes: Changes) {
  return workspace.data(PATH, changes);
}

function setTriggers(workspace: TestWorkspace, triggers: Triggers) {
  return update(workspace, { notificationServiceConfig: { triggers } });
}

/** Adds an annotation of ada's that is assigned to grace, and a reply, and returns the events in grace's inbox. */
async function eventsReachingGrace(workspace: TestWorkspace, annotationId = "a"): Promise<unknown[]> {
  const commentData = [comment({ triggerNotification: true })];
  await addAnnotations(workspace, [{ annotationId, assignedTo: { userId: "grace" }, commentData }]);
  await addComments(workspace, [{ from: { userId: "alan" }, triggerNotification: true }], { annotationId });
  const list = await workspace.data("/v2/notifications/get", {
    organizationId: SCOPE.organizationId,
    userId: "grace",
    order: "asc",
  });
  return list.map(({ notificationSourceData }) => Object(notificationSourceData).actionType);
}

const WINDOW_OFF = { isEnabled: false, batchWindowSeconds: 10, maxActivities: 2 };

test("before the first update the service and all triggers are on; delay and windows are off and small", async () => {
  const workspace = await service.publicWorkspace();
  expect(await workspace.data(GET, {})).toEqual({
    useNotificationService: true,
    notificationServiceConfig: {
      triggers: { comment: ALL_ON },
      delayConfig: { isEnabled: false, delaySeconds: 10 },
      batchConfig: { document: WINDOW_OFF, user: WINDOW_OFF },
    },
  });
});

test("fields at any depth are merged on their own", async () => {
  const workspace = await service.publicWorkspace();
  await update(workspace, { notificationServiceConfig: { delayConfig: { delaySeconds: 60 } } });
  await update(workspace, { notificationServiceConfig: { batchConfig: { user: { maxActivities: 50 } } } });
  const response = await update(workspace, { notificationServiceConfig: { delayConfig: { isEnabled: true } } });
  expect(response.notificationServiceConfig).toEqual({
    triggers: { comment: ALL_ON },
    delayConfig: { isEnabled: true, delaySeconds: 60 },
    batchConfig: { document: WINDOW_OFF, user: { ...WINDOW_OFF, maxActivities: 50 } },
  });
});

test("an update replaces the fields that are sent, keeps the others, and returns all of them", async () => {
  const workspace = await service.publicWorkspace();
  await setTriggers(workspace, { comment: { added: false } });
  await update(workspace, { useNotificationService: false });
  const response = await setTriggers(workspace, { comment: { assigned: false, added: true } });
  expect(response).toMatchObject({
    useNotificationService: false,
    notificationServiceConfig: { triggers: { comment: { ...ALL_ON, assigned: false } } },
  });
  expect(await workspace.data(GET, {})).toEqual(response);
});

test("a trigger may be named by its event; beside both names, the one in `comment` decides", async () => {
  const workspace = await service.publicWorkspace();
  const response = await setTriggers(workspace, {
    "comment_annotation.assign": false,
    "comment.add": false,
    comment: { added: true, updated: false },
  });
  expect(response.notificationServiceConfig.triggers).toEqual({
    comment: { ...ALL_ON, assigned: false, updated: false },
  });
  expect(await workspace.data(GET, {})).toEqual(response);
});

test("twenty concurrent updates of different fields are all kept", async () => {
  const workspace = await service.publicWorkspace();
  const names = ["newlyAdded", "added", "updated", "statusChanged"] as const;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      setTriggers(workspace, { comment: { [names[index % names.length] ?? "added"]: false } }),
    ),
  );
  const off = Object.fromEntries(names.map((name) => [name, false]));
  expect(await workspace.data(GET, {})).toMatchObject({
    notificationServiceConfig: { triggers: { comment: { ...ALL_ON, ...off } } },
  });
});

test("useNotificationService false stops notifications and mails of comments, but not notifications/add", async () => {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, ["comment_annotation.add", "comment.add"]);
  const users = [{ userId: "grace", email: "grace@example.com" }];
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  await update(workspace, { useNotificationService: false });
  expect(await eventsReachingGrace(workspace)).toEqual([]);
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }] });
  expect(await readInbox(workspace, "grace")).toEqual(["n1"]);
  expect(await countMails(service.database, workspace)).toBe(0);
  expect(await workspace.data("/v2/workspace/outbox/get", {})).toEqual([]);
});

test("an event whose trigger is off notifies nobody, and the others do", async () => {
  const workspace = await service.publicWorkspace();
  await setTriggers(workspace, { comment: { added: false, statusChanged: false } });
  await eventsReachingGrace(workspace);
  const updatedData = { status: { id: "DONE" }, priority: "P0" };
  await changeAnnotations(workspace, "update", {
    updatedData,
    actionUser: { userId: "ada" },
    triggerNotification: true,
  });
  expect(await eventsReachingGrace(workspace, "b")).toEqual([
    ...["comment_annotation.add", "comment_annotation.priority_change", "comment_annotation.add"],
  ]);
});

test("an update takes effect with its response here, and within a second on other processes", async () => {
  const workspace = await service.publicWorkspace();
  const elsewhere = workspace.at(second.address);
  await elsewhere.data(GET, {});
  await update(workspace, { useNotificationService: false });
  expect(await eventsReachingGrace(workspace, "here")).toEqual([]);
  let round = 0;
  const addElsewhere = async () => {
    const before = (await eventsReachingGrace(elsewhere, `before-${round++}`)).length;
    return (await eventsReachingGrace(elsewhere, `after-${round++}`)).length - before;
  };
  await expect.poll(addElsewhere, BEFORE_CACHE_EXPIRY).toBe(0);
});

/** Returns a request that sets one value out of its range, with its name. */
function setting(name: string, notificationServiceConfig: object): [string, object] {
  return [`${name} out of range`, { notificationServiceConfig }];
}

test.each([
  ["no setting", {}],
  ["an unknown trigger", { notificationServiceConfig: { triggers: { comment: { reactionAdded: true } } } }],
  ["an unknown event", { notificationServiceConfig: { triggers: { "comment.reaction_add": true } } }],
  ["a trigger of another feature", { notificationServiceConfig: { triggers: { crdt: {} } } }],
  ["a text for a switch", { useNotificationService: "false" }],
  ...[9, 15_552_001, 10.5].map((delaySeconds) => setting("delaySeconds", { delayConfig: { delaySeconds } })),
  ...[9, 604_801, 10.5].map((batchWindowSeconds) =>
    setting("batchWindowSeconds", { batchConfig: { user: { batchWindowSeconds } } }),
  ),
  ...[1, 51, 2.5].map((maxActivities) => setting("maxActivities", { batchConfig: { document: { maxActivities } } })),
])("an update with %s is INVALID_ARGUMENT and changes nothing", async (_what, changes) => {
  const workspace = await service.publicWorkspace();
  const before = await workspace.data(GET, {});
  const { httpStatus, body } = await workspace.call(PATH, changes);
  expect([httpStatus, body]).toMatchObject([400, { error: { status: "INVALID_ARGUMENT" } }]);
  expect(await workspace.data(GET, {})).toEqual(before);
});
