import { expect, onTestFinished, test } from "vitest";
import { enableContext } from "../../../test/access-context.ts";
import { addAnnotations, changeAnnotations } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { type MailServer, smtpError, startMailServer } from "../../../test/mail-server.ts";
import {
  allowMails,
  allowReplyMails,
  countMails,
  countOutcomes,
  openMailQueue,
  readOutbox,
  recipient,
} from "../../../test/mails.ts";
import { grant, removeGrant } from "../../../test/permissions.ts";

const service = await startOwnTestService(({ limits }) => ({
  allowPrivateAddresses: true,
  limits: { ...limits, jobPollSeconds: 0.5 },
}));
const queueMail = await openMailQueue(service.database);

async function mailServer(behaviour: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(behaviour);
  onTestFinished(() => server.close());
  return server;
}

/** Creates a workspace that sends through the given server. */
async function workspaceBy(url: string) {
  const workspace = await service.publicWorkspace();
  await allowReplyMails(workspace, url);
  return workspace;
}

function messageIdIn(content: string): string | undefined {
  return /^Message-ID: (.+)$/m.exec(content)?.[1];
}

test("a mail goes into the outbox if there is no mail server, with the default sender", async () => {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, ["comment.add"]);
  await queueMail(workspace);
  await expect.poll(async () => (await readOutbox(service.config.dataDir)).length).toBe(1);
  const [mail] = await readOutbox(service.config.dataDir);
  expect(mail).toMatchObject({
    from: { name: "Colloquy", address: "colloquy@localhost" },
    to: [{ name: "grace", address: "grace@example.com" }],
    subject: "Ada Lovelace replied on contract-7",
  });
  // The unsubscribe page requires PUBLIC_URL.
  const unsubscribing = mail?.headers.filter(({ key }) => key.startsWith("list-unsubscribe")) ?? [];
  expect(unsubscribing.map(({ value }) => value)).toEqual(["<mailto:colloquy@localhost?subject=unsubscribe>"]);
});

test("a temporarily rejected mail is sent later, once and unchanged", async () => {
  const contents: string[] = [];
  const server = await mailServer({
    respond(content) {
      if (contents.push(content) < 3) throw smtpError(451, "try later");
    },
  });
  const workspace = await workspaceBy(server.url);
  const before = await countOutcomes(service.address, "deferred");
  await queueMail(workspace);
  await expect.poll(() => server.mails.length).toBe(1);
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  expect(contents).toHaveLength(3);
  expect(new Set(contents.map(messageIdIn)).size).toBe(1);
  expect(await countOutcomes(service.address, "deferred")).toBe(before + 2);
});

test("a permanently rejected mail is given up, and the others are sent", async () => {
  let attempts = 0;
  const server = await mailServer({
    options: {
      onRcptTo({ address }, _session, done) {
        if (!address.startsWith("nobody")) return done();
        attempts++;
        done(smtpError(550, "no such user"));
      },
    },
  });
  const workspace = await workspaceBy(server.url);
  const before = await countOutcomes(service.address, "rejected");
  await queueMail(workspace, { recipients: [recipient("nobody"), recipient("grace"), recipient("alan")] });
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  expect(server.mails.map(({ to }) => to[0]).sort()).toEqual(["alan@example.com", "grace@example.com"]);
  expect(attempts).toBe(1);
  expect(await countOutcomes(service.address, "rejected")).toBe(before + 1);
});

test("an unreachable server gets the mail when it is back", async () => {
  const away = await startMailServer();
  await away.close();
  const workspace = await workspaceBy(away.url);
  const before = await countOutcomes(service.address, "deferred");
  await queueMail(workspace);
  await expect.poll(() => countOutcomes(service.address, "deferred")).toBeGreaterThan(before);
  const back = await mailServer({ port: away.port });
  await expect.poll(() => back.mails.length).toBe(1);
});

test("a queued mail is canceled when the workspace turns its email service off", async () => {
  const server = await mailServer();
  const workspace = await workspaceBy(server.url);
  const before = await countOutcomes(service.address, "canceled");
  const turnOff = () => workspace.data("/v2/workspace/emailconfig/update", { useEmailService: false });
  await queueMail(workspace, {}, turnOff);
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  expect(server.mails).toEqual([]);
  expect(await countOutcomes(service.address, "canceled")).toBe(before + 1);
});

const { organizationId, documentId } = SCOPE;

function setAccessType(workspace: TestWorkspace, accessType: "organizationPrivate" | "restricted") {
  return workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: [documentId], accessType },
  });
}

/** What makes grace lose sight of the annotation "a" or its document. */
const HIDING: Record<string, (workspace: TestWorkspace) => Promise<unknown>> = {
  "the annotation becomes private": makePrivate,
  "the annotation becomes private and is deleted": async (workspace) => {
    await makePrivate(workspace);
    await changeAnnotations(workspace, "delete", {});
  },
  "the annotation gets an access context": giveContext,
  "the annotation gets an access context and is deleted": async (workspace) => {
    await giveContext(workspace);
    await changeAnnotations(workspace, "delete", {});
  },
  "the permission of the recipient is removed": (workspace) => removeGrant(workspace, "grace", "organization"),
  "the document becomes restricted": (workspace) => setAccessType(workspace, "restricted"),
};

function makePrivate(workspace: TestWorkspace) {
  const visibility = { type: "restricted" as const, userIds: ["alan"] };
  return changeAnnotations(workspace, "update", { updatedData: { visibility } });
}

async function giveContext(workspace: TestWorkspace) {
  await enableContext(workspace);
  await changeAnnotations(workspace, "update", { updatedData: { context: { access: { team: "legal" } } } });
}

/** Refuses the first attempt to send a mail, calls `hide` before the next one, and returns what was sent. */
async function sentAfter(hide: (workspace: TestWorkspace) => Promise<unknown>) {
  const rejecting = Promise.withResolvers<void>();
  const hidden = Promise.withResolvers<void>();
  const server = await mailServer({
    async respond() {
      rejecting.resolve();
      await hidden.promise;
      throw smtpError(451, "try later");
    },
  });
  const workspace = await workspaceBy(server.url);
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  await setAccessType(workspace, "organizationPrivate");
  await grant(workspace, "grace", "organization");
  await addAnnotations(workspace, ["a"]);
  await queueMail(workspace);
  await rejecting.promise;
  await hide(workspace);
  hidden.resolve();
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  return server.mails;
}

test("a mail that waits for a repetition is canceled once its recipient may not see what it is about", async () => {
  const before = await countOutcomes(service.address, "canceled");
  // All at once, because each waits for its repetition.
  const sent = await Promise.all(Object.entries(HIDING).map(async ([name, hide]) => [name, await sentAfter(hide)]));
  expect(sent).toEqual(Object.keys(HIDING).map((name) => [name, []]));
  expect(await countOutcomes(service.address, "canceled")).toBe(before + sent.length);
});

test("two processes on one queue send each mail once", async () => {
  const server = await mailServer();
  const workspace = await workspaceBy(server.url);
  const second = await service.secondProcess();
  const queued: string[] = [];
  async function sentBySecond(): Promise<number> {
    const recipients = Array.from({ length: 25 }, (_, number) => recipient(`user-${queued.length + number}`));
    queued.push(...recipients.map(({ email }) => email));
    await queueMail(workspace, { recipients });
    await expect.poll(() => countMails(service.database, workspace)).toBe(0);
    return countOutcomes(second.address, "sent");
  }
  await expect.poll(sentBySecond).toBeGreaterThan(0);
  expect(server.mails.map(({ to }) => to[0]).sort()).toEqual(queued.sort());
});
