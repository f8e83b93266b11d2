import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, onTestFinished, test } from "vitest";
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
const [ACME, GLOBEX] = ["a".repeat(32), "b".repeat(32)];
const [GRACE, ADA, ALAN] = ["1".repeat(32), "2".repeat(32), "3".repeat(32)];

async function outbox() {
  const parent = await mkdtemp(join(tmpdir(), "colloquy-test-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "outbox");
  return { outbox: new Outbox(folder), folder };
}

test("a mail is one file for its owner's eyes, which mail programs read, without a slipped-in header", async () => {
  const { outbox: box, folder } = await outbox();
  await box.keep(MAIL, { organizationKey: ACME, people: [GRACE, ADA] });
  const name = `2025-10-09T08-53-20-000Z-${ACME}-${MAIL.id}.eml`;
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

test("a mail that is kept twice is there once", async () => {
  const { outbox: box, folder } = await outbox();
  for (const _time of [1, 2]) await box.keep(MAIL, { organizationKey: ACME, people: [GRACE] });
  expect(await readdir(folder)).toHaveLength(1);
});

test("erasing takes what concerns the users of the organization, and nothing else", async () => {
  const { outbox: box, folder } = await outbox();
  const hasGrace = (text: string) => text.includes(GRACE) || text.includes("grâce@example.com");
  expect(await box.erase(ACME, MAIL.createdAt, hasGrace)).toBe(0);
  const keep = (id: string, organizationKey: string, people: string[]) =>
    box.keep({ ...MAIL, id }, { organizationKey, people });
  await keep("to-grace", ACME, [GRACE, ADA]);
  await keep("of-grace", ACME, [ADA, ALAN, GRACE]);
  await keep("of-others", ACME, [ADA, ALAN]);
  await keep("elsewhere", GLOBEX, [GRACE]);
  const text = `${"long ".repeat(20)}grâce@example.com`;
  await box.keep({ ...MAIL, id: "naming-grace", text }, { organizationKey: ACME, people: [ADA] });
  const later = MAIL.createdAt + 1;
  await box.keep({ ...MAIL, id: "later", createdAt: later }, { organizationKey: ACME, people: [GRACE] });
  expect(await box.erase(ACME, MAIL.createdAt, hasGrace)).toBe(3);
  const left = (await readdir(folder)).sort();
  expect(left).toEqual([
    expect.stringContaining("of-others"),
    expect.stringContaining("elsewhere"),
    expect.stringContaining("later"),
  ]);
});
