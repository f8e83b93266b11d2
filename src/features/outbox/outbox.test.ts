import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { allowMails, openMailQueue } from "../../../test/mails.ts";
import { Outbox } from "../../email/outbox.ts";
import type { Api } from "../../operations.ts";

const LIST = "/v2/workspace/outbox/get";
const READ = "/v2/workspace/outbox/mails/get";
const service = await startOwnTestService();
const queueMail = await openMailQueue(service.database);
const folder = join(service.config.dataDir, "outbox");

function list(workspace: TestWorkspace, request: Api[typeof LIST]["request"] = {}) {
  return workspace.data(LIST, request);
}

/** Sends test mails to these names in sequence. */
async function sendTo(workspace: TestWorkspace, ...names: string[]): Promise<void> {
  for (const name of names) {
    await workspace.data("/v2/workspace/email/send-test-mail", { email: `${name}@example.com` });
  }
}

/** Creates a workspace with one mail of an organization in the outbox. */
async function workspaceWithReply(fields: object = {}): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, ["comment.add"]);
  await addActivities(workspace, ["first"]);
  await queueMail(workspace, fields);
  await expect.poll(async () => (await list(workspace)).length).toBe(1);
  return workspace;
}

test("the workspace's mails are listed, newest first, and each is read by its id", async () => {
  const workspace = await service.publicWorkspace();
  expect(await list(workspace)).toEqual([]);
  const before = Date.now();
  await sendTo(workspace, "ada", "grace");
  const mails = await list(workspace);
  expect(mails).toEqual([
    { id: mails[0]?.id, createdAt: expect.any(Number), to: "grace@example.com", subject: "Test mail from Colloquy" },
    { id: mails[1]?.id, createdAt: expect.any(Number), to: "ada@example.com", subject: "Test mail from Colloquy" },
  ]);
  expect(mails[1]?.createdAt).toBeGreaterThanOrEqual(before);
  expect(await workspace.data(READ, { mailId: mails[1]?.id ?? "" })).toEqual({
    ...mails[1],
    from: "Colloquy <colloquy@localhost>",
    text: expect.stringContaining("test mail"),
    html: expect.stringContaining("<p>This is a test mail"),
  });
});

test("text of users is in the mail as plain text", async () => {
  const workspace = await workspaceWithReply({
    actor: { userId: "eve", name: '<img src=x onerror="alert(1)">' },
    commentText: "<script>alert('é😀')</script>",
  });
  const [mail] = await list(workspace);
  const read = await workspace.data(READ, { mailId: mail?.id ?? "" });
  expect(read.text).toContain("> <script>alert('é😀')</script>");
  expect(read.html).toContain("&lt;script&gt;alert(&#39;é😀&#39;)&lt;/script&gt;");
  expect(read.html).not.toMatch(/<script|<img/);
});

test("the pages together are the whole list, even if mails arrive meanwhile", async () => {
  const workspace = await service.publicWorkspace();
  const names = ["a", "b", "c", "d", "e"];
  await sendTo(workspace, ...names);
  const found: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await workspace.result(LIST, { pageSize: 2, ...(pageToken && { pageToken }) });
    expect(page.data.length).toBeLessThanOrEqual(2);
    found.push(...page.data.map(({ to }) => to.slice(0, 1)));
    pageToken = page.pageToken;
    await sendTo(workspace, "later");
  } while (pageToken);
  expect(found).toEqual(names.toReversed());
});

test("the mails of another workspace, and those of no workspace, are neither listed nor read", async () => {
  const [mine, theirs] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
  await sendTo(theirs, "ada");
  const id = "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111";
  const address = { name: "", address: "owner@example.com" };
  const mail = { id, from: address, to: address, createdAt: Date.now(), subject: "Sign in", text: "link", html: "" };
  await new Outbox(folder).keep(mail, undefined);
  expect(await list(mine)).toEqual([]);
  const [theirMail] = await list(theirs);
  for (const mailId of [theirMail?.id, id]) {
    expect(await mine.error(READ, { mailId })).toMatchObject({ status: "NOT_FOUND", httpStatus: 404 });
  }
});

test("no id leads to another file", async () => {
  const [workspace, other] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
  await sendTo(workspace, "ada");
  await sendTo(other, "grace");
  const names = (await readdir(folder)).flatMap((name) => [name, name.replace(".eml", ""), `../outbox/${name}`]);
  const [mail] = await list(other);
  const hostile = ["../secret-key", "..", "/etc/passwd", "*", "", "%2e%2e%2fsecret-key", `${mail?.id}.eml`, ...names];
  for (const mailId of hostile) {
    const error = await workspace.error(READ, { mailId });
    expect(error, mailId).toMatchObject({ status: mailId === "" ? "INVALID_ARGUMENT" : "NOT_FOUND" });
  }
});

test("the mails of a disabled organization are neither listed nor read", async () => {
  const workspace = await workspaceWithReply();
  const [mail] = await list(workspace);
  const disable = (disabled: boolean) =>
    workspace.data("/v2/organizations/access/disablestate/update", {
      organizationIds: [SCOPE.organizationId],
      disabled,
    });
  await disable(true);
  expect(await list(workspace)).toEqual([]);
  expect(await workspace.error(READ, { mailId: mail?.id ?? "" })).toMatchObject({ status: "NOT_FOUND" });
  await disable(false);
  expect(await list(workspace)).toEqual([mail]);
});

test("the mails of a deleted organization are deleted, and do not return with a new one of the same id", async () => {
  const workspace = await workspaceWithReply();
  await sendTo(workspace, "ada");
  const getWorkspaceFiles = async () => (await readdir(folder)).filter((name) => name.includes(workspace.id));
  expect(await getWorkspaceFiles()).toHaveLength(2);
  await workspace.data("/v2/organizations/delete", { organizationIds: [SCOPE.organizationId] });
  const left = await list(workspace);
  expect(left).toMatchObject([{ to: "ada@example.com" }]);
  const isFree = async () => (await workspace.call("/v2/activities/get", { ...SCOPE })).httpStatus;
  await expect.poll(isFree).toBe(200);
  await addActivities(workspace, ["again"]);
  expect(await list(workspace)).toEqual(left);
  await expect.poll(getWorkspaceFiles).toEqual([expect.stringContaining(`${left[0]?.id}.eml`)]);
});
