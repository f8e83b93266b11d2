import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, changeComments } from "../../../../test/comments.ts";
import {
  countDelayedRows,
  createDelivery,
  DELAY,
  delayNotifications,
  letPass,
} from "../../../../test/delayed-notifications.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { type MailServer, startMailServer } from "../../../../test/mail-server.ts";
import { allowMails, countMails } from "../../../../test/mails.ts";
import { addNotification, setConfig } from "../../../../test/notifications.ts";
import { MAIL_TRIGGERS } from "../../../email/templates.ts";

let server: MailServer | undefined;
const service = await startOwnTestService(async () => {
  server = await startMailServer();
  return { smtpUrl: server.url };
});
const { database } = service;
const deliverDelayed = await createDelivery(database);
const { organizationId, documentId } = SCOPE;
const WINDOW = { isEnabled: true, batchWindowSeconds: 600, maxActivities: 3 };

/** Creates a workspace with mails, and an annotation of ada's, that then delays notifications. */
async function workspaceWithDelays(config: Parameters<typeof delayNotifications>[1] = DELAY): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, [...MAIL_TRIGGERS], { fromEmail: `${workspace.id}@example.com` });
  const users = ["ada", "grace", "alan"].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await workspace.data("/v2/users/add", { organizationId, users });
  await addAnnotations(workspace, ["a"]);
  await delayNotifications(workspace, config);
  return workspace;
}

/** Adds replies of grace, which concern ada. */
function reply(workspace: TestWorkspace, texts: string[], more: object = {}) {
  const commentData = texts.map((commentText) => ({
    ...{ commentText, from: { userId: "grace", name: "Grace" }, triggerNotification: true },
    ...more,
  }));
  return addComments(workspace, commentData);
}

function getInbox(workspace: TestWorkspace, userId = "ada", document = documentId) {
  return workspace.data("/v2/notifications/get", { organizationId, documentId: document, userId, order: "asc" });
}

async function textsIn(workspace: TestWorkspace, userId = "ada"): Promise<unknown[]> {
  return (await getInbox(workspace, userId)).map(({ displayBodyMessage }) => displayBodyMessage);
}

/** Returns the recipients and subjects of the workspace's mails, once all queued ones are sent. */
async function sent(workspace: TestWorkspace): Promise<string[]> {
  await expect.poll(() => countMails(database, workspace)).toBe(0);
  const own = (server?.mails ?? []).filter(({ parsed }) => parsed.from?.address === `${workspace.id}@example.com`);
  return own.map(({ to, parsed }) => `${to[0]?.replace("@example.com", "")}: ${parsed.subject}`).sort();
}

/** Lets the seconds pass and the job run. */
async function after(workspace: TestWorkspace, seconds: number): Promise<void> {
  await letPass(database, workspace, seconds);
  await deliverDelayed(workspace);
}

test("a notification is delayed for delaySeconds, and then delivered to the inbox and by mail", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"]);
  await after(workspace, 540);
  expect([await textsIn(workspace), await sent(workspace)]).toEqual([[], []]);
  await after(workspace, 60);
  expect(await getInbox(workspace)).toMatchObject([
    {
      notificationSource: "comment",
      actionUser: { userId: "grace", name: "Grace" },
      displayHeadlineMessageTemplate: "{actionUser} commented",
      displayBodyMessage: "thirty days",
      notificationSourceData: { actionType: "comment.add", annotationId: "a", commentText: "thirty days" },
      notifyUsersByUserId: { ada: true },
    },
  ]);
  expect(await sent(workspace)).toEqual(["ada: Grace replied on contract-7"]);
  expect(await countDelayedRows(database, workspace)).toBe(0);
});

test("recipients of an event who are due together share one notification", async () => {
  const workspace = await workspaceWithDelays();
  const taggedUserContacts = ["alan", "emmy"].map((userId) => ({ userId, text: `@${userId}` }));
  await reply(workspace, ["thirty days"], { taggedUserContacts });
  await after(workspace, 600);
  expect(await getInbox(workspace, "emmy")).toEqual(await getInbox(workspace, "alan"));
  expect((await getInbox(workspace)).map((item) => item.displayHeadlineMessageTemplate)).toEqual([
    "{actionUser} commented",
  ]);
  expect(await sent(workspace)).toEqual([
    "ada: Grace replied on contract-7",
    "alan: Grace mentioned you on contract-7",
  ]);
});

function resolveByGrace(workspace: TestWorkspace) {
  const updatedData = { status: { id: "DONE", name: "Done", type: "terminal" as const }, priority: "P1" };
  const by = { actionUser: { userId: "grace" }, triggerNotification: true };
  return changeAnnotations(workspace, "update", { updatedData, ...by });
}

test("the changes of one update are delivered as one notification and one mail", async () => {
  const workspace = await workspaceWithDelays();
  await resolveByGrace(workspace);
  await after(workspace, 600);
  expect((await getInbox(workspace)).map((item) => item.displayHeadlineMessageTemplate)).toEqual([
    "{actionUser} resolved a discussion in {document} as {status} and changed its priority to {priority}",
  ]);
  expect(await sent(workspace)).toEqual(["ada: grace updated a comment on contract-7"]);
});

test("a digest counts the changes of one update once", async () => {
  const workspace = await workspaceWithDelays({ batchConfig: { document: WINDOW } });
  await resolveByGrace(workspace);
  await reply(workspace, ["one"]);
  await deliverDelayed(workspace);
  expect(await getInbox(workspace)).toEqual([]);
  await after(workspace, 600);
  expect(await getInbox(workspace)).toMatchObject([{ displayHeadlineMessageTemplateData: { count: "2" } }]);
  expect(await sent(workspace)).toEqual(["ada: 2 updates on contract-7"]);
});

test("notifications/add is not delayed", async () => {
  const workspace = await workspaceWithDelays();
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "ada" }] });
  expect(await getInbox(workspace)).toMatchObject([{ id: "n1" }]);
});

test("reading the annotation meanwhile drops the delayed notifications to that user, and only those", async () => {
  const workspace = await workspaceWithDelays();
  await changeAnnotations(workspace, "update", { updatedData: { readByUserIds: ["ada", "alan"] } });
  await reply(workspace, ["thirty days"], { taggedUserContacts: [{ userId: "alan", text: "@alan" }] });
  await letPass(database, workspace, 1);
  await changeAnnotations(workspace, "update", { updatedData: { readByUserIds: ["ada"] } });
  await after(workspace, 600);
  expect([await textsIn(workspace), await textsIn(workspace, "alan")]).toEqual([[], ["thirty days"]]);
  expect(await sent(workspace)).toEqual(["alan: Grace mentioned you on contract-7"]);
});

test("a change of status is dropped for a user who had read all comments and reads the annotation again", async () => {
  const workspace = await workspaceWithDelays();
  const read = { updatedData: { readByUserIds: ["ada"] } };
  await changeAnnotations(workspace, "update", read);
  const changed = { updatedData: { priority: "P0" }, actionUser: { userId: "grace" }, triggerNotification: true };
  await changeAnnotations(workspace, "update", changed);
  await letPass(database, workspace, 1);
  await changeAnnotations(workspace, "update", read);
  await after(workspace, 600);
  expect(await getInbox(workspace)).toEqual([]);
});

test("a reply of the recipient counts as reading", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"]);
  await letPass(database, workspace, 1);
  await addComments(workspace, [{ from: { userId: "ada" }, commentText: "agreed" }]);
  await after(workspace, 600);
  expect(await textsIn(workspace)).toEqual([]);
});

test.each([
  ["comment", (workspace: TestWorkspace) => changeComments(workspace, "delete", { commentIds: [2] })],
  ["annotation", (workspace: TestWorkspace) => changeAnnotations(workspace, "delete", {})],
  [
    "document",
    (workspace: TestWorkspace) =>
      workspace.data("/v2/organizations/documents/delete", { organizationId, documentIds: [documentId] }),
  ],
])("delayed notifications about a deleted %s are dropped", async (_what, remove) => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"]);
  await remove(workspace);
  await after(workspace, 600);
  expect(await getInbox(workspace)).toEqual([]);
  expect([await countDelayedRows(database, workspace), await sent(workspace)]).toEqual([0, []]);
});

test("a comment that is changed meanwhile is delivered with its new text", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"]);
  await changeComments(workspace, "update", { commentIds: [2], updatedData: { commentText: "sixty days" } });
  await after(workspace, 600);
  expect(await textsIn(workspace)).toEqual(["sixty days"]);
});

test("the preferences and the mail settings at the time of the delivery decide", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"], { taggedUserContacts: [{ userId: "alan", text: "@alan" }] });
  await setConfig(workspace, ["alan"], { inbox: "NONE" });
  await setConfig(workspace, ["ada"], { email: "MINE" });
  await after(workspace, 600);
  expect([await textsIn(workspace), await textsIn(workspace, "alan")]).toEqual([["thirty days"], []]);
  expect(await sent(workspace)).toEqual(["alan: Grace mentioned you on contract-7"]);
});

test("a delayed notification is delivered on time if the settings are turned off, and later ones at once", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["delayed"]);
  await delayNotifications(workspace, { delayConfig: { isEnabled: false } });
  await reply(workspace, ["at once"]);
  expect(await textsIn(workspace)).toEqual(["at once"]);
  await workspace.data("/v2/workspace/notificationconfig/update", { useNotificationService: false });
  await reply(workspace, ["never"]);
  await after(workspace, 600);
  expect(await textsIn(workspace)).toEqual(["at once", "delayed"]);
});

test("a disabled organization delivers nothing, and what was due is delivered once it is enabled", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"]);
  const disable = (disabled: boolean) =>
    workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: [organizationId], disabled });
  await disable(true);
  await after(workspace, 600);
  expect(await countDelayedRows(database, workspace)).toBe(1);
  await disable(false);
  await expect.poll(() => textsIn(workspace)).toEqual(["thirty days"]);
});

test("what is due in a disabled document is delivered once it is enabled", async () => {
  const workspace = await workspaceWithDelays();
  await reply(workspace, ["thirty days"]);
  const path = "/v2/organizations/documents/access/disablestate/update";
  await workspace.data(path, { organizationId, documentIds: [documentId], disabled: true });
  await after(workspace, 600);
  expect(await countDelayedRows(database, workspace)).toBe(1);
  await workspace.data(path, { organizationId, documentIds: [documentId], disabled: false });
  await expect.poll(() => textsIn(workspace)).toEqual(["thirty days"]);
});

test("the window of a document collects, and ends with a digest in the inbox and one mail", async () => {
  const workspace = await workspaceWithDelays({ batchConfig: { document: { ...WINDOW, maxActivities: 50 } } });
  await reply(workspace, ["one"]);
  await after(workspace, 300);
  await reply(workspace, ["two"], { from: { userId: "alan", name: "Alan" } });
  await after(workspace, 240);
  expect(await getInbox(workspace)).toEqual([]);
  await after(workspace, 60);
  expect(await getInbox(workspace)).toMatchObject([
    {
      actionUser: { userId: "alan" },
      displayHeadlineMessageTemplateData: { count: "2", actionUser: { userId: "alan" } },
      notificationSourceData: {
        actionType: "comment.digest",
        activities: [
          { annotationId: "a", annotationNumber: 1, commentId: 2, actionUser: { userId: "grace" } },
          { annotationId: "a", annotationNumber: 1, commentId: 3, actionUser: { userId: "alan" } },
        ],
      },
    },
  ]);
  expect(await sent(workspace)).toEqual(["ada: 2 updates on contract-7"]);
  const digest = server?.mails.findLast(({ parsed }) => parsed.subject === "2 updates on contract-7");
  expect(digest?.parsed.text).toMatch(/Grace replied on contract-7\.\s+> one\s+Alan replied on contract-7\.\s+> two/);
});

test("a window ends at once when it has maxActivities, and what is left over waits in the next one", async () => {
  const workspace = await workspaceWithDelays({ batchConfig: { document: WINDOW } });
  await reply(workspace, ["one", "two", "three", "four"]);
  await deliverDelayed(workspace);
  const [digest, ...others] = await getInbox(workspace);
  expect(Object(digest?.notificationSourceData).activities).toHaveLength(3);
  expect(others).toEqual([]);
  await after(workspace, 600);
  expect(await textsIn(workspace)).toEqual([undefined, "four"]);
});

test("the window of a user collects in all documents, and delivers a batch for each of them", async () => {
  const workspace = await workspaceWithDelays({ batchConfig: { user: WINDOW } });
  await addAnnotations(workspace, ["b"], { documentId: "contract-8" });
  const replyThere = { annotationId: "b", documentId: "contract-8" };
  await reply(workspace, ["one", "two"]);
  await deliverDelayed(workspace);
  expect(await getInbox(workspace)).toEqual([]);
  const comment = { from: { userId: "grace" }, commentText: "b", triggerNotification: true };
  await addComments(workspace, [comment], replyThere);
  await deliverDelayed(workspace);
  expect(await getInbox(workspace)).toMatchObject([{ notificationSourceData: { actionType: "comment.digest" } }]);
  expect(await getInbox(workspace, "ada", "contract-8")).toMatchObject([{ displayBodyMessage: "b" }]);
});

test("a delay comes before the windows, in which reading still drops", async () => {
  const workspace = await workspaceWithDelays({ ...DELAY, batchConfig: { document: WINDOW } });
  await reply(workspace, ["one", "two"]);
  await after(workspace, 600);
  await changeAnnotations(workspace, "update", { updatedData: { readByUserIds: ["ada"] } });
  await reply(workspace, ["three"]);
  await after(workspace, 540);
  expect(await textsIn(workspace)).toEqual([]);
  await after(workspace, 660);
  expect(await textsIn(workspace)).toEqual(["three"]);
});
