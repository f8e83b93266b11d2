import { expect, test } from "vitest";
import { enableContext, grantPairs, removePairs } from "../../../test/access-context.ts";
import { addAnnotations, addComments, changeAnnotations } from "../../../test/comments.ts";
import { createDelivery, DELAY, delayNotifications, letPass } from "../../../test/delayed-notifications.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import { allowMails, countMails } from "../../../test/mails.ts";
import { addNotification, readNotificationIds, readNotifications } from "../../../test/notifications.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../test/user-data.ts";
import { MAIL_TRIGGERS } from "../../email/templates.ts";

let server: MailServer | undefined;
const service = await startOwnTestService(async () => {
  server = await startMailServer();
  return { smtpUrl: server.url };
});
const deliverDelayed = await createDelivery(service.database);
const { organizationId, documentId } = SCOPE;
const PROJECT = { project: "p1" };
const BOTH = { ...PROJECT, team: 7 };

async function comparing(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await enableContext(workspace);
  return workspace;
}

/** Creates a workspace with mails in which grace holds the pair of the project, and alan holds none. */
async function mailing(): Promise<TestWorkspace> {
  const workspace = await comparing();
  await allowMails(workspace, [...MAIL_TRIGGERS], { fromEmail: `${workspace.id}@example.com` });
  const users = ["ada", "grace", "alan"].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await workspace.data("/v2/users/add", { organizationId, users });
  await grantPairs(workspace, "grace", PROJECT);
  return workspace;
}

/** Returns who has got mails, once all queued ones are sent. */
async function mailed(workspace: TestWorkspace): Promise<(string | undefined)[]> {
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  const own = (server?.mails ?? []).filter(({ parsed }) => parsed.from?.address === `${workspace.id}@example.com`);
  return own.map(({ to }) => to[0]).sort();
}

function getInbox(workspace: TestWorkspace, userId: string) {
  return readNotifications(workspace, { userId });
}

async function getCount(workspace: TestWorkspace, userId: string): Promise<unknown> {
  return (await workspace.data("/v2/notifications/count/get", { organizationId, userIds: [userId] }))[userId];
}

test("a user reads and counts only the notifications of which they hold every pair, a backend reads all", async () => {
  const workspace = await comparing();
  await addNotification(workspace, "none", { context: { note: "kept" } });
  await addNotification(workspace, "project", { context: { access: PROJECT } });
  await addNotification(workspace, "both", { context: { access: BOTH, note: "kept" } });
  const scopes = [
    { userId: "grace" },
    { userId: "grace", documentId },
    { userId: "grace", notificationIds: ["none", "project", "both"] },
    { organizationId: undefined, documentId, userId: "grace" },
  ];
  const seen = async () => Promise.all(scopes.map((scope) => readNotificationIds(workspace, scope)));
  const everywhere = (ids: string[]) => scopes.map(() => ids);
  expect([await seen(), await getCount(workspace, "grace")]).toEqual([everywhere(["none"]), { total: 1, unread: 1 }]);
  await grantPairs(workspace, "grace", PROJECT);
  expect(await seen()).toEqual(everywhere(["none", "project"]));
  await grantPairs(workspace, "grace", { team: "7" });
  expect(await seen()).toEqual(everywhere(["none", "project", "both"]));
  await removePairs(workspace, "grace", PROJECT);
  expect([await seen(), await getCount(workspace, "grace")]).toEqual([everywhere(["none"]), { total: 1, unread: 1 }]);
  expect((await readNotifications(workspace)).map(({ context }) => context)).toEqual([
    { access: BOTH, accessFields: ["project:p1", "team:7"], note: "kept" },
    { access: PROJECT, accessFields: ["project:p1"] },
    { note: "kept" },
  ]);
  await enableContext(workspace, false);
  expect(await seen()).toEqual(everywhere(["none", "project", "both"]));
  expect(await getCount(workspace, "grace")).toEqual({ total: 3, unread: 3 });
});

test("the document in several organizations shows the notifications of the user's pairs in each", async () => {
  const workspace = await comparing();
  for (const organization of ["acme", "globex"]) {
    const context = { access: PROJECT };
    await addNotification(workspace, `of-${organization}`, { organizationId: organization, context });
  }
  await grantPairs(workspace, "grace", PROJECT);
  const scope = { organizationId: undefined, documentId, userId: "grace" };
  expect(await readNotificationIds(workspace, scope)).toEqual(["of-acme"]);
});

test("a page of an inbox is full, although notifications between are hidden", async () => {
  const workspace = await comparing();
  for (const id of ["1", "2", "3", "4"]) {
    await addNotification(workspace, id, { context: Number(id) % 2 ? {} : { access: PROJECT } });
  }
  const page = await workspace.result("/v2/notifications/get", { organizationId, userId: "grace", pageSize: 2 });
  expect([page.data.map(({ id }) => id), page.pageToken]).toEqual([["3", "1"], undefined]);
});

test("the pairs change with the context, by an update and by overwriting, and with nothing else", async () => {
  const workspace = await comparing();
  const update = (fields: object) =>
    workspace.data("/v2/notifications/update", { organizationId, documentId, notifications: { id: "n", ...fields } });
  const isSeen = async () => (await getInbox(workspace, "grace")).length === 1;
  await addNotification(workspace, "n");
  await update({ context: { access: PROJECT } });
  expect(await isSeen()).toBe(false);
  await update({ displayBodyMessage: "changed" });
  expect(await isSeen()).toBe(false);
  await update({ context: null });
  expect(await isSeen()).toBe(true);
  await addNotification(workspace, "n", { context: { access: PROJECT } });
  expect(await isSeen()).toBe(false);
  await addNotification(workspace, "n");
  expect(await isSeen()).toBe(true);
});

test("a comment notifies and mails only the users who hold its pairs, which its notification inherits", async () => {
  const workspace = await mailing();
  const tagged = ["grace", "alan"].map((userId) => ({ userId, text: `@${userId}` }));
  await addAnnotations(workspace, [
    {
      ...{ annotationId: "a", assignedTo: { userId: "alan" }, context: { access: PROJECT, note: "of the annotation" } },
      commentData: [{ from: { userId: "ada" }, triggerNotification: true, taggedUserContacts: tagged }],
    },
  ]);
  const [received] = await getInbox(workspace, "grace");
  expect(received?.context).toEqual({ access: PROJECT, accessFields: ["project:p1"] });
  const recipients = (await readNotifications(workspace)).map(({ notifyUsersByUserId }) => notifyUsersByUserId);
  expect(recipients).toEqual([{ grace: true }]);
  expect(await mailed(workspace)).toEqual(["grace@example.com"]);
  await removePairs(workspace, "grace", PROJECT);
  expect(await getInbox(workspace, "grace")).toEqual([]);
});

test("a notification is hidden by pairs that its annotation got later, and keeps those that it inherited", async () => {
  const workspace = await mailing();
  const taggedUserContacts = [{ userId: "grace" }, { userId: "alan" }];
  const commentData = [{ from: { userId: "ada" }, triggerNotification: true, taggedUserContacts }];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  const seeing = async () => {
    const inboxes = ["grace", "alan"].map(async (userId) => {
      const { length } = await getInbox(workspace, userId);
      expect(await getCount(workspace, userId)).toEqual({ total: length, unread: length });
      return length;
    });
    return Promise.all(inboxes);
  };
  const give = (context: object) => changeAnnotations(workspace, "update", { updatedData: { context } });
  expect(await seeing()).toEqual([1, 1]);
  await give({ access: PROJECT });
  expect(await seeing()).toEqual([1, 0]);
  expect((await readNotifications(workspace)).map(({ context }) => context)).toEqual([undefined]);
  const others = { organizationId: undefined, documentId, userId: "alan" };
  expect(await readNotificationIds(workspace, others)).toEqual([]);
  await give({ access: BOTH });
  expect(await seeing()).toEqual([0, 0]);
  await enableContext(workspace, false);
  expect(await seeing()).toEqual([1, 1]);
  await enableContext(workspace);
  await give({});
  expect(await seeing()).toEqual([1, 1]);
});

test("a change of an annotation and a tag in an updated comment leave out users who lack its pairs", async () => {
  const workspace = await mailing();
  await addAnnotations(workspace, [{ annotationId: "a", context: { access: PROJECT } }]);
  const actionUser = { userId: "ada" };
  for (const userId of ["alan", "grace"]) {
    const updatedData = { assignedTo: { userId } };
    await changeAnnotations(workspace, "update", { updatedData, actionUser, triggerNotification: true });
    const comments = { commentIds: [1], updatedData: { taggedUserContacts: [{ userId }] } };
    const request = { ...SCOPE, annotationId: "a", ...comments, actionUser, triggerNotification: true };
    await workspace.data("/v2/commentannotations/comments/update", request);
  }
  expect([(await getInbox(workspace, "alan")).length, (await getInbox(workspace, "grace")).length]).toEqual([0, 2]);
  expect(new Set(await mailed(workspace))).toEqual(new Set(["grace@example.com"]));
});

test("delayed notifications go to users who hold the pairs at the delivery, and digests need all pairs", async () => {
  const workspace = await mailing();
  await grantPairs(workspace, "alan", PROJECT);
  await addAnnotations(workspace, [
    { annotationId: "a", context: { access: PROJECT } },
    { annotationId: "b", context: { access: { project: "p2" } } },
  ]);
  await grantPairs(workspace, "grace", { project: "p2" });
  const window = { isEnabled: true, batchWindowSeconds: 600, maxActivities: 10 };
  await delayNotifications(workspace, { ...DELAY, batchConfig: { document: window } });
  for (const annotationId of ["a", "b"]) {
    const taggedUserContacts = [{ userId: "grace" }, { userId: "alan" }];
    await addComments(workspace, [{ taggedUserContacts, triggerNotification: true }], { annotationId });
  }
  await removePairs(workspace, "alan", PROJECT);
  for (let pass = 0; pass < 2; pass++) {
    await letPass(service.database, workspace, 1_300);
    await deliverDelayed(workspace);
  }
  const [digest, ...others] = await getInbox(workspace, "grace");
  expect([digest?.context, others, await getInbox(workspace, "alan")]).toEqual([
    { accessFields: ["project:p1", "project:p2"] },
    ...[[], []],
  ]);
  expect(await mailed(workspace)).toEqual(["grace@example.com"]);
  await removePairs(workspace, "grace", { project: "p2" });
  expect(await getInbox(workspace, "grace")).toEqual([]);
});

test("a pair that names a deleted user stays closed", async () => {
  const workspace = await comparing();
  const userId = "user-to-delete";
  await addNotification(workspace, "n", { context: { access: { owner: userId } } });
  await deleteUserDataAndWait(workspace, [userId]);
  expect(await findRowsContaining(service.database, [userId])).toEqual([]);
  expect((await readNotifications(workspace))[0]?.context).toEqual({
    ...{ access: { owner: "[deleted]" }, accessFields: ["owner:[deleted]"] },
  });
  expect(await getInbox(workspace, "grace")).toEqual([]);
});
