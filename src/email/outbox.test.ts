import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, onTestFinished, test } from "vitest";
import { type OrganizationKey, toOrganizationKey, type UserKey } from "../database/keys.ts";
import { userKey } from "../features/tenancy/organization-key.ts";
import { Outbox } from "./outbox.ts";

const MAIL = {
  id: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111",
  createdAt: 1_760_000_000_000,
  from: { name: "Acme", address: "notices@example.com" },
  to: { name: "Grace\r\nBcc: eve@example.com", address: "grace@example.com" },
  subject: "Ada commented\r\nX-Injected: 1",
  text: "Hello\n",
  html: "<p>Hello</p>",
};
const [ACME, GLOBEX] = [toOrganizationKey("a".repeat(32)), toOrganizationKey("b".repeat(32))];
const [OURS, THEIRS] = ["0199f7d2-0000-7000-8000-000000000001", "0199f7d2-0000-7000-8000-000000000002"];
const [GRACE, ADA, ALAN] = [userKey("grace"), userKey("ada"), userKey("alan")];

async function outbox() {
  const parent = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "outbox");
  return { outbox: new Outbox(folder), folder };
}

test("a mail is one file, readable by its owner and by mail programs, without injected headers", async () => {
  const { outbox: box, folder } = await outbox();
  await box.keep(MAIL, { workspaceId: OURS, organizationKey: ACME, userKeys: [GRACE, ADA] });
  const name = `2025-10-09T08-53-20-000Z-${OURS}-${ACME}-${MAIL.id}.eml`;
  expect(await readdir(folder)).toEqual([name]);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  const mail = await PostalMime.parse(await readFile(join(folder, name)));
  expect(mail.headers.map(({ key }) => key).sort()).toEqual(
    [
      ...["x-colloquy-people", "auto-submitted", "list-unsubscribe", "from", "to", "subject", "message-id", "date"],
      ...["mime-version", "content-type"],
    ].sort(),
  );
  expect(mail.to).toEqual([{ name: expect.stringContaining("Grace"), address: "grace@example.com" }]);
  expect(mail.bcc).toBeUndefined();
});

test("storing a mail twice keeps one file", async () => {
  const { outbox: box, folder } = await outbox();
  for (const _time of [1, 2]) await box.keep(MAIL, { workspaceId: OURS, organizationKey: ACME, userKeys: [GRACE] });
  expect(await readdir(folder)).toHaveLength(1);
});

test("purging deletes the mails of an organization, or of none, that concern the users, and no others", async () => {
  const { outbox: box, folder } = await outbox();
  const owner = { organizationKey: ACME };
  const hasGrace = (text: string) => text.includes(GRACE) || text.includes("grâce@example.com");
  expect(await box.purge(owner, MAIL.createdAt, hasGrace)).toBe(0);
  const keep = (id: string, organizationKey: OrganizationKey, userKeys: UserKey[]) =>
    box.keep({ ...MAIL, id }, { workspaceId: OURS, organizationKey, userKeys });
  await keep("to-grace", ACME, [GRACE, ADA]);
  await keep("of-grace", ACME, [ADA, ALAN, GRACE]);
  await keep("of-others", ACME, [ADA, ALAN]);
  await keep("elsewhere", GLOBEX, [GRACE]);
  const text = `${"long ".repeat(20)}grâce@example.com`;
  await box.keep({ ...MAIL, id: "naming-grace", text }, { workspaceId: OURS, organizationKey: ACME, userKeys: [ADA] });
  const subject = "😀 to grâce@example.com 😀";
  await box.keep({ ...MAIL, id: "titled", subject }, { workspaceId: OURS, organizationKey: ACME, userKeys: [ADA] });
  const later = MAIL.createdAt + 1;
  await box.keep(
    { ...MAIL, id: "later", createdAt: later },
    { workspaceId: OURS, organizationKey: ACME, userKeys: [GRACE] },
  );
  const getId = (digit: string) => MAIL.id.slice(0, -1) + digit;
  await box.keep({ ...MAIL, id: getId("2"), text }, { workspaceId: OURS, userKeys: [] });
  await box.keep({ ...MAIL, id: getId("3"), text }, { workspaceId: THEIRS, userKeys: [] });
  await box.keep({ ...MAIL, id: getId("4"), text }, { workspaceId: OURS, organizationKey: GLOBEX, userKeys: [] });
  await box.keep({ ...MAIL, id: getId("5"), text }, undefined);
  expect(await box.purge(owner, MAIL.createdAt, hasGrace)).toBe(4);
  expect(await box.purge({ workspaceId: OURS }, MAIL.createdAt, hasGrace)).toBe(1);
  const left = (await readdir(folder)).sort();
  expect(left).toEqual([
    expect.stringContaining("of-others"),
    expect.stringContaining(`${OURS}-${GLOBEX}-${getId("4")}`),
    expect.stringContaining("elsewhere"),
    expect.stringContaining(`${THEIRS}-${getId("3")}`),
    expect.stringContaining(`Z-service-${getId("5")}`),
    expect.stringContaining("later"),
  ]);
});

test("purging an organization deletes its mails, but not those of a later one with the same key", async () => {
  const { outbox: box, folder } = await outbox();
  await box.purgeOrganization(ACME, MAIL.createdAt);
  const keep = (id: string, createdAt: number, organizationKey?: OrganizationKey) =>
    box.keep(
      { ...MAIL, id, createdAt },
      { workspaceId: OURS, userKeys: [], ...(organizationKey && { organizationKey }) },
    );
  await keep("earlier", MAIL.createdAt - 1, ACME);
  await keep("then", MAIL.createdAt, ACME);
  await keep("elsewhere", MAIL.createdAt, GLOBEX);
  await keep("nowhere", MAIL.createdAt);
  await keep("later", MAIL.createdAt + 1, ACME);
  await box.purgeOrganization(ACME, MAIL.createdAt);
  const left = (await readdir(folder)).map((name) => name.split("-").at(-1));
  expect(left.sort()).toEqual(["elsewhere.eml", "later.eml", "nowhere.eml"]);
});

test("a list has the mails of the workspace, newest first, and no others", async () => {
  const { outbox: box, folder } = await outbox();
  expect(await box.list(OURS)).toEqual([]);
  const { createdAt } = MAIL;
  const second = { ...MAIL, id: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c222", createdAt: createdAt + 1 };
  await box.keep(MAIL, { workspaceId: OURS, organizationKey: ACME, userKeys: [GRACE] });
  await box.keep(second, { workspaceId: OURS, userKeys: [] });
  await box.keep({ ...MAIL, id: OURS }, undefined);
  await box.keep({ ...MAIL, id: OURS }, { workspaceId: THEIRS, userKeys: [] });
  await box.keep({ ...MAIL, id: `${OURS}-${OURS}` }, undefined);
  await writeFile(join(folder, `2025-10-09T08-53-20-000Z-${OURS}-note.txt`), "");
  expect(await box.list(OURS)).toEqual([
    { id: second.id, createdAt: createdAt + 1, organizationKey: undefined, name: expect.stringContaining(second.id) },
    { id: MAIL.id, createdAt, organizationKey: ACME, name: expect.stringContaining(`${OURS}-${ACME}-${MAIL.id}`) },
  ]);
});

test("a mail is read back in any script, and is undefined once its file is deleted", async () => {
  const { outbox: box, folder } = await outbox();
  const mail = { ...MAIL, subject: "Grâce répond 😀", text: "é=20\n\n".repeat(99), html: `<p>${"😀".repeat(99)}</p>` };
  const userKeys = Array<UserKey>(100).fill(GRACE);
  await box.keep(
    { ...mail, to: { name: "Grâce, Hopper", address: "grace@example.com" } },
    { workspaceId: OURS, userKeys },
  );
  const [entry = expect.fail()] = await box.list(OURS);
  const headers = {
    from: "Acme <notices@example.com>",
    to: "Grâce, Hopper <grace@example.com>",
    subject: "Grâce répond 😀",
  };
  expect(await box.readHeaders(entry)).toEqual(headers);
  const read = await box.read(entry);
  expect(read).toEqual({ ...headers, text: expect.any(String), html: expect.any(String) });
  expect([read?.text.trim(), read?.html.trim()]).toEqual([mail.text.trim(), mail.html]);
  await rm(folder, { recursive: true });
  expect([await box.readHeaders(entry), await box.read(entry)]).toEqual([undefined, undefined]);
});
