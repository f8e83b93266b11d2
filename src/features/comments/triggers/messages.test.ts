import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, changeComments, comment } from "../../../../test/comments.ts";
import { readActivities, SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { MESSAGES } from "./messages.ts";

const service = await startTestService();
const BOTH = { triggerActivities: true, triggerNotification: true };
const ADA = { userId: "ada", name: "Ada" };
const GRACE = { userId: "grace", name: "Grace" };

/** Returns the last update's activity and notification to grace, whose comment started the discussion. */
async function readMessages(workspace: TestWorkspace) {
  const request = { organizationId: SCOPE.organizationId, userId: "grace", pageSize: 1 };
  const [notification] = await workspace.data("/v2/notifications/get", request);
  const [activity] = await readActivities(workspace);
  return { activity, notification };
}

async function startDiscussion(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  const commentData = [comment({ from: GRACE, triggerActivities: true })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  return workspace;
}

const OPEN = { id: "DOING", name: "Doing", type: "ongoing" as const };
const DONE = { id: "DONE", name: "Done", type: "terminal" as const };

test.each([
  ["status_change", "status_change", { status: OPEN }],
  ["resolve", "resolve", { status: DONE }],
  ["assign", "assign", { assignedTo: { userId: "alan" } }],
  ["priority_change", "priority_change", { priority: { id: "P0" } }],
  ["priority_change", "unnamed_priority", { priority: { level: 3 } }],
])(
  "the keys of an update that has the activity %s and the headline %s name its templates",
  async (activityKey, headlineKey, updatedData) => {
    const workspace = await startDiscussion();
    await changeAnnotations(workspace, "update", { updatedData, actionUser: ADA, ...BOTH });
    const { activity, notification } = await readMessages(workspace);
    expect(activity?.messageKey).toBe(`activity.comment_annotation.${activityKey}`);
    expect(notification?.messageKey).toBe(`notification.comment_annotation.${headlineKey}`);
    const templates = new Map<string, string>(Object.entries(MESSAGES));
    expect(activity?.displayMessageTemplate).toBe(templates.get(String(activity?.messageKey)));
    expect(notification?.displayHeadlineMessageTemplate).toBe(templates.get(String(notification?.messageKey)));
    const data = Object(notification?.displayHeadlineMessageTemplateData);
    const names = String(notification?.displayHeadlineMessageTemplate).match(/(?<=\{)\w+/g) ?? [];
    expect(names.filter((name) => data[name] === undefined)).toEqual([]);
  },
);

test("removing the assignee and the priority have keys of their own", async () => {
  const workspace = await startDiscussion();
  const update = (updatedData: object) =>
    changeAnnotations(workspace, "update", { updatedData, actionUser: ADA, ...BOTH });
  await update({ assignedTo: { userId: "alan" }, priority: "P0" });
  await update({ assignedTo: null });
  expect((await readMessages(workspace)).notification?.messageKey).toBe("notification.comment_annotation.unassign");
  await update({ priority: null });
  const { notification } = await readMessages(workspace);
  expect(notification?.messageKey).toBe("notification.comment_annotation.priority_remove");
});

test("several changes of one update have one key, and a template that names each", async () => {
  const workspace = await startDiscussion();
  const updatedData = { status: DONE, assignedTo: GRACE };
  await changeAnnotations(workspace, "update", { updatedData, actionUser: ADA, ...BOTH });
  expect((await readMessages(workspace)).notification).toMatchObject({
    messageKey: "notification.comment_annotation.update",
    displayHeadlineMessageTemplate:
      "{actionUser} resolved a discussion in {document} as {status} and assigned it to {assignee}",
  });
});

test("comments, mentions and deletions have the keys of their messages", async () => {
  const workspace = await startDiscussion();
  const readKeys = async () => {
    const { activity, notification } = await readMessages(workspace);
    return [activity?.messageKey, notification?.messageKey];
  };
  expect(await readKeys()).toEqual(["activity.comment_annotation.add", undefined]);
  await addComments(workspace, [{ from: ADA, ...BOTH }]);
  expect(await readKeys()).toEqual(["activity.comment.add", "notification.comment.add"]);
  const taggedUserContacts = [{ userId: "grace", text: "@grace" }];
  await changeComments(workspace, "update", {
    commentIds: [2],
    ...{ updatedData: { taggedUserContacts }, actionUser: ADA, triggerNotification: true },
  });
  expect(await readKeys()).toEqual(["activity.comment.add", "notification.comment.mention"]);
  await changeComments(workspace, "delete", { commentIds: [2], actionUser: ADA, triggerActivities: true });
  expect((await readKeys())[0]).toBe("activity.comment.delete");
  await changeAnnotations(workspace, "delete", { annotationIds: ["a"], actionUser: ADA, triggerActivities: true });
  expect((await readKeys())[0]).toBe("activity.comment_annotation.delete");
});
