import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import { allowMails, countMails, createAnnouncer, recipient } from "../../../test/mails.ts";
import { setConfig } from "../../../test/notifications.ts";

const SOON = { timeout: 15_000, interval: 20 };
const PUBLIC_URL = "https://colloquy.example/below";
const ONE_CLICK = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
let server: MailServer | undefined;
const service = await startOwnTestService(async () => {
  server = await startMailServer();
  return { smtpUrl: server.url, publicUrl: PUBLIC_URL, isPublicUrlSet: true };
});
const announce = await createAnnouncer(service.database);

async function sendingWorkspace() {
  const workspace = await service.workspace();
  const fromEmail = `${workspace.id}@example.com`;
  await allowMails(workspace, ["comment.add"], { fromEmail });
  /** Of the mails that have been sent, once none is on its way. */
  const sent = async () => {
    await expect.poll(() => countMails(service.database, workspace), SOON).toBe(0);
    return (server?.mails ?? []).filter(({ parsed }) => parsed.from?.address === fromEmail);
  };
  return { workspace, sent };
}

/** The address in the mail that grace, or another user, gets, as a proxy in front of the service passes it on. */
async function linkFor(workspace: TestWorkspace, sent: () => Promise<MailServer["mails"]>, fields = {}) {
  await announce(workspace, fields);
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
  const { rows } = await service.database.query<{ documentId: string; email: string | null }>(
    `select document_id as "documentId", email from notification_configs
     join organizations using (organization_key)
     where workspace_id = $1 and organization_id = $2 and user_id = $3 order by document_id`,
    [workspace.id, organizationId, userId],
  );
  return rows.map(({ documentId, email }) => [documentId, email]);
}

test("a mail has the link for one click in its headers, and for people in both forms", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { mail, url } = await linkFor(workspace, sent);
  expect(url).toMatch(/^https:\/\/colloquy\.example\/below\/mails\/unsubscribe\?token=[\w.-]+$/);
  expect(mail?.parsed.headers).toContainEqual(
    expect.objectContaining({ key: "list-unsubscribe-post", value: "List-Unsubscribe=One-Click" }),
  );
  expect(mail?.parsed.text).toContain(`To get no more of them, unsubscribe: ${url}`);
  expect(mail?.parsed.html).toContain(`<a href="${url}">unsubscribe</a>`);
});

test("opening the link changes nothing and shows one button, under a policy without scripts", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { local } = await linkFor(workspace, sent);
  const answer = await fetch(local);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  const page = await answer.text();
  expect(page.match(/<button|<form method="post">|<script|<input/g)).toEqual(['<form method="post">', "<button"]);
  expect(await emailPreference(workspace, "grace")).toEqual([]);
});

test.each([
  ["as a form", ONE_CLICK],
  [
    "as a form of parts",
    (() => {
      const form = new FormData();
      form.set("List-Unsubscribe", "One-Click");
      return form;
    })(),
  ],
  ["with nothing", undefined],
])("one POST, %s, ends all mails of the organization for the user, twice too", async (_, body) => {
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
  await announce(workspace, { recipients });
  await announce(workspace, { recipients, organizationId: "other" });
  const reached = (await sent()).slice(1).map(({ to }) => to[0]);
  expect(reached.sort()).toEqual(["alan@example.com", "alan@example.com", "grace@example.com"]);
});

test("a link that was changed is refused and ends nothing", async () => {
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

test("a disabled organization keeps the wish, one that is being deleted nothing", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const off = await linkFor(workspace, sent, { organizationId: "off" });
  const gone = await linkFor(workspace, sent, { organizationId: "gone" });
  await workspace.data("/v2/organizations/add", {
    organizations: [{ organizationId: "off" }, { organizationId: "gone" }],
  });
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: true });
  await service.database.query(
    "update organizations set deleted_at = now() where workspace_id = $1 and organization_id = 'gone'",
    [workspace.id],
  );
  for (const { local } of [off, gone]) expect((await fetch(local, { method: "POST" })).status).toBe(200);
  expect(await emailPreference(workspace, "grace", "off")).toEqual([["", "NONE"]]);
  expect(await emailPreference(workspace, "grace", "gone")).toEqual([]);
});

test("an id that makes the link longer than a header may be leaves it to the text of the mail", async () => {
  const { workspace, sent } = await sendingWorkspace();
  const { mail, url } = await linkFor(workspace, sent, {
    recipients: [recipient("漢".repeat(256), { email: "a@b.cd" })],
  });
  expect(url).toBe("");
  const link = /unsubscribe: (\S+)/.exec(mail?.parsed.text ?? "")?.[1] ?? "";
  expect((await fetch(link.replace(PUBLIC_URL, service.address), { method: "POST" })).status).toBe(200);
});
