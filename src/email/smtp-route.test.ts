import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type MailServer, smtpError, startMailServer } from "../../test/mail-server.ts";
import {
  anyConnections,
  CERTIFICATE,
  LOOPBACK_HOSTS,
  startListener,
  TRANSLATED_HOSTS,
  trustCertificate,
} from "../../test/outgoing.ts";
import { BLOCKED, OutgoingConnections } from "../outgoing/connections.ts";
import { type SmtpConnection, smtpConnection } from "./providers.ts";
import { SmtpRoute, type SmtpServer } from "./smtp-route.ts";

const MAIL = {
  id: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111",
  createdAt: 1_760_000_000_000,
  from: { name: "Acme", address: "notices@example.com" },
  to: { name: "Grace Hopper", address: "grace@example.com" },
  subject: "Ada commented on contract-7",
  text: "Hello Grace\n",
  html: "<p>Hello Grace</p>",
};
const NEVER = new AbortController().signal;

async function server(behaviour: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const started = await startMailServer(behaviour);
  onTestFinished(() => started.close());
  return started;
}

function route(to: SmtpServer, connections = anyConnections()): SmtpRoute {
  const made = new SmtpRoute(to, connections);
  onTestFinished(() => made.close());
  return made;
}

/** Starts a TCP server on which `speak` handles each connection. */
async function rawServer(speak: (socket: Socket) => void): Promise<{ url: string }> {
  const raw = createServer((socket) => {
    socket.on("error", () => {});
    speak(socket);
  }).listen(0, "127.0.0.1");
  await once(raw, "listening");
  onTestFinished(() => void raw.close());
  const address = raw.address();
  return { url: `smtp://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}` };
}

/** Returns a handler with the response to each command, and one response to the content after DATA. */
function speaking(responses: { [command: string]: string }, onContent: (socket: Socket) => void) {
  return (socket: Socket) => {
    let isData = false;
    socket.write("220 mail.example ESMTP\r\n");
    socket.setEncoding("latin1").on("data", (text: string) => {
      if (isData) return onContent(socket);
      const command = text.slice(0, 4).toUpperCase();
      isData = command === "DATA";
      socket.write(`${responses[command] ?? (isData ? "354 go on" : "250 ok")}\r\n`);
    });
  };
}

test("mails arrive unchanged over one connection", async () => {
  const { url, mails } = await server();
  const to = route({ url });
  for (let number = 0; number < 3; number++) expect(await to.send(MAIL, NEVER)).toEqual({ outcome: "sent" });
  const [first] = mails;
  expect(mails).toHaveLength(3);
  expect(first?.to).toEqual(["grace@example.com"]);
  expect(first?.parsed).toMatchObject({
    from: { name: "Acme", address: "notices@example.com" },
    to: [{ name: "Grace Hopper", address: "grace@example.com" }],
    subject: MAIL.subject,
    html: expect.stringContaining("<p>Hello Grace</p>"),
    text: expect.stringContaining("Hello Grace"),
    messageId: `<${MAIL.id}@example.com>`,
    date: "2025-10-09T08:53:20.000Z",
  });
  expect(first?.raw).toContain("List-Unsubscribe: <mailto:notices@example.com?subject=unsubscribe>\r\n");
  expect(first?.raw).toContain("Auto-Submitted: auto-generated\r\n");
});

test("connections are reused", async () => {
  const started = await server();
  const to = route({ url: started.url });
  for (let number = 0; number < 5; number++) await to.send(MAIL, NEVER);
  expect(started.connections).toBe(1);
});

test("a mail to an internationalized address arrives if the server supports it", async () => {
  const { url, mails } = await server();
  const mail = { ...MAIL, to: { name: "例", address: "用户@例え.テスト" } };
  expect(await route({ url }).send(mail, NEVER)).toEqual({ outcome: "sent" });
  expect(mails[0]?.to).toEqual(["用户@例え.テスト"]);
});

test("an internationalized domain is written in punycode, which every mail program supports", async () => {
  const { url, mails } = await server({ options: { hideSMTPUTF8: true } });
  const mail = { ...MAIL, to: { name: "", address: "grace@münchen.de" } };
  expect(await route({ url }).send(mail, NEVER)).toEqual({ outcome: "sent" });
  expect(mails[0]?.raw).toContain("To: grace@xn--mnchen-3ya.de\r\n");
});

test.each([
  ["rejected", 550, "the content"],
  ["deferred", 451, "the content"],
  ["deferred", 503, "the content"],
])("a mail is %s by a %i after %s, and the reason quotes nothing of the mail", async (outcome, code) => {
  const { url } = await server({
    respond(content) {
      throw smtpError(code, `5.7.1 no: ${content}`);
    },
  });
  const delivery = await route({ url }).send(MAIL, NEVER);
  expect(delivery.outcome).toBe(outcome);
  expect(delivery.reason).toMatch(new RegExp(`^EMESSAGE DATA ${code}( \\d\\.\\d\\.\\d)?$`));
});

test.each([
  ["rejected", 550],
  ["deferred", 450],
])("a recipient that is %s with %i is reported without the address", async (outcome, code) => {
  const { url } = await server({
    options: {
      onRcptTo({ address }, _session, done) {
        done(smtpError(code, `no <${address}> here`));
      },
    },
  });
  const delivery = await route({ url }).send(MAIL, NEVER);
  expect(delivery).toMatchObject({ outcome, reason: expect.stringContaining(`${code}`) });
  expect(delivery.reason).toContain("no …@… here");
  expect(delivery.reason).not.toContain("grace");
});

test("a rejected login is reported without the key", async () => {
  const { port } = await server({
    options: {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => done(smtpError(535, `bad key ${password}`)),
    },
  });
  const auth = { user: "apikey", pass: "SG.secret" };
  const delivery = await route({ host: "127.0.0.1", port, secure: false, requireTLS: false, auth }).send(MAIL, NEVER);
  expect(delivery).toMatchObject({ outcome: "rejected", reason: expect.stringContaining("535") });
  expect(delivery.reason).not.toMatch(/SG\.secret/);
});

test("a mail to an unavailable server is deferred, and the server is tried again after a moment", async () => {
  const away = await startMailServer();
  await away.close();
  const to = route({ url: away.url });
  expect(await to.send(MAIL, NEVER)).toMatchObject({ outcome: "deferred", reason: expect.stringContaining("CONN") });
  expect(await to.send(MAIL, NEVER)).toMatchObject({
    outcome: "deferred",
    reason: "the server could not be reached a moment ago",
  });
  const back = await server({ port: away.port });
  await expect.poll(async () => (await to.send(MAIL, NEVER)).outcome).toBe("sent");
  expect(back.mails).toHaveLength(1);
});

test.each(["MAIL", "RCPT", "DATA"])("a mail is deferred if the server dies at %s", async (command) => {
  const { url } = await rawServer((socket) => {
    socket.write("220 mail.example ESMTP\r\n");
    socket.setEncoding("latin1").on("data", (text: string) => {
      if (text.toUpperCase().startsWith(command)) socket.destroy();
      else socket.write("250 ok\r\n");
    });
  });
  expect(await route({ url }).send(MAIL, NEVER)).toMatchObject({ outcome: "deferred" });
});

test("a mail is uncertain and not retried if the server dies after it received the content", async () => {
  let contents = 0;
  const { url } = await rawServer(
    speaking({}, (socket) => {
      contents++;
      socket.destroy();
    }),
  );
  expect(await route({ url }).send(MAIL, NEVER)).toMatchObject({ outcome: "uncertain" });
  expect(contents).toBe(1);
});

test("a mail is uncertain if the response to the content neither accepts nor rejects it", async () => {
  const { url } = await rawServer(speaking({}, (socket) => void socket.write("354 go on\r\n")));
  expect(await route({ url }).send(MAIL, NEVER)).toMatchObject({ outcome: "uncertain", reason: "EMESSAGE DATA 354" });
});

test("a mail is deferred after an invalid response before the content", async () => {
  const { url } = await rawServer(speaking({ RCPT: "354 go on" }, () => {}));
  expect(await route({ url }).send(MAIL, NEVER)).toMatchObject({ outcome: "deferred" });
});

test("an attempt that is aborted before the content is deferred, and uncertain after it", async () => {
  const silent = await rawServer(() => {});
  const before = new AbortController();
  const waiting = route(silent).send(MAIL, before.signal);
  before.abort();
  expect(await waiting).toMatchObject({ outcome: "deferred" });

  const after = new AbortController();
  const holding = await rawServer(speaking({}, () => after.abort()));
  expect(await route(holding).send(MAIL, after.signal)).toMatchObject({ outcome: "uncertain" });
});

test("an untrusted certificate is rejected, unless the URL accepts it", async () => {
  const { url, mails } = await server({ options: { secure: true } });
  expect(await route({ url }).send(MAIL, NEVER)).toMatchObject({ outcome: "deferred" });
  const lax = { url: `${url}/?tls.rejectUnauthorized=false` };
  expect(await route(lax).send(MAIL, NEVER)).toEqual({ outcome: "sent" });
  expect(mails).toHaveLength(1);
});

test("nothing is sent without TLS if the provider's connection requires it", async () => {
  const { port, mails } = await server();
  const delivery = await route({ host: "127.0.0.1", port, secure: false, requireTLS: true }).send(MAIL, NEVER);
  expect(delivery.outcome).toBe("rejected");
  expect(mails).toEqual([]);
});

/** Returns the connection to a URL that a workspace has set. */
function workspaceServer(url: string): SmtpConnection {
  const connection = smtpConnection({ type: "smtp", apiKey: url, fromEmail: MAIL.from.address });
  if (!connection) throw new Error("the URL has no connection");
  return connection;
}

test.each([
  ["TLS", "smtps:", { ...CERTIFICATE, secure: true }],
  ["STARTTLS", "smtp:", { ...CERTIFICATE, disabledCommands: [] }],
])("the certificate of a workspace's server is verified by its name: %s", async (_kind, protocol, options) => {
  trustCertificate();
  const { port, mails } = await server({ options });
  const names: string[] = [];
  const connections = new OutgoingConnections(
    { allowPrivateAddresses: false },
    {
      isPublic: (address) => address === "127.0.0.1",
      resolve: async (name) => {
        names.push(name);
        return [{ address: "127.0.0.1", family: 4 }];
      },
    },
  );
  const sendBy = (host: string) =>
    route(workspaceServer(`${protocol}//${host}:${port}`), connections).send(MAIL, NEVER);
  expect(await sendBy("mail.example")).toEqual({ outcome: "sent" });
  expect(await sendBy("other.example")).toMatchObject({
    outcome: "deferred",
    explanation: expect.stringMatching(/\w/),
  });
  expect(mails).toHaveLength(1);
  // Each connection resolves the name once, so nothing can differ between the check and the connection.
  expect(names).toEqual(["mail.example", "other.example"]);
});

test.each([...LOOPBACK_HOSTS, ...TRANSLATED_HOSTS])("a listener hears nothing of a mail by %s", async (host) => {
  const listener = await startListener();
  const connections = new OutgoingConnections({ allowPrivateAddresses: false });
  for (const protocol of ["smtp:", "smtps:"]) {
    const to = route(workspaceServer(`${protocol}//${host}:${listener.port}`), connections);
    // Each attempt is checked, also right after one that was blocked.
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await to.send(MAIL, NEVER)).toEqual({
        outcome: "deferred",
        reason: BLOCKED,
        explanation: "its address is private, and ALLOW_PRIVATE_ADDRESSES is not set",
      });
    }
  }
  expect(listener.connections).toBe(0);
});
