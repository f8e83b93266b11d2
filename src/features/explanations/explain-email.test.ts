import { expect, onTestFinished, test } from "vitest";
import { enableContext } from "../../../test/access-context.ts";
import { addAnnotations, addComments, changeAnnotations } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { smtpError, startMailServer } from "../../../test/mail-server.ts";
import { allowMails, allowReplyMails, countMails } from "../../../test/mails.ts";
import { addNotification, setConfig } from "../../../test/notifications.ts";
import { sql, text, uuid } from "../../database/sql.ts";
import type { MailTrigger } from "../../email/templates.ts";
import { unsubscribeUser } from "../notifications/config/notification-config-queries.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { explainNotification } from "./explain-notification.ts";

const { organizationId, documentId } = SCOPE;
const DISABLE = "/v2/organizations/access/disablestate/update";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

function explain(workspace: TestWorkspace, userId: string, notificationId = "n1") {
  return explainNotification(openOrganization(service.database, workspace, organizationId), { userId, notificationId });
}

/**
 * Adds an annotation by ada, assigned to alan, and a reply by kurt that tags grace. Returns its notification of the
 * user, or one of others: those who are mentioned have another one than the rest.
 */
async function reply(workspace: TestWorkspace, userId = "grace"): Promise<string> {
  const users = ["grace", "alan", "ada"].map((userId) => ({
    ...{ userId, email: `${userId}@example.com` },
    accessRole: "editor" as const,
  }));
  await workspace.data("/v2/users/add", { organizationId, users });
  await addAnnotations(workspace, [{ annotationId: "a", assignedTo: { userId: "alan" } }]);
  const taggedUserContacts = ["grace", "unreachable"].map((userId) => ({ userId }));
  await addComments(workspace, [{ from: { userId: "kurt" }, taggedUserContacts, triggerNotification: true }]);
  return findNotification(workspace, userId);
}

async function findNotification(workspace: TestWorkspace, userId: string): Promise<string> {
  const added = await workspace.data("/v2/notifications/get", { organizationId, documentId });
  const found = added.find(({ notifyUsersByUserId = {} }) => Object.hasOwn(notifyUsersByUserId, userId));
  return (found ?? added[0])?.id ?? "";
}

async function mailingWorkspace(triggers: MailTrigger[] = ["comment.add"]) {
  const workspace = await service.workspace();
  await allowMails(workspace, triggers);
  return workspace;
}

async function emailFor(workspace: TestWorkspace, userId: string, notificationId: string) {
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  return (await explain(workspace, userId, notificationId)).email;
}

test("a notification of the API sends no mail", async () => {
  const workspace = await mailingWorkspace();
  await addNotification(workspace, "n1");
  expect((await explain(workspace, "grace")).email).toEqual({
    rule: "no-mail-event",
    explanation: "The notification was added by the API. Only comment events send mail.",
  });
});

test("an event without a mail trigger sends no mail", async () => {
  const workspace = await mailingWorkspace();
  const notificationSourceData = { actionType: "comment.update", annotationId: "a" };
  await addNotification(workspace, "n1", { notificationSource: "comment", notificationSourceData });
  const { rule, explanation } = (await explain(workspace, "grace")).email;
  expect([rule, explanation]).toEqual(["no-mail-event", "Events of type comment.update send no mail."]);
});

test("the email service and the trigger must be on", async () => {
  const workspace = await service.workspace();
  const id = await reply(workspace);
  expect((await emailFor(workspace, "grace", id)).rule).toBe("email-service-off");
  await allowMails(workspace, ["comment_annotation.add"]);
  const { rule, explanation } = await emailFor(workspace, "grace", id);
  expect(rule).toBe("trigger-off");
  expect(explanation).toContain("comment.add");
});

test.each([
  ["sent", "grace"],
  ["sent", "alan"],
  ["acting-user", "kurt"],
  ["not-a-recipient", "stranger"],
  ["no-address", "unreachable"],
])("%s explains the mail to %s", async (rule, userId) => {
  const workspace = await mailingWorkspace();
  expect((await emailFor(workspace, userId, await reply(workspace, userId))).rule).toBe(rule);
});

test("MINE requires that the user is tagged or assigned", async () => {
  const workspace = await mailingWorkspace();
  await setConfig(workspace, ["grace", "alan", "ada"], { email: "MINE" });
  await reply(workspace);
  const rules = ["grace", "alan", "ada"].map(async (userId) => {
    return (await emailFor(workspace, userId, await findNotification(workspace, userId))).rule;
  });
  expect(await Promise.all(rules)).toEqual(["sent", "sent", "preference-mine"]);
});

test("NONE for the document is distinguished from an unsubscription", async () => {
  const workspace = await mailingWorkspace();
  await setConfig(workspace, ["grace"], { email: "NONE" }, [documentId]);
  const id = await reply(workspace);
  expect(await emailFor(workspace, "grace", id)).toMatchObject({
    rule: "preference-none",
    explanation: "The email preference is NONE for document contract-7: it lets nothing through.",
  });
  await unsubscribeUser(openOrganization(service.database, workspace, "acme"), "grace");
  expect(await emailFor(workspace, "grace", id)).toMatchObject({ rule: "unsubscribed" });
  await setConfig(workspace, ["grace"], { email: "NONE" });
  expect(await emailFor(workspace, "grace", id)).toMatchObject({ rule: "preference-none" });
});

test.each([
  [
    "a private annotation",
    (workspace: TestWorkspace) =>
      changeAnnotations(workspace, "update", {
        updatedData: { visibility: { type: "restricted" as const, userIds: ["alan"] } },
      }),
  ],
  [
    "a restricted document",
    (workspace: TestWorkspace) =>
      workspace.data("/v2/organizations/documents/access/update", {
        ...{ organizationId, documentIds: [documentId], accessType: "restricted" as const },
      }),
  ],
  [
    "a context of the annotation",
    async (workspace: TestWorkspace) => {
      await enableContext(workspace);
      await changeAnnotations(workspace, "update", { updatedData: { context: { access: { team: "legal" } } } });
    },
  ],
])("%s withholds the mail as it hides the notification", async (_what, hide) => {
  const workspace = await mailingWorkspace();
  const id = await reply(workspace);
  await emailFor(workspace, "grace", id);
  await setMailState(workspace, "queued");
  await hide(workspace);
  const { inbox, email } = await explain(workspace, "grace", id);
  expect([inbox.rule, email.rule]).toEqual(["hidden", "hidden"]);
});

test("what became of the mail precedes the present settings, and its server is quoted", async () => {
  const workspace = await service.workspace();
  const server = await startMailServer({
    options: {
      onRcptTo({ address }, _session, done) {
        done(address.startsWith("grace") ? smtpError(550, "mailbox unavailable: suppressed after bounce") : null);
      },
    },
  });
  onTestFinished(() => server.close());
  await allowReplyMails(workspace, server.url);
  const id = await reply(workspace);
  expect(await emailFor(workspace, "grace", id)).toEqual({
    rule: "rejected",
    explanation: expect.stringMatching(
      /^The mail server refused the mail at 2.*Z, so it was given up. 550 mailbox .*: suppressed after bounce.$/,
    ),
  });
  await setConfig(workspace, ["grace", "alan"], { email: "NONE" });
  expect((await emailFor(workspace, "grace", id)).rule).toBe("rejected");
  const toAlan = await emailFor(workspace, "alan", await findNotification(workspace, "alan"));
  expect(toAlan).toEqual({ rule: "sent", explanation: expect.stringMatching(/^The mail was sent at 2.*Z.$/) });
});

test("an event without a mail in the log is unrecorded, also if a mail about another event is in it", async () => {
  const workspace = await service.workspace();
  const id = await reply(workspace, "alan");
  await allowMails(workspace, ["comment.add", "comment_annotation.status_change"]);
  const status = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };
  await changeAnnotations(workspace, "update", { updatedData: { status }, actionUser: { userId: "kurt" } });
  await expect.poll(() => workspace.data("/v2/workspace/mails/get", {})).not.toEqual([]);
  expect(await emailFor(workspace, "alan", id)).toMatchObject({ rule: "unrecorded" });
});

test("a queued mail and a disabled organization are reported", async () => {
  const workspace = await mailingWorkspace();
  const id = await reply(workspace);
  await emailFor(workspace, "grace", id);
  await setMailState(workspace, "queued");
  expect((await explain(workspace, "grace", id)).email.rule).toBe("queued");
  await workspace.data(DISABLE, { organizationIds: [organizationId], disabled: true });
  expect((await explain(workspace, "grace", id)).email.rule).toBe("organization-blocked");
});

/** Sets the state of all mails to one that they have only for a moment, or after hours. */
async function setMailState(workspace: TestWorkspace, state: string): Promise<void> {
  await service.database.run(
    sql`update mail_deliveries set state = ${text(state)} where organization_key = ${uuid(getKey(workspace))}`,
  );
}

function getKey(workspace: TestWorkspace): string {
  return organizationKey(workspace.id, organizationId);
}
