import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { post, silentLog, startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { smtpError, startMailServer } from "../../../../test/mail-server.ts";
import {
  allowMails,
  allowReplyMails,
  countMails,
  insertUnsentMail,
  openMailQueue,
  recipient,
} from "../../../../test/mails.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ownedWorkspace } from "../../../../test/sessions.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../../test/user-data.ts";
import { newId } from "../../../database/new-id.ts";
import { sql, uuid } from "../../../database/sql.ts";
import { openJobs } from "../../../jobs/jobs.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { SEND_DISABLED_NOTICE } from "../../webhooks/delivery/sending/disabled-notice.ts";
import { insertMails } from "../mail-queries.ts";
import { deleteExpiredDeliveries } from "./expiry.ts";

const PATH = "/v2/workspace/mails/get";
const { organizationId, documentId } = SCOPE;
const service = await startOwnTestService(({ limits }) => ({
  allowPrivateAddresses: true,
  limits: { ...limits, jobPollSeconds: 0.5 },
}));
const queueMail = await openMailQueue(service.database);

/** Creates a workspace whose mail server responds to recipients as their names say. */
async function workspaceWithServer(respond: (content: string) => void = () => {}): Promise<TestWorkspace> {
  const server = await startMailServer({
    respond,
    options: {
      onRcptTo({ address }, _session, done) {
        if (address.startsWith("bounced")) return done(smtpError(550, `<${address}> mailbox unavailable: suppressed`));
        if (address.startsWith("greylisted")) return done(smtpError(450, "try again later"));
        done();
      },
    },
  });
  onTestFinished(() => server.close());
  const workspace = await service.publicWorkspace();
  await allowReplyMails(workspace, server.url);
  return workspace;
}

/** Inserts a mail whose job does not exist, so that it stays queued. */
function insertMail(workspace: TestWorkspace, userId: string, address: string, organization = organizationId) {
  const about = { documentId, otherUserIds: [], annotationIds: ["a"], triggers: ["comment.add"], record: "{}" };
  const scope = openOrganization(service.database, workspace, organization);
  return insertMails(scope, [{ ...about, id: randomUUID(), userId, address }]);
}

test("a mail is listed with its state and the server's response, without its text", async () => {
  const workspace = await workspaceWithServer();
  const recipients = ["grace", "bounced", "greylisted"].map((userId) => recipient(userId));
  await queueMail(workspace, { recipients, commentText: "the secret text" });
  const readStates = async () => new Map((await workspace.data(PATH, {})).map((mail) => [mail.userId, mail.state]));
  await expect
    .poll(async () => Object.fromEntries(await readStates()))
    .toEqual({ grace: "sent", bounced: "rejected", greylisted: "deferred" });
  const mails = await workspace.data(PATH, {});
  const kind = "notification";
  const about = { kind, organizationId, documentId, annotationIds: ["a"], triggers: ["comment.add"] };
  const mail = (userId: string, state: string, reason: string | null) => ({
    ...{ ...about, mailId: expect.any(String), userId, address: `${userId}@example.com`, state, reason },
    ...{ attempts: expect.any(Number), createdAt: expect.any(Number), updatedAt: expect.any(Number) },
  });
  expect(mails.toSorted((a, b) => (a.address < b.address ? -1 : 1))).toEqual([
    mail("bounced", "rejected", "550 …@… mailbox unavailable: suppressed"),
    mail("grace", "sent", null),
    mail("greylisted", "deferred", "450 try again later"),
  ]);
  expect(mails.find(({ userId }) => userId === "grace")?.attempts).toBe(1);
  const rows = await service.database.run(
    sql<{ text: string }>`select delivery::text as text from mail_deliveries delivery
      where workspace_id = ${uuid(workspace.id)}`,
  );
  expect(JSON.stringify(rows)).not.toContain("secret");
});

test("test mails, login links and notices about webhooks are listed for their workspace, without a link", async () => {
  const server = await startMailServer({
    options: {
      onRcptTo: ({ address }, _session, done) =>
        done(/^(bounced|grey)/.test(address) ? smtpError(address[0] === "g" ? 450 : 550, `<${address}> no`) : null),
    },
  });
  onTestFinished(() => server.close());
  const own = await startOwnTestService(() => ({ smtpUrl: server.url }));
  const owner = "ada@acme.example";
  const [workspace, second, foreign] = [
    await ownedWorkspace(own, owner),
    await ownedWorkspace(own, owner.toUpperCase()),
    await ownedWorkspace(own, "bob@globex.example"),
  ];
  const read = async (caller: TestWorkspace, request = {}) => (await caller.result(PATH, request)).data;
  await workspace.data("/v2/workspace/email/send-test-mail", { email: "bounced@acme.example" });
  await foreign.data("/v2/workspace/email/send-test-mail", { email: "greylisted@acme.example" });
  await post(`${own.address}/v2/workspace/email/send-login-link`, { email: owner });
  await expect.poll(() => read(second)).toHaveLength(1);
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  const { id } = await workspace.data("/v2/workspace/advancedwebhook/endpoints/create", { url: "https://a.example/" });
  await runSql(own.database, "update webhook_endpoints set disabled = true where id = $1", [id]);
  const jobs = await openJobs({ database: own.database, definitions: [], log: silentLog });
  onTestFinished(() => jobs.stop());
  const notice = { workspaceId: workspace.id, endpointId: id, mailId: newId() };
  await own.database.transaction((transaction) => jobs.send(transaction, SEND_DISABLED_NOTICE, [notice]));
  await expect.poll(() => read(workspace)).toHaveLength(3);
  const about = { organizationId: null, documentId: null, annotationIds: [], userId: null, triggers: [], attempts: 1 };
  const link = { ...about, kind: "login_link", address: owner, state: "sent", reason: null };
  const reason = "550 …@… no";
  const refused = { ...about, kind: "test", address: "bounced@acme.example", state: "rejected", reason };
  expect(await read(workspace)).toMatchObject([{ ...link, kind: "webhook_disabled" }, link, refused]);
  expect(await read(second)).toMatchObject([link]);
  expect(await read(foreign)).toMatchObject([{ kind: "test", state: "rejected", reason: "450 …@… no" }]);
  expect(await read(workspace, { state: "rejected" })).toMatchObject([refused]);
  await foreign.data("/v2/workspace/email/send-test-mail", { email: "bob@globex.example" });
  expect(await read(foreign, { state: "sent" })).toMatchObject([{ kind: "test", reason: null }]);
  expect(await read(workspace, { organizationId })).toEqual([]);
  const { data, pageToken = "" } = await workspace.result(PATH, { pageSize: 2 });
  expect([data, await read(workspace, { pageSize: 2, pageToken })]).toMatchObject([[{}, link], [refused]]);
  const [token] = server.mails.flatMap(({ parsed }) => /sign-in#(\S+)/.exec(parsed.text ?? "")?.[1] ?? []);
  expect(token).toMatch(/^[\w-]{43}$/);
  const rows = await runSql(own.database, "select mail::text as text from workspace_mails mail");
  expect(JSON.stringify(rows)).not.toContain(token);
  const { health } = await workspace.data("/v2/workspace/overview/get", { timeZone: "UTC", days: 1 });
  expect(health.mails).toEqual({ refused: 1, deferred: 0 });
  await runSql(own.database, "update workspace_mails set created_at = 0 where kind = 'test'");
  expect(await deleteExpiredDeliveries(own.database, 30)(100)).toBe(3);
  expect(await read(workspace)).toHaveLength(2);
});

test("a login link that is tried again stays one entry, with its attempts", async () => {
  const server = await startMailServer({
    options: { onRcptTo: (_to, _session, done) => done(smtpError(450, "later")) },
  });
  onTestFinished(() => server.close());
  const own = await startOwnTestService(() => ({ smtpUrl: server.url }));
  const workspace = await ownedWorkspace(own, "ada@acme.example");
  await post(`${own.address}/v2/workspace/email/send-login-link`, { email: "ada@acme.example" });
  const read = async () => (await workspace.data(PATH, {}))[0];
  await expect.poll(async () => (await read())?.attempts).toBeGreaterThan(1);
  expect(await workspace.data(PATH, {})).toMatchObject([
    { kind: "login_link", state: "deferred", reason: "450 later" },
  ]);
});

test("a response to the content is listed by its codes, since it may quote the mail", async () => {
  const workspace = await workspaceWithServer((content) => {
    throw smtpError(554, `5.7.1 rejected: ${content}`);
  });
  await queueMail(workspace, { commentText: "the secret text" });
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  expect(await workspace.data(PATH, {})).toMatchObject([{ state: "rejected", reason: "554 5.7.1", attempts: 1 }]);
});

test("mails that are kept in the outbox, canceled or given up say so", async () => {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, ["comment.add"]);
  await queueMail(workspace);
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  const turnOff = () => workspace.data("/v2/workspace/emailconfig/update", { useEmailService: false });
  await queueMail(workspace, {}, turnOff);
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  expect(await workspace.data(PATH, {})).toMatchObject([
    { state: "canceled", reason: "It was canceled because the email service is off.", attempts: 0 },
    { state: "sent", reason: "It is in the outbox, because no mail server is configured.", attempts: 1 },
  ]);
});

test("filters by organization, user and state find the mails on any page, newest first", async () => {
  const [workspace, other] = [await workspaceWithServer(), await workspaceWithServer()];
  await queueMail(other);
  for (const userId of ["bounced", "grace", "bounced-2"]) {
    await queueMail(workspace, { recipients: [recipient(userId)] });
    await queueMail(workspace, { recipients: [recipient(userId)], organizationId: "globex" });
  }
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  const readUsers = async (request: object) => {
    const users: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await workspace.result(PATH, { ...request, pageSize: 1, ...(pageToken && { pageToken }) });
      users.push(...page.data.map((mail) => `${mail.userId} of ${mail.organizationId}`));
      pageToken = page.pageToken;
    } while (pageToken);
    return users;
  };
  expect(await readUsers({ organizationId })).toEqual(["bounced-2 of acme", "grace of acme", "bounced of acme"]);
  expect(await readUsers({ userId: "grace" })).toEqual(["grace of globex", "grace of acme"]);
  expect(await readUsers({ state: "rejected", organizationId: "globex" })).toEqual([
    "bounced-2 of globex",
    "bounced of globex",
  ]);
  expect(await readUsers({ state: "queued" })).toEqual([]);
});

test("mails of a disabled organization are not listed; those of a deleted document or organization go", async () => {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  await insertUnsentMail(service.database, workspace, organizationId, documentId);
  const disable = (disabled: boolean) =>
    workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: [organizationId], disabled });
  await disable(true);
  expect(await workspace.data(PATH, {})).toEqual([]);
  expect(await workspace.error(PATH, { organizationId })).toMatchObject({ status: "PERMISSION_DENIED" });
  await disable(false);
  expect(await workspace.data(PATH, {})).toMatchObject([{ state: "queued", attempts: 0, reason: null }]);
  await workspace.data("/v2/organizations/documents/delete", { organizationId, documentIds: [documentId] });
  expect(await workspace.data(PATH, {})).toEqual([]);
  const countRows = () =>
    service.database.run(sql`select id from mail_deliveries where workspace_id = ${uuid(workspace.id)}`);
  await expect.poll(countRows).toEqual([]);
  await insertUnsentMail(service.database, workspace, organizationId, documentId);
  await workspace.data("/v2/organizations/delete", { organizationIds: [organizationId] });
  await expect.poll(countRows).toEqual([]);
});

test("deleting a user deletes mails to them and to their address, and cancels those that name them", async () => {
  const workspace = await service.publicWorkspace();
  const ada = { userId: "ada-4711", name: "Ada", email: "ada-4711@person.example" };
  await workspace.data("/v2/users/add", { organizationId, users: [ada] });
  await insertMail(workspace, ada.userId, "elsewhere@person.example");
  await insertMail(workspace, "shared-mailbox", ada.email.toUpperCase());
  await insertMail(workspace, "grace", "grace@example.com");
  await service.database.run(
    sql`update mails set other_user_ids = '{ada-4711}' where workspace_id = ${uuid(workspace.id)}`,
  );
  const exported = await workspace.data("/v2/users/data/get", { organizationId, userId: ada.userId });
  expect(exported).toMatchObject({ mailDeliveries: [{ address: "elsewhere@person.example", state: "queued" }] });
  const { receipt } = await deleteUserDataAndWait(workspace, [ada.userId]);
  expect(receipt).toContainEqual({ organizationId, kind: "mailDeliveries", deleted: 2, stripped: 0 });
  expect(await workspace.data(PATH, {})).toMatchObject([
    { userId: "grace", state: "canceled", reason: "The data of a user whom it names was deleted." },
  ]);
  expect(await findRowsContaining(service.database, [ada.userId, ada.email])).toEqual([]);
});

test("mails are deleted after the retention time", async () => {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/organizations/add", { organizations: [{ organizationId }] });
  for (const userId of ["old", "new"]) await insertMail(workspace, userId, `${userId}@example.com`);
  await service.database.run(
    sql`update mail_deliveries set created_at = created_at - 30 * 86400000::bigint - 1000
      where user_id = 'old' and workspace_id = ${uuid(workspace.id)}`,
  );
  expect(await deleteExpiredDeliveries(service.database, 30)(100)).toBe(1);
  expect(await workspace.data(PATH, {})).toMatchObject([{ userId: "new" }]);
});
