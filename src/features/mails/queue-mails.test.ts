import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import { allowMails, countMails, openMailQueue, recipient } from "../../../test/mails.ts";
import { setConfig } from "../../../test/notifications.ts";
import { grant } from "../../../test/permissions.ts";
import { runSql } from "../../../test/run-sql.ts";
import { sql, uuid } from "../../database/sql.ts";
import { MAIL_TRIGGERS } from "../../email/templates.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const { organizationId, documentId } = SCOPE;
let server: MailServer | undefined;
const service = await startOwnTestService(async ({ limits }) => {
  server = await startMailServer();
  return { smtpUrl: server.url, limits: { ...limits, jobPollSeconds: 0.5 } };
});
const queueMail = await openMailQueue(service.database);

/** Creates a workspace with a sender address of its own, which identifies its mails. */
async function sendingWorkspace() {
  const workspace = await service.publicWorkspace();
  const fromEmail = `${workspace.id}@example.com`;
  await allowMails(workspace, [...MAIL_TRIGGERS], { fromEmail, fromCompany: "Acme" });
  const mails = () => (server?.mails ?? []).filter(({ parsed }) => parsed.from?.address === fromEmail);
  return { workspace, mails };
}

/** Stores users as earlier versions did, with any text as their address. */
async function storeUsers(workspace: TestWorkspace, users: { userId: string; email: string }[]) {
  await workspace.data("/v2/users/add", { organizationId, users: users.map(({ userId }) => ({ userId })) });
  for (const user of users) {
    await runSql(service.database, "update users set record = $3 where organization_key = $1 and user_id = $2", [
      ...[organizationKey(workspace.id, organizationId), user.userId, JSON.stringify(user)],
    ]);
  }
}

/** Waits until the workspace has no unsent mails. */
async function untilMailsSent(workspace: TestWorkspace) {
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
}

test.each(MAIL_TRIGGERS)(
  "%s is mailed to a concerned user, with the names of the user and the workspace",
  async (trigger) => {
    const { workspace, mails } = await sendingWorkspace();
    const users = [{ userId: "grace", name: "Grace Hopper", email: "grace@navy.example" }];
    await workspace.data("/v2/users/add", { organizationId, users });
    const documents = [{ documentId, documentName: "Contract 7" }];
    await workspace.data("/v2/organizations/documents/add", { organizationId, documents });
    await queueMail(workspace, { trigger, commentText: "Is §4 right?", about: { from: "Open", to: "Done" } });
    await expect.poll(() => mails().map(({ to }) => to)).toEqual([["grace@navy.example"]]);
    expect(mails()[0]?.parsed).toMatchObject({
      from: { name: "Acme" },
      to: [{ name: "Grace Hopper", address: "grace@navy.example" }],
      subject: expect.stringMatching(/^Ada Lovelace .* Contract 7/),
      text: expect.stringContaining("> Is §4 right?"),
      html: expect.stringContaining("Is §4 right?"),
    });
    await untilMailsSent(workspace);
  },
);

test("nothing is queued while the email service or the trigger is off", async () => {
  const workspace = await service.publicWorkspace();
  await queueMail(workspace);
  await allowMails(workspace, ["comment_annotation.add"]);
  await queueMail(workspace);
  await workspace.data("/v2/workspace/emailconfig/update", {
    useEmailService: false,
    emailServiceConfig: { triggers: { "comment.add": true } },
  });
  await queueMail(workspace);
  expect(await service.database.run(sql`select from mails where workspace_id = ${uuid(workspace.id)}`)).toEqual([]);
});

test("the email preference ALL lets every event through, MINE those that concern the user, NONE no event", async () => {
  const { workspace, mails } = await sendingWorkspace();
  for (const email of ["ALL", "MINE", "NONE"] as const) {
    await setConfig(workspace, [`${email}-document`, `${email}-document-other`], { email }, [documentId]);
    await setConfig(workspace, [`${email}-organization`, `${email}-organization-other`], { email });
  }
  const levels = ["ALL", "MINE", "NONE"].flatMap((email) => [`${email}-document`, `${email}-organization`]);
  const recipients = ["unset", ...levels].flatMap((userId) => [
    recipient(userId),
    recipient(`${userId}-other`, { isConcerned: false }),
  ]);
  await queueMail(workspace, { recipients });
  await untilMailsSent(workspace);
  const reached = mails().map(({ to }) => to[0]?.replace("@example.com", ""));
  const both = ["unset", "ALL-document", "ALL-organization"].flatMap((userId) => [userId, `${userId}-other`]);
  expect(reached.sort()).toEqual([...both, "MINE-document", "MINE-organization"].sort());
});

test("the document's email preference overrides the organization's; inbox preferences do not apply", async () => {
  const { workspace, mails } = await sendingWorkspace();
  await setConfig(workspace, ["grace", "alan"], { email: "NONE", inbox: "ALL" });
  await setConfig(workspace, ["grace"], { email: "ALL", inbox: "NONE" }, [documentId]);
  await queueMail(workspace, { recipients: [recipient("grace"), recipient("alan")] });
  await untilMailsSent(workspace);
  expect(mails().map(({ to }) => to)).toEqual([["grace@example.com"]]);
});

test("a mail states why this recipient gets it", async () => {
  const { workspace, mails } = await sendingWorkspace();
  const recipients = [recipient("grace"), recipient("alan"), recipient("emmy", { isConcerned: false })];
  await queueMail(workspace, { recipients, about: { tagged: [{ userId: "grace" }] } });
  await untilMailsSent(workspace);
  const reasons = mails().map(({ to, parsed }) => [to[0], /because (.*)\. To/.exec(parsed.text ?? "")?.[1]]);
  expect(Object.fromEntries(reasons)).toEqual({
    "grace@example.com": "you were mentioned",
    "alan@example.com": "the comment is assigned to you",
    "emmy@example.com": "you take part in the conversation",
  });
});

test("the acting user gets no mail, a repeated recipient one, and a user without an address none", async () => {
  const { workspace, mails } = await sendingWorkspace();
  const users = [
    { userId: "hostile", email: "a@b.cd\r\nBcc: eve@example.com" },
    { userId: "numeric", email: "7" },
  ];
  await storeUsers(workspace, users);
  await setConfig(workspace, ["grace"], { email: "MINE" });
  await queueMail(workspace, {
    recipients: [
      recipient("ada"),
      recipient("grace", { isConcerned: false }),
      recipient("grace"),
      ...["hostile", "numeric", "unknown"].map((userId) => ({ userId, isConcerned: true })),
      recipient("injected", { email: "x@example.com>\r\nRCPT TO:<eve@example.com" }),
    ],
  });
  await untilMailsSent(workspace);
  expect(mails().map(({ to }) => to)).toEqual([["grace@example.com"]]);
});

test("white space around a stored address is ignored", async () => {
  const { workspace, mails } = await sendingWorkspace();
  await storeUsers(workspace, [{ userId: "blank", email: "\u00a0 blank@example.com\n" }]);
  const recipients = [{ userId: "blank", isConcerned: true }, recipient("event", { email: " event@example.com " })];
  await queueMail(workspace, { recipients });
  await untilMailsSent(workspace);
  const addresses = mails().flatMap(({ to }) => to);
  expect(addresses.toSorted()).toEqual(["blank@example.com", "event@example.com"]);
});

test("a user who may not read the document gets no mail", async () => {
  const { workspace, mails } = await sendingWorkspace();
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  const access = { organizationId, documentIds: [documentId], accessType: "restricted" as const };
  await workspace.data("/v2/organizations/documents/access/update", access);
  await grant(workspace, "grace", `document ${documentId}`, "viewer", { organizationId });
  await queueMail(workspace, { recipients: [recipient("alan"), recipient("grace")] });
  await untilMailsSent(workspace);
  expect(mails().map(({ to }) => to)).toEqual([["grace@example.com"]]);
});

test("hostile names and texts arrive as plain text, without further recipients, headers or markup", async () => {
  const { workspace, mails } = await sendingWorkspace();
  const hostile = `<img src=x onerror="alert(1)">\r\nBcc: eve@example.com\u0000\ud800`;
  await queueMail(workspace, {
    actor: { userId: "ada", name: hostile },
    recipients: [recipient("__proto__", { name: hostile, email: "grace@example.com" })],
    commentText: hostile,
  });
  await untilMailsSent(workspace);
  const [mail] = mails();
  expect(mail?.to).toEqual(["grace@example.com"]);
  expect(mail?.parsed.bcc).toBeUndefined();
  expect(mail?.parsed.html).not.toContain("<img");
  expect(mail?.parsed.headers.map(({ key }) => key)).not.toContain("bcc");
});

test("a rolled back transaction sends nothing", async () => {
  const { workspace, mails } = await sendingWorkspace();
  const recipients = [recipient("grace"), recipient("broken", { userId: "\0" })];
  await expect(queueMail(workspace, { recipients })).rejects.toThrow();
  await queueMail(workspace, { recipients: [recipient("alan")] });
  await expect.poll(() => mails().map(({ to }) => to)).toEqual([["alan@example.com"]]);
});

test("no mail of a disabled organization is sent", async () => {
  const { workspace, mails } = await sendingWorkspace();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: true });
  await queueMail(workspace, { organizationId: "off" });
  await untilMailsSent(workspace);
  expect(mails()).toEqual([]);
});
