import { createServer } from "node:net";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { type MailServer, smtpError, startMailServer } from "../../../../test/mail-server.ts";
import { readOutbox } from "../../../../test/mails.ts";
import { startListener } from "../../../../test/outgoing.ts";
import { runSql } from "../../../../test/run-sql.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/workspace/email/send-test-mail";
const UPDATE = "/v2/workspace/emailconfig/update";
const EMAIL = "ada@example.com";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

async function mailServer(behaviour: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(behaviour);
  onTestFinished(() => server.close());
  return server;
}

function send(workspace: TestWorkspace) {
  return workspace.data(PATH, { email: EMAIL });
}

function settings(apiKey: string, useEmailService = true): Api[typeof UPDATE]["request"] {
  const emailServiceConfig = { type: "smtp" as const, apiKey, fromEmail: "notices@acme.example", fromCompany: "Acme" };
  return { useEmailService, emailServiceConfig };
}

test("without a mail server the mail goes to the outbox of its workspace, and the response says so", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  expect(await send(workspace)).toEqual({
    success: true,
    message: "The mail is in the outbox, because SMTP_URL is not set.",
    route: "outbox",
  });
  expect(await workspace.data("/v2/workspace/outbox/get", {})).toMatchObject([
    { to: EMAIL, subject: "Test mail from Colloquy" },
  ]);
  expect(await other.data("/v2/workspace/outbox/get", {})).toEqual([]);
  expect((await readOutbox(service.config.dataDir)).at(-1)).toMatchObject({ from: { address: "colloquy@localhost" } });
});

test("the workspace's provider and sender are used while its email service is on", async () => {
  const server = await mailServer();
  const workspace = await service.workspace();
  await workspace.data(UPDATE, settings(server.url));
  const message = "The workspace's mail server accepted the mail.";
  expect(await send(workspace)).toEqual({ success: true, message, route: "workspace" });
  expect(server.mails).toMatchObject([
    { to: [EMAIL], parsed: { from: { name: "Acme", address: "notices@acme.example" }, text: expect.any(String) } },
  ]);
});

test("the settings are not used while the email service is off, and the response says so", async () => {
  const server = await mailServer();
  const workspace = await service.workspace();
  await workspace.data(UPDATE, settings(server.url, false));
  expect(await send(workspace)).toMatchObject({ success: true, message: expect.stringMatching(/useEmailService/) });
  expect(server.connections).toBe(0);
});

test("the service's own mail server is used if the workspace has no provider", async () => {
  const server = await mailServer();
  const withServer = await startOwnTestService(() => ({ smtpUrl: server.url, mailFrom: "Post <post@example.com>" }));
  const workspace = await withServer.workspace();
  const accepted = { success: true, message: "The mail server of SMTP_URL accepted the mail.", route: "server" };
  expect(await send(workspace)).toEqual(accepted);
  await workspace.data(UPDATE, { useEmailService: true, emailServiceConfig: { fromCompany: "Acme" } });
  expect(await send(workspace)).toEqual(accepted);
  expect(server.mails.map(({ parsed }) => parsed.from)).toEqual([
    { name: "Post", address: "post@example.com" },
    { name: "Acme", address: "post@example.com" },
  ]);
});

test("the response says what failed and quotes nothing of the mail server, whose response is logged", async () => {
  const server = await mailServer({
    options: {
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => done(smtpError(535, `bad login ${username} ${password}`)),
    },
  });
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const logging = await startOwnTestService(() => ({ allowPrivateAddresses: true }), log);
  const workspace = await logging.workspace();
  await workspace.data(UPDATE, settings(server.url.replace("//", "//robot:the-secret-key@")));
  expect(await send(workspace)).toEqual({
    success: false,
    message: "The workspace's mail server did not accept the mail: it rejected the login.",
    route: "workspace",
  });
  const line = lines.find((text) => text.includes("a test mail was not accepted")) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ workspaceId: workspace.id, reason: expect.stringContaining("bad login") });
  expect(line).not.toMatch(/the-secret-key|robot|ada@/);
});

const FAILING: [failure: string, behaviour: Parameters<typeof startMailServer>[0], explanation: string][] = [
  [
    "the recipient",
    { options: { onRcptTo: (_address, _session, done) => done(smtpError(550, "secret banner")) } },
    "it rejected the sender or the recipient",
  ],
  [
    "the content",
    {
      respond() {
        throw smtpError(554, "secret banner");
      },
    },
    "it rejected the mail",
  ],
  [
    "the client",
    {
      options: {
        onConnect: (_session, done) => done(smtpError(554, "secret banner")),
      },
    },
    "it does not speak SMTP",
  ],
];

test.each(FAILING)("the response quotes nothing of a server that refuses %s", async (_what, behaviour, explanation) => {
  const server = await mailServer(behaviour);
  const workspace = await service.workspace();
  await workspace.data(UPDATE, settings(server.url));
  expect(await send(workspace)).toMatchObject({
    success: false,
    message: `The workspace's mail server did not accept the mail: ${explanation}.`,
  });
});

test("an unreachable server is an error", async () => {
  const away = await startMailServer();
  await away.close();
  const workspace = await service.workspace();
  await workspace.data(UPDATE, settings(away.url));
  expect(await send(workspace)).toMatchObject({ success: false, message: expect.stringMatching(/not be reached\.$/) });
});

test("a workspace's mail server on a private address gets no connection, however its host is written", async () => {
  const listener = await startListener();
  const away = await startMailServer();
  await away.close();
  const strict = await startOwnTestService();
  const workspace = await strict.workspace();
  const hosts = ["localhost", "0x7f.1", "[::1]", "[::]", "[::ffff:7f00:1]"];
  const urls = hosts.flatMap((host) => ["smtp", "smtps"].map((scheme) => `${scheme}://${host}:${listener.port}`));
  for (const url of [...urls, away.url]) {
    await workspace.data(UPDATE, settings(url));
    expect(await send(workspace), url).toEqual({
      success: false,
      message:
        "The workspace's mail server did not accept the mail: its address is private, and ALLOW_PRIVATE_ADDRESSES " +
        "is not set.",
      route: "workspace",
    });
  }
  expect(listener.connections).toBe(0);
});

test("the operator's mail server may have a private address", async () => {
  const server = await mailServer();
  const strict = await startOwnTestService(() => ({ smtpUrl: server.url, allowPrivateAddresses: false }));
  expect(await send(await strict.workspace())).toMatchObject({ success: true, route: "server" });
  expect(server.mails).toHaveLength(1);
});

test("a server that never responds delays only one call at a time, and not for long", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const workspace = await service.workspace();
  await workspace.data(UPDATE, settings(`smtp://127.0.0.1:${port}`));
  const connected = new Promise((resolve) => silent.once("connection", resolve));
  const begun = performance.now();
  const first = send(workspace);
  await connected;
  const second = await workspace.call(PATH, { email: EMAIL });
  expect(second).toMatchObject({ httpStatus: 429, body: { error: { details: { reason: "rate_limited" } } } });
  expect(second.headers.get("retry-after")).toBe("1");
  expect(await first).toMatchObject({ success: false });
  // The service gives up after 15 s, and the mail library after 2 minutes.
  expect(performance.now() - begun).toBeLessThan(60_000);
  silent.close();
});

test("a provider key that cannot be decrypted is FAILED_PRECONDITION", async () => {
  const workspace = await service.workspace();
  await workspace.data(UPDATE, settings("smtp://127.0.0.1:1"));
  await runSql(service.database, "update email_configs set api_key = 'x' where workspace_id = $1", [workspace.id]);
  expect(await workspace.error(PATH, { email: EMAIL })).toMatchObject({ details: { reason: "secret_unreadable" } });
});

test.each(["", "ada", "ada@", "Ada <ada@example.com>", "a@example.com,b@example.com", "a@example.com\r\nBcc: b@c.de"])(
  "%j is not an address: INVALID_ARGUMENT, and nothing is sent",
  async (email) => {
    const workspace = await service.workspace();
    expect(await workspace.error(PATH, { email })).toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^data\.email must be an email address/),
    });
    expect(await workspace.data("/v2/workspace/outbox/get", {})).toEqual([]);
  },
);
