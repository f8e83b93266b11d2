import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import { allowMails, countMails, openMailQueue, recipient } from "../../../test/mails.ts";
import { setConfig } from "../../../test/notifications.ts";
import { sql, text, uuid } from "../../database/sql.ts";

const PUBLIC_URL = "https://colloquy.example/below";
const ONE_CLICK = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
let server: MailServer | undefined;
const service = await startOwnTestService(async ({ limits }) => {
  server = await startMailServer();
  const quick = { ...limits, jobPollSeconds: 0.5 };
  return { smtpUrl: server.url, publicUrl: PUBLIC_URL, isPublicUrlSet: true, limits: quick };
});
const queueMail = await openMailQueue(service.database);

async function sendingWorkspace() {
  const workspace = await service.publicWorkspace();
  const fromEmail = `${workspace.id}@example.com`;
  await allowMails(workspace, ["comment.add"], { fromEmail });
  /** Returns the sent mails once none is unsent. */
  const sent = async () => {
    await expect.poll(() => countMails(service.database, workspace)).toBe(0);
    return (server?.mails ?? []).filter(({ parsed }) => parsed.from?.address === fromEmail);
  };
  return { workspace, sent };
}

/** Sends a mail, by default to grace. Returns its unsubscribe link, `local` as a reverse proxy forwards it. */
async function linkFor(workspace: TestWorkspace, sent: () => Promise<MailServer["mails"]>, fields = {}) {
  await queueMail(workspace, fields);
  const mail = (await sent()).at(-1);
  const header = mail?.parsed.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  const url = /^<(https:[^>]*)>, <mailto:/.exec(header)?.[1] ?? "";
  return { mail, url, local: url.replace(PUBLIC_URL, service.address) };
}

async function emailPreference(
  workspace: TestWorkspace,
  userId: string,
  organizationId: string = SCOPE.organizationId,
) {
  const rows = await service.database.run(
    sql<{ documentId: string; email: string | null }>`select document_id as "documentId", email
      from notification_configs join organizations using (organization_key)
      where workspace_id = ${uuid(workspace.id)} and organization_id = ${text(organizationId)}
        and user_id = ${text(userId)}
      order by document_id`,
  );
  return rows.map(({ documentId, email }) => [documentId, email]);
}

test("a mail has a one-click link in its headers, and a link in its text and HTML", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { mail, url } = await linkFor(workspace, sent);
  expect(url).toMatch(/^https:\/\/colloquy\.example\/below\/mails\/unsubscribe\?token=[\w.-]+$/);
  expect(mail?.parsed.headers).toContainEqual(
    expect.objectContaining({ key: "list-unsubscribe-post", value: "List-Unsubscribe=One-Click" }),
  );
  expect(mail?.parsed.text).toContain(`To get no more of them, unsubscribe: ${url}`);
  expect(mail?.parsed.html).toContain(`<a href="${url}">unsubscribe</a>`);
});

test("opening the link changes nothing and shows one button on a page that forbids scripts", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { local } = await linkFor(workspace, sent);
  const response = await fetch(local);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  const page = await response.text();
  expect(page.match(/<button|<form method="post">|<script|<input/g)).toEqual(['<form method="post">', "<button"]);
  expect(await emailPreference(workspace, "grace")).toEqual([]);
});

test.each([
  ["with a form", ONE_CLICK],
  [
    "with a multipart form",
    (() => {
      const form = new FormData();
      form.set("List-Unsubscribe", "One-Click");
      return form;
    })(),
  ],
  ["without a body", undefined],
])("a POST %s unsubscribes the user from all mails of the organization, and can be repeated", async (_, body) => {
  const { workspace, sent } = await sendingWorkspace();
  await setConfig(workspace, ["grace", "alan"], { email: "ALL", inbox: "MINE" }, [SCOPE.documentId]);
  const recipients = [recipient("alan"), recipient("grace")];
  const { local } = await linkFor(workspace, sent);
  for (const _time of [1, 2]) expect((await fetch(local, { method: "POST", ...(body && { body }) })).status).toBe(200);
  expect(await emailPreference(workspace, "grace")).toEqual([
    ["", "NONE"],
    [SCOPE.documentId, null],
  ]);
  expect(await emailPreference(workspace, "alan")).toEqual([[SCOPE.documentId, "ALL"]]);
  await queueMail(workspace, { recipients });
  await queueMail(workspace, { recipients, organizationId: "other" });
  const reached = (await sent()).slice(1).map(({ to }) => to[0]);
  expect(reached.sort()).toEqual(["alan@example.com", "alan@example.com", "grace@example.com"]);
});

test("a link with a parameter in front that has a question mark works", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { local } = await linkFor(workspace, sent);
  expect((await fetch(local.replace("?", "?from=what?now&"))).status).toBe(200);
});

test("a changed link is rejected and unsubscribes no user", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { local } = await linkFor(workspace, sent);
  const [key = "", , signature = ""] = (new URL(local).searchParams.get("token") ?? "").split(".");
  const alan = Buffer.from("alan").toString("base64url");
  const tokens = ["", "a", "..", `${key}.${alan}.${signature}`, `${key}.${alan}.`, "%00.%ff.%", `${key}${alan}`];
  for (const token of tokens) {
    const url = `${service.address}/mails/unsubscribe?token=${token}`;
    expect([(await fetch(url)).status, (await fetch(url, { method: "POST" })).status], token).toEqual([400, 400]);
  }
  expect((await fetch(`${service.address}/mails/unsubscribe`)).status).toBe(400);
  expect(await emailPreference(workspace, "alan")).toEqual([]);
});

test("unsubscribing works in a disabled organization, but stores nothing in one that is being deleted", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const off = await linkFor(workspace, sent, { organizationId: "off" });
  const gone = await linkFor(workspace, sent, { organizationId: "gone" });
  await workspace.data("/v2/organizations/add", {
    organizations: [{ organizationId: "off" }, { organizationId: "gone" }],
  });
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: true });
  await service.database.run(
    sql`update organizations set deleted_at = now()
      where workspace_id = ${uuid(workspace.id)} and organization_id = 'gone'`,
  );
  for (const { local } of [off, gone]) expect((await fetch(local, { method: "POST" })).status).toBe(200);
  expect(await emailPreference(workspace, "grace", "off")).toEqual([["", "NONE"]]);
  expect(await emailPreference(workspace, "grace", "gone")).toEqual([]);
});

test("a link too long for a header is only in the text of the mail", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { mail, url } = await linkFor(workspace, sent, {
    recipients: [recipient("漢".repeat(256), { email: "a@b.cd" })],
  });
  expect(url).toBe("");
  const link = /unsubscribe: (\S+)/.exec(mail?.parsed.text ?? "")?.[1] ?? "";
  expect((await fetch(link.replace(PUBLIC_URL, service.address), { method: "POST" })).status).toBe(200);
});
