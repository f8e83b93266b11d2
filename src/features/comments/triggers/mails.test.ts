import { expect, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, changeComments, comment } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { type MailServer, startMailServer } from "../../../../test/mail-server.ts";
import { allowMails, countMails } from "../../../../test/mails.ts";
import { setConfig } from "../../../../test/notifications.ts";
import { MAIL_TRIGGERS } from "../../../email/templates.ts";

const ADA = { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" };
let server: MailServer | undefined;
const service = await startOwnTestService(async () => {
  server = await startMailServer();
  return { smtpUrl: server.url };
});

/** Creates a workspace with ada, grace and alan that sends mails from its own address. */
async function sendingWorkspace(triggers = [...MAIL_TRIGGERS]) {
  const workspace = await service.publicWorkspace();
  const fromEmail = `${workspace.id}@example.com`;
  await allowMails(workspace, triggers, { fromEmail });
  const users = ["ada", "grace", "alan"].map((userId) => ({ userId, email: `${userId}@example.com` }));
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  return { workspace, sent: () => sentFrom(workspace, fromEmail) };
}

/** Returns the recipient and subject of each mail, sorted by recipient, once all queued mails are sent. */
async function sentFrom(workspace: TestWorkspace, fromEmail: string): Promise<string[]> {
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  const own = (server?.mails ?? []).filter(({ parsed }) => parsed.from?.address === fromEmail);
  return own.map(({ to, parsed }) => `${to[0]?.replace("@example.com", "")}: ${parsed.subject}`).sort();
}

function tagging(...userIds: string[]) {
  return { taggedUserContacts: userIds.map((userId) => ({ userId, text: `@${userId}` })) };
}

test("a comment that tags a user sends one mail, even without a trigger in the call", async () => {
  const { workspace, sent } = await sendingWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: ADA, ...tagging("grace") })] }]);
  expect(await sent()).toEqual(["grace: Ada Lovelace mentioned you on contract-7"]);
});

test("a reply is mailed once to each tagged user, assignee and participant, but not to its author", async () => {
  const { workspace, sent } = await sendingWorkspace(["comment.add"]);
  await addAnnotations(workspace, [{ annotationId: "a", assignedTo: { userId: "alan" } }]);
  const contact = { name: "Kurt", email: "kurt@example.com" };
  const taggedUserContacts = [{ userId: "kurt", contact }, { userId: "alan" }];
  await addComments(workspace, [{ from: { userId: "grace" }, taggedUserContacts }]);
  expect(await sent()).toEqual([
    "ada: grace replied on contract-7",
    "alan: grace mentioned you on contract-7",
    "kurt: grace mentioned you on contract-7",
  ]);
});

test("the changes of one update make one mail to each recipient, if the call has `actionUser`", async () => {
  const { workspace, sent } = await sendingWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", priority: "P1" }]);
  const assignedTo = { userId: "alan" };
  const updatedData = {
    status: { id: "DONE", name: "Done", type: "terminal" as const },
    assignedTo,
    priority: { id: "P0" },
  };
  await changeAnnotations(workspace, "update", { updatedData: { status: { id: "HALF" } } });
  await changeAnnotations(workspace, "update", { updatedData, actionUser: { userId: "grace" } });
  await changeAnnotations(workspace, "update", { updatedData, actionUser: { userId: "grace" } });
  expect(await sent()).toEqual(["ada", "alan"].map((userId) => `${userId}: grace updated a comment on contract-7`));
  const toAlan = server?.mails.filter(({ to }) => to[0] === "alan@example.com").at(-1)?.parsed.text;
  expect(toAlan).toContain("grace resolved a comment on contract-7 as Done.");
  expect(toAlan).toContain("grace assigned a comment on contract-7 to you.");
  expect(toAlan).toContain("grace changed the priority of a comment on contract-7 from P1 to P0.");
});

test("NONE gets no mail, MINE no mail of replies without a tag, and a trigger that is off sends none", async () => {
  const { workspace, sent } = await sendingWorkspace(["comment.add"]);
  await setConfig(workspace, ["grace"], { email: "NONE" });
  await setConfig(workspace, ["ada"], { email: "MINE" });
  const commentData = [comment({ from: ADA, ...tagging("grace", "alan") })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  await addComments(workspace, [{ from: { userId: "kurt" }, ...tagging("grace", "alan") }]);
  await changeComments(workspace, "update", { commentIds: [1], updatedData: tagging("ada", "grace") });
  expect(await sent()).toEqual(["alan: kurt mentioned you on contract-7"]);
});

test("names of the acting user and the assignee that the call omits are taken from their records", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const users = [
    { userId: "carol", name: "Cärol" },
    { userId: "alan", name: "Alan Turing" },
  ];
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  await addAnnotations(workspace, ["a"]);
  await addComments(workspace, [{ from: { userId: "carol" } }]);
  const updatedData = { assignedTo: { userId: "alan" } };
  await changeAnnotations(workspace, "update", { updatedData, actionUser: { userId: "carol" } });
  expect(await sent()).toEqual([
    "ada: Cärol assigned a comment on contract-7 to Alan Turing",
    "ada: Cärol replied on contract-7",
  ]);
});

test("an update of the settings takes effect with its response", async () => {
  const { workspace, sent } = await sendingWorkspace([]);
  await addAnnotations(workspace, ["a"]);
  await addComments(workspace, [{ from: { userId: "grace" } }]);
  await allowMails(workspace, ["comment.add"]);
  await addComments(workspace, [{ from: { userId: "alan" } }]);
  expect(await sent()).toEqual(["ada: alan replied on contract-7", "grace: alan replied on contract-7"]);
});

test("a rejected call sends no mail", async () => {
  const { workspace, sent } = await sendingWorkspace();
  await addAnnotations(workspace, ["a"]);
  const commentData = [comment({ commentId: 1, from: { userId: "grace" } })];
  await workspace.error("/v2/commentannotations/comments/add", { ...SCOPE, annotationId: "a", commentData });
  expect(await sent()).toEqual([]);
});
