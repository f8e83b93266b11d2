import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, addUsers, markAsRead, setConfig } from "../../../test/notifications.ts";
import { grant } from "../../../test/permissions.ts";
import { sql, uuid } from "../../database/sql.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { explainNotification } from "./explain-notification.ts";

const { organizationId, documentId } = SCOPE;
const DISABLE = "/v2/organizations/access/disablestate/update";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

function explain(workspace: TestWorkspace, userId: string, notificationId = "n1") {
  return explainNotification(openOrganization(service.database, workspace, organizationId), { userId, notificationId });
}

/** Closes the document to users who have no permission on it. */
async function restrictDocument(workspace: TestWorkspace): Promise<void> {
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: [documentId], accessType: "restricted" },
  });
}

async function ruleFor(workspace: TestWorkspace, userId = "grace"): Promise<string> {
  return (await explain(workspace, userId)).inbox.rule;
}

test("a missing notification is not found", async () => {
  const workspace = await service.publicWorkspace();
  const { inbox, email } = await explain(workspace, "grace");
  const explanation = "Organization acme has no notification n1. It was never added, or deleted.";
  expect([inbox, email]).toEqual(Array(2).fill({ rule: "not-found", explanation }));
});

test("a notification is delivered, then read, and after a second delivery removed", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "grace" }, { userId: "bob" }] });
  expect(await ruleFor(workspace)).toBe("delivered");
  await markAsRead(workspace, "n1", "grace");
  expect(await ruleFor(workspace)).toBe("read");
  await workspace.data("/v2/notifications/delete", { organizationId, userId: "bob" });
  expect(await ruleFor(workspace, "bob")).toBe("removed");
});

test("a delivered notification of a disabled organization cannot be read", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  await workspace.data(DISABLE, { organizationIds: [organizationId], disabled: true });
  const { rule, explanation } = (await explain(workspace, "grace")).inbox;
  expect(rule).toBe("organization-blocked");
  expect(explanation).toContain("the organization is disabled");
});

test("a delivered notification of a document that the user may not read is hidden", async () => {
  const workspace = await service.publicWorkspace();
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
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["ada", "bob"]);
  await addNotification(workspace, "n1", fields);
  expect(await ruleFor(workspace, userId)).toBe(rule);
});

test("not-permitted excludes users who cannot read the document, named or not", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["grace", "bob"]);
  await addNotification(workspace, "earlier");
  await restrictDocument(workspace);
  await addNotification(workspace, "n1", { notifyAll: true, verifyUserPermissions: true });
  expect([await ruleFor(workspace), await ruleFor(workspace, "bob")]).toEqual(["not-permitted", "not-permitted"]);
  await grant(workspace, "bob", `document ${documentId}`);
  expect(await ruleFor(workspace, "bob")).toBe("changed-since");
});

test("a preference is named with its level", async () => {
  const workspace = await service.publicWorkspace();
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
  const workspace = await service.publicWorkspace();
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
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1", { notifyAll: true });
  await addUsers(workspace, ["late"]);
  expect(await ruleFor(workspace, "late")).toBe("changed-since");
});

test("a notification of an earlier version does not say whether it was for all", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  await addUsers(workspace, ["bob"]);
  await service.database.run(
    sql`update notifications set notify_all = null where organization_key = ${uuid(getKey(workspace))}`,
  );
  const { rule, explanation } = (await explain(workspace, "bob")).inbox;
  expect(rule).toBe("not-a-recipient");
  expect(explanation).toContain("was not recorded");
});

function getKey(workspace: TestWorkspace): string {
  return organizationKey(workspace.id, organizationId);
}
