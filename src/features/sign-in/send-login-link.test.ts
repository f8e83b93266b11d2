import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { post, startOwnTestService } from "../../../test/harness.ts";
import { startMailServer } from "../../../test/mail-server.ts";
import { countOutcomes, readOutbox } from "../../../test/mails.ts";
import { runSql } from "../../../test/run-sql.ts";
import { getCookie, getToken, ownedWorkspace, postToken, TestSession } from "../../../test/sessions.ts";

const PATH = "/v2/workspace/email/send-login-link";
const BASE = "https://console.example/colloquy";
const mailServer = await startMailServer();
const service = await startOwnTestService(() => ({ smtpUrl: mailServer.url, publicUrl: BASE, trustProxy: true }));
const LINK = /https?:\/\/\S+\/console\/sign-in#[\w-]{43}/;

beforeEach(async () => {
  await runSql(service.database, "truncate login_attempts, login_links, sessions");
});

let numbers = 0;
function newAddress(): string {
  return `ada-${++numbers}@acme.example`;
}

function ask(data: object, headers: Record<string, string> = {}, address = service.address) {
  return post(`${address}${PATH}`, data, headers);
}

function mailsTo(address: string) {
  return mailServer.mails.filter(({ to }) => to.includes(address));
}

async function linkTo(address: string): Promise<string> {
  await expect.poll(() => mailsTo(address).length).toBe(1);
  return LINK.exec(mailsTo(address)[0]?.parsed.text ?? "")?.[0] ?? "";
}

/** Waits until no login link is being sent. */
async function untilIdle(): Promise<void> {
  const left = "select from pgboss.job where name = 'send-login-link' and state <> 'completed'";
  await expect.poll(async () => (await runSql(service.database, left)).length).toBe(0);
}

describe("an owner", () => {
  test("gets a mail whose link signs in once and redirects to continueUrl", async () => {
    const email = newAddress();
    const workspace = await ownedWorkspace(service, email);
    const continueUrl = "https://app.acme.example/welcome?to=1#top";
    expect(await ask({ email, continueUrl })).toMatchObject({
      httpStatus: 200,
      body: { result: { status: "success", data: null } },
    });
    const link = await linkTo(email);
    expect(link.startsWith(`${BASE}/console/sign-in#`)).toBe(true);
    const own = { origin: "https://console.example" };
    const response = await postToken(service.address, getToken(link), own);
    expect(response).toMatchObject({ httpStatus: 200, body: { continueUrl, isContinueUrlTrusted: false } });
    const session = new TestSession(service.address, getCookie(response));
    expect(await session.call("/v2/workspaces/get", {}, own)).toMatchObject({
      body: { result: { data: [{ id: workspace.id, name: "owned", apiKey: workspace.apiKey, ownerEmail: email }] } },
    });
    expect(await postToken(service.address, getToken(link), own)).toMatchObject({ httpStatus: 403 });
  });

  test("gets a mail in text and HTML that states its purpose and contains nothing chosen by the caller", async () => {
    const email = newAddress();
    await ownedWorkspace(service, email);
    await ask({ email, continueUrl: "https://evil.example/" });
    const link = await linkTo(email);
    const [mail] = mailsTo(email);
    expect(mail?.parsed).toMatchObject({
      subject: "Sign in to the Colloquy console",
      from: { name: "Colloquy", address: "colloquy@localhost" },
    });
    expect(mail?.parsed.html).toContain(`<a href="${link}"`);
    expect(mail?.parsed.text).toContain("works once and expires after 15 minutes");
    expect(mail?.raw).not.toContain("evil.example");
    expect(mail?.raw.toLowerCase()).not.toContain("unsubscribe");
  });

  test("is identified by the address in any case, and the mail goes to the stored address", async () => {
    const number = ++numbers;
    const email = `Grace-${number}@Acme.Example`;
    await ownedWorkspace(service, email);
    await ask({ email: `gRACE-${number}@aCME.eXAMPLE` });
    // SMTP ignores case in a domain.
    await linkTo(`Grace-${number}@acme.example`);
  });

  test("is not identified by an address that becomes equal only by Unicode case folding", async () => {
    const email = `kim-${++numbers}@acme.example`;
    await ownedWorkspace(service, email);
    await ask({ email: email.replace("k", "\u212a") });
    await untilIdle();
    expect(mailsTo(email)).toEqual([]);
  });

  test("has no token in the database that could sign in, and no address in the queue", async () => {
    const email = newAddress();
    await ownedWorkspace(service, email);
    await ask({ email });
    const token = getToken(await linkTo(email));
    const tables = ["login_links", "login_attempts", "pgboss.job"];
    for (const table of tables) {
      const rows = await runSql<{ text: string }>(service.database, `select whole::text as text from ${table} whole`);
      const all = rows.map(({ text }) => text).join("\n");
      expect(all, table).not.toContain(token);
      if (table !== "login_links") expect(all, table).not.toContain(email);
    }
  });
});

describe("a stranger", () => {
  test("gets the same response as an owner but no mail, and the same work is queued", async () => {
    const [email, stranger] = [newAddress(), newAddress()];
    await ownedWorkspace(service, email);
    const responses = [await ask({ email }), await ask({ email: stranger })];
    const visible = responses.map(({ httpStatus, body, headers }) => {
      const { date, "x-request-id": id, ...others } = Object.fromEntries(headers);
      return { httpStatus, body, others };
    });
    expect(visible[1]).toEqual(visible[0]);
    await linkTo(email);
    await untilIdle();
    expect(mailsTo(stranger)).toEqual([]);
  });

  test("waits as long for the response as an owner, because the owners are only looked up afterwards", async () => {
    const [email, stranger] = [newAddress(), newAddress()];
    await ownedWorkspace(service, email);
    await service.database.transaction(async (transaction) => {
      // Readers wait until the end of this transaction.
      await runSql(transaction, "lock table workspaces in access exclusive mode");
      for (const asked of [email, stranger]) expect(await ask({ email: asked })).toMatchObject({ httpStatus: 200 });
    });
    await linkTo(email);
    await untilIdle();
  });
});

describe("an invalid request", () => {
  test.each(["", "ada", "ada@", "a b@acme.example", "ada@acme.example\r\nBcc: eve@evil.example", "x".repeat(300)])(
    "%j is not an address: INVALID_ARGUMENT",
    async (email) => {
      const error = { status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.email must /) };
      expect(await ask({ email })).toMatchObject({ httpStatus: 400, body: { error } });
    },
  );

  test.each([
    ...["", "/welcome", "//evil.example", "javascript:alert(1)", "data:text/html,x", "ftp://acme.example/", "http://"],
    ...[
      "https:acme.example",
      "https:/acme.example",
      "https:\\\\acme.example",
      "https:///acme.example",
      "http:/\\acme.example",
    ],
    ...[" https://acme.example", "https://acme.example\n", "https://ac\tme.example/", "https://acme.example/a b"],
    ...["https://good.example\\@evil.example/", "https://acme.example/\0", "https://acme.example/\ud800"],
    ...["https://", "acme.example", `https://acme.example/${"x".repeat(2048)}`],
  ])("%j is not a continueUrl: INVALID_ARGUMENT", async (continueUrl) => {
    const error = { status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.continueUrl must /) };
    expect(await ask({ email: newAddress(), continueUrl })).toMatchObject({ httpStatus: 400, body: { error } });
  });

  test.each(["http://[::1]:8080/", "HTTPS://Acme.Example", "https://用户:p@例え.テスト/ü"])(
    "the continueUrl %j is normalized as browsers do",
    async (continueUrl) => {
      const email = newAddress();
      await ownedWorkspace(service, email);
      expect(await ask({ email, continueUrl })).toMatchObject({ httpStatus: 200 });
      const response = await postToken(service.address, getToken(await linkTo(email)), {
        origin: "https://console.example",
      });
      expect(response.body).toMatchObject({ continueUrl: new URL(continueUrl).href });
    },
  );
});

describe("the mail", () => {
  test("goes into the outbox if there is no mail server, as a private file of no workspace", async () => {
    const boxed = await startOwnTestService();
    await ownedWorkspace(boxed, "ada@boxed.example");
    await ask({ email: "ada@boxed.example" }, {}, boxed.address);
    await expect.poll(() => readOutbox(boxed.config.dataDir)).toHaveLength(1);
    const folder = join(boxed.config.dataDir, "outbox");
    const [name = ""] = await readdir(folder);
    expect(name).toMatch(/^[\dTZ-]{24}-service-[\da-f-]{36}\.eml$/);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, name), "utf8")).not.toContain("X-Colloquy-People");
    const [mail] = await readOutbox(boxed.config.dataDir);
    const link = LINK.exec(mail?.text ?? "")?.[0] ?? "";
    expect(await postToken(boxed.address, getToken(link))).toMatchObject({ httpStatus: 200 });
  });

  test("is retried if the server defers it, and given up with its link if the server rejects it", async () => {
    const responses = [451, 550];
    const moody = await startMailServer({
      respond() {
        const code = responses.shift();
        if (code !== undefined) throw Object.assign(new Error("not now"), { responseCode: code });
      },
    });
    onTestFinished(() => moody.close());
    const sender = await startOwnTestService(() => ({ smtpUrl: moody.url }));
    await ownedWorkspace(sender, "ada@moody.example");
    await ask({ email: "ada@moody.example" }, {}, sender.address);
    await expect.poll(() => countOutcomes(sender.address, "rejected")).toBe(1);
    expect(await countOutcomes(sender.address, "deferred")).toBe(1);
    const { length: rowCount } = await runSql(sender.database, "select from login_links");
    expect(rowCount).toBe(0);
    await ask({ email: "ada@moody.example" }, {}, sender.address);
    await expect.poll(() => moody.mails.length).toBe(1);
    const link = LINK.exec(moody.mails[0]?.parsed.text ?? "")?.[0] ?? "";
    expect(await postToken(sender.address, getToken(link))).toMatchObject({ httpStatus: 200 });
  });
});
