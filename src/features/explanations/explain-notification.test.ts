import { describe, expect, test } from "vitest";
import { enableContext } from "../../../test/access-context.ts";
import { addAnnotations, addComments, changeAnnotations } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { allowMails, countMails, insertUnsentMail } from "../../../test/mails.ts";
import { addNotification, addUsers, markAsRead, setConfig } from "../../../test/notifications.ts";
import { grant } from "../../../test/permissions.ts";
import { sql, uuid } from "../../database/sql.ts";
import type { MailTrigger } from "../../email/templates.ts";
import { unsubscribeUser } from "../notifications/config/notification-config-queries.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { explainNotification } from "./explain-notification.ts";

const { organizationId, documentId } = SCOPE;
const DISABLE = "/v2/organizations/access/disablestate/update";
const service = await startOwnTestService();

function explain(workspace: TestWorkspace, userId: string, notificationId = "n1") {
  return explainNotification(openOrganization(service.database, workspace, organizationId), { userId, notificationId });
}

/** Closes the document to users who have no permission on it. */
async function restrictDocument(workspace: TestWorkspace): Promise<void> {
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: [documentId], accessType: "restricted" },
  });
}

describe("inbox", () => {
  async function ruleFor(workspace: TestWorkspace, userId = "grace"): Promise<string> {
    return (await explain(workspace, userId)).inbox.rule;
  }

  test("a missing notification is not found", async () => {
    const workspace = await service.workspace();
    const { inbox, email } = await explain(workspace, "grace");
    const explanation = "Organization acme has no notification n1. It was never added, or deleted.";
    expect([inbox, email]).toEqual(Array(2).fill({ rule: "not-found", explanation }));
  });

  test("a notification is delivered, then read, and after a second delivery removed", async () => {
    const workspace = await service.workspace();
    await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }, { userId: "bob" }] });
    expect(await ruleFor(workspace)).toBe("delivered");
    await markAsRead(workspace, "n1", "grace");
    expect(await ruleFor(workspace)).toBe("read");
    await workspace.data("/v2/notifications/delete", { organizationId, userId: "bob" });
    expect(await ruleFor(workspace, "bob")).toBe("removed");
  });

  test("a delivered notification of a disabled organization cannot be read", async () => {
    const workspace = await service.workspace();
    await addNotification(workspace, "n1");
    await workspace.data(DISABLE, { organizationIds: [organizationId], disabled: true });
    const { rule, explanation } = (await explain(workspace, "grace")).inbox;
    expect(rule).toBe("organization-blocked");
    expect(explanation).toContain("the organization is disabled");
  });

  test("a delivered notification of a document that the user may not read is hidden", async () => {
    const workspace = await service.workspace();
    await addNotification(workspace, "n1");
    expect(await ruleFor(workspace)).toBe("delivered");
    await restrictDocument(workspace);
    expect(await ruleFor(workspace)).toBe("hidden");
  });

  test.each([
    ["acting-user", "ada", { notifyAll: true }],
    ["not-a-recipient", "bob", { notifyAll: false }],
    ["not-in-organization", "stranger", { notifyAll: true }],
  ])("%s excludes a user who is not named", async (rule, userId, fields) => {
    const workspace = await service.workspace();
    await addUsers(workspace, ["ada", "bob"]);
    await addNotification(workspace, "n1", fields);
    expect(await ruleFor(workspace, userId)).toBe(rule);
  });

  test("not-permitted excludes users who cannot read the document, named or not", async () => {
    const workspace = await service.workspace();
    await addUsers(workspace, ["grace", "bob"]);
    await addNotification(workspace, "earlier");
    await restrictDocument(workspace);
    await addNotification(workspace, "n1", { notifyAll: true, verifyUserPermissions: true });
    expect([await ruleFor(workspace), await ruleFor(workspace, "bob")]).toEqual(["not-permitted", "not-permitted"]);
    await grant(workspace, "bob", `document ${documentId}`);
    expect(await ruleFor(workspace, "bob")).toBe("changed-since");
  });

  test("a preference is named with its level", async () => {
    const workspace = await service.workspace();
    await addUsers(workspace, ["grace", "bob", "carol"]);
    await setConfig(workspace, ["grace"], { inbox: "NONE" }, [documentId]);
    await setConfig(workspace, ["bob"], { inbox: "MINE" });
    await setConfig(workspace, ["carol"], { inbox: "NONE" });
    await setConfig(workspace, ["carol"], { inbox: "MINE" }, [documentId]);
    await addNotification(workspace, "n1", { notifyAll: true });
    expect((await explain(workspace, "grace")).inbox).toEqual({
      rule: "preference-none",
      explanation: "The inbox preference is NONE for document contract-7: it lets nothing through.",
    });
    expect((await explain(workspace, "bob")).inbox).toEqual({
      rule: "preference-mine",
      explanation: "The inbox preference is MINE for the organization: it lets only events through that name the user.",
    });
    expect(await ruleFor(workspace, "carol")).toBe("preference-mine");
  });

  test("a later change of a preference is pointed out", async () => {
    const workspace = await service.workspace();
    await setConfig(workspace, ["grace"], { inbox: "NONE" });
    await addNotification(workspace, "n1");
    await service.database.run(
      sql`update notifications set created_at = created_at - 1000 where organization_key = ${uuid(getKey(workspace))}`,
    );
    expect((await explain(workspace, "grace")).inbox.explanation).toMatch(/: an earlier preference decided\.$/);
    await setConfig(workspace, ["grace"], { inbox: "ALL" });
    const { rule, explanation } = (await explain(workspace, "grace")).inbox;
    expect(rule).toBe("changed-since");
    expect(explanation).toMatch(/ The inbox preference was last set at \d{4}-/);
  });

  test("a user who joined later is not reached by notifyAll", async () => {
    const workspace = await service.workspace();
    await addNotification(workspace, "n1", { notifyAll: true });
    await addUsers(workspace, ["late"]);
    expect(await ruleFor(workspace, "late")).toBe("changed-since");
  });

  test("a notification of an earlier version does not say whether it was for all", async () => {
    const workspace = await service.workspace();
    await addNotification(workspace, "n1");
    await addUsers(workspace, ["bob"]);
    await service.database.run(
      sql`update notifications set notify_all = null where organization_key = ${uuid(getKey(workspace))}`,
    );
    const { rule, explanation } = (await explain(workspace, "bob")).inbox;
    expect(rule).toBe("not-a-recipient");
    expect(explanation).toContain("was not recorded");
  });
});

describe("email", () => {
  /**
   * Adds an annotation by ada, assigned to alan, and a reply by kurt that tags grace. Returns its notification of the
   * user, or one of others: those who are mentioned have another one than the rest.
   */
  async function reply(workspace: TestWorkspace, userId = "grace"): Promise<string> {
    const users = ["grace", "alan", "ada"].map((userId) => ({ userId, email: `${userId}@example.com` }));
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
    ["sent-or-given-up", "grace"],
    ["sent-or-given-up", "alan"],
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
    expect(await Promise.all(rules)).toEqual(["sent-or-given-up", "sent-or-given-up", "preference-mine"]);
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
    await insertUnsentMail(service.database, workspace, organizationId, documentId);
    await hide(workspace);
    const { inbox, email } = await explain(workspace, "grace", id);
    expect([inbox.rule, email.rule]).toEqual(["hidden", "hidden"]);
  });

  test("a queued mail and a disabled organization are reported", async () => {
    const workspace = await mailingWorkspace();
    const id = await reply(workspace);
    await emailFor(workspace, "grace", id);
    await insertUnsentMail(service.database, workspace, organizationId, documentId);
    expect((await explain(workspace, "grace", id)).email.rule).toBe("queued");
    await workspace.data(DISABLE, { organizationIds: [organizationId], disabled: true });
    expect((await explain(workspace, "grace", id)).email.rule).toBe("organization-blocked");
  });
});

function getKey(workspace: TestWorkspace): string {
  return organizationKey(workspace.id, organizationId);
}
