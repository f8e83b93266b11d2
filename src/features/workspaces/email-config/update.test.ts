import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import type { Api } from "../../../operations.ts";
import { startService } from "../../../service/service.ts";

const GET = "/v2/workspace/emailconfig/get";
const PATH = "/v2/workspace/emailconfig/update";
const service = await startOwnTestService();

type Settings = NonNullable<Api[typeof PATH]["request"]["emailServiceConfig"]>;

const FULL = {
  type: "sendgrid" as const,
  apiKey: "SG.key",
  fromEmail: "notices@example.com",
  fromCompany: "Größe & Co. 🙂",
  commentTemplateId: "comment-1",
  tagTemplateId: "tag-1",
  triggers: { "comment.add": true, "comment_annotation.assign": false },
};

function update(
  workspace: TestWorkspace,
  emailServiceConfig: Settings,
  more: Partial<Api[typeof PATH]["request"]> = {},
) {
  return workspace.data(PATH, { emailServiceConfig, ...more });
}

function read(workspace: TestWorkspace) {
  return workspace.data(GET, {});
}

test("an update is read back, and the response has null as its data", async () => {
  const workspace = await service.workspace();
  expect(await update(workspace, FULL, { useEmailService: true })).toBeNull();
  expect(await read(workspace)).toEqual({ useEmailService: true, emailServiceConfig: FULL });
});

test.each(Object.entries(FULL))("%s can be set alone, and omitted fields stay", async (field, value) => {
  const workspace = await service.workspace();
  const before = {
    ...FULL,
    type: "postmark" as const,
    apiKey: "old",
    fromEmail: "old@example.com",
    fromCompany: "Old",
  };
  await update(workspace, { ...before, triggers: { "comment.add": false } });
  await update(workspace, { [field]: value });
  const apiKey = field === "type" ? "" : before.apiKey;
  const expected = { ...before, apiKey, triggers: { "comment.add": false }, [field]: value };
  expect((await read(workspace)).emailServiceConfig).toEqual(expected);
});

test("the provider key is not kept for another provider", async () => {
  const workspace = await service.workspace();
  await update(workspace, FULL, { useEmailService: true });
  expect(await workspace.error(PATH, { emailServiceConfig: { type: "resend" } })).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.emailServiceConfig.apiKey is required to use resend",
    details: { issues: [{ path: "data.emailServiceConfig.apiKey", message: "is required to use resend" }] },
  });
  expect(await read(workspace)).toEqual({ useEmailService: true, emailServiceConfig: FULL });
  await update(workspace, { type: "default" });
  await workspace.data(PATH, { useEmailService: false, emailServiceConfig: { type: "sendgrid" } });
  expect(await read(workspace)).toMatchObject({ emailServiceConfig: { type: "sendgrid", apiKey: "" } });
});

test("sending the current type keeps the provider key, and another type takes the key of the request", async () => {
  const workspace = await service.workspace();
  await update(workspace, FULL, { useEmailService: true });
  await update(workspace, { type: FULL.type });
  expect(await read(workspace)).toMatchObject({ emailServiceConfig: { apiKey: FULL.apiKey } });
  await update(workspace, { type: "resend", apiKey: "new" });
  expect(await read(workspace)).toMatchObject({ emailServiceConfig: { type: "resend", apiKey: "new" } });
});

test("useEmailService can be turned on and off alone", async () => {
  const workspace = await service.workspace();
  await update(workspace, FULL);
  for (const useEmailService of [true, false, true]) {
    await workspace.data(PATH, { useEmailService });
    expect(await read(workspace)).toEqual({ useEmailService, emailServiceConfig: FULL });
  }
});

test("triggers merge by name, and unknown and hostile names are stored", async () => {
  const workspace = await service.workspace();
  await update(workspace, { triggers: { "comment.add": true, "comment_annotation.add": true } });
  const more = '{"comment.add":false,"reaction.add":true,"__proto__":true,"constructor":false,"a\\u0000b\\nc":true}';
  await workspace.call(PATH, `{"data":{"emailServiceConfig":{"triggers":${more}}}}`);
  const { body } = await workspace.call(GET, {});
  const merged = `{"comment.add":false,"comment_annotation.add":true,${more.slice(more.indexOf('"reaction'))}`;
  expect(JSON.stringify(body)).toContain(`"triggers":${JSON.stringify(JSON.parse(merged))}`);
});

test("empty texts unset a field, and an empty provider key removes it", async () => {
  const workspace = await service.workspace();
  await update(workspace, FULL);
  await update(workspace, { type: "default", apiKey: "", fromEmail: "", fromCompany: "" });
  const unset = { ...FULL, type: "default", apiKey: "", fromEmail: "", fromCompany: "" };
  expect((await read(workspace)).emailServiceConfig).toEqual(unset);
});

test.each([
  ["nothing", {}, /^data must have at least one of useEmailService, emailServiceConfig/],
  ["a mistyped field", { useEmailServices: true }, /^data.useEmailServices is not .* Did you mean useEmailService\?$/],
  ["a text for useEmailService", { useEmailService: "true" }, /^data.useEmailService must be a boolean/],
  ["null for emailServiceConfig", { emailServiceConfig: null }, /^data.emailServiceConfig must be an object/],
  [
    "an unknown type",
    { emailServiceConfig: { type: "pigeon" } },
    /^data.emailServiceConfig.type must be one of default, /,
  ],
  ["a type in another case", { emailServiceConfig: { type: "SendGrid" } }, /^data.emailServiceConfig.type must be/],
  ["an empty type", { emailServiceConfig: { type: "" } }, /^data.emailServiceConfig.type must be/],
  [
    "a malformed address",
    { emailServiceConfig: { fromEmail: "notices" } },
    /^data.emailServiceConfig.fromEmail must be an email/,
  ],
  ["an address with a name", { emailServiceConfig: { fromEmail: "Ada <a@b.cd>" } }, /fromEmail must be an email/],
  ["a header in the address", { emailServiceConfig: { fromEmail: "a@b.cd\r\nBcc: e@f.gh" } }, /fromEmail must be/],
  ["a header in the company", { emailServiceConfig: { fromCompany: "A\r\nBcc: e@f.gh" } }, /fromCompany must have no/],
  ["U+0000 in the key", { emailServiceConfig: { apiKey: "a\0b" } }, /apiKey must have no/],
  ["a lone surrogate in the key", { emailServiceConfig: { apiKey: "\ud800" } }, /apiKey must have no/],
  ["a key of 4,097 characters", { emailServiceConfig: { apiKey: "x".repeat(4097) } }, /apiKey must have at most/],
  ["a number as the key", { emailServiceConfig: { apiKey: 7 } }, /apiKey must be a string/],
  [
    "a trigger that is not a boolean",
    { emailServiceConfig: { triggers: { "comment.add": "yes" } } },
    /triggers\["comment\.add"\] must be a boolean$/,
  ],
  ["a trigger name with a line break", { emailServiceConfig: { triggers: { "a\nb": 1 } } }, /must be a boolean$/],
  ["triggers that are a list", { emailServiceConfig: { triggers: [true] } }, /triggers must be an object/],
  [
    "a trigger name of 257 characters",
    { emailServiceConfig: { triggers: { ["x".repeat(257)]: true } } },
    /at most 256/,
  ],
  [
    "101 triggers",
    { emailServiceConfig: { triggers: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, true])) } },
    /100 properties/,
  ],
])("%s is INVALID_ARGUMENT and changes nothing", async (_title, data, message) => {
  const workspace = await service.workspace();
  await update(workspace, FULL);
  const error = await workspace.error(PATH, data);
  expect(error).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT", message: expect.stringMatching(message) });
  expect(await read(workspace)).toEqual({ useEmailService: false, emailServiceConfig: FULL });
});

test("too many triggers together with the stored ones are INVALID_ARGUMENT and nothing is changed", async () => {
  const workspace = await service.workspace();
  const named = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}-${index}`, true]));
  await update(workspace, { triggers: named("a", 60) });
  const error = await workspace.error(PATH, { emailServiceConfig: { triggers: named("b", 41) } });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringContaining("more than 100"),
    details: { issues: [{ path: "data.emailServiceConfig.triggers" }] },
  });
  expect(await read(workspace)).toMatchObject({ emailServiceConfig: { triggers: named("a", 60) } });
});

test.each<[string, Settings, string]>([
  ["without a key", { type: "postmark", fromEmail: "a@b.cd" }, "apiKey is required"],
  ["without an address", { type: "postmark", apiKey: "secret-key" }, "fromEmail is required"],
  ["with a key of another form", { type: "smtp", apiKey: "secret-key", fromEmail: "a@b.cd" }, "apiKey must be"],
])(
  "turning on a provider %s is INVALID_ARGUMENT, in one call or two, and changes nothing",
  async (_title, config, message) => {
    const workspace = await service.workspace();
    const rejected = { httpStatus: 400, status: "INVALID_ARGUMENT", message: expect.stringContaining(message) };
    const atOnce = await workspace.error(PATH, { useEmailService: true, emailServiceConfig: config });
    expect(atOnce).toMatchObject(rejected);
    expect(await read(workspace)).toMatchObject({ useEmailService: false, emailServiceConfig: { type: "default" } });
    await update(workspace, config);
    const later = await workspace.error(PATH, { useEmailService: true });
    expect(later).toMatchObject(rejected);
    expect(JSON.stringify([atOnce, later])).not.toContain("secret-key");
    expect(await read(workspace)).toMatchObject({ useEmailService: false, emailServiceConfig: config });
  },
);

test("the fields that an active provider needs cannot be removed", async () => {
  const workspace = await service.workspace();
  await update(workspace, FULL, { useEmailService: true });
  for (const missing of [{ apiKey: "" }, { fromEmail: "" }, { type: "smtp" }]) {
    expect(await workspace.error(PATH, { emailServiceConfig: missing })).toMatchObject({ status: "INVALID_ARGUMENT" });
  }
  expect(await read(workspace)).toEqual({ useEmailService: true, emailServiceConfig: FULL });
  await update(workspace, { apiKey: "" }, { useEmailService: false });
});

test("the service's own mail server can be turned on without further settings", async () => {
  const workspace = await service.workspace();
  await workspace.data(PATH, { useEmailService: true });
  expect(await read(workspace)).toMatchObject({ useEmailService: true, emailServiceConfig: { type: "default" } });
});

test("concurrent updates are all stored", async () => {
  const workspace = await service.workspace();
  const names = Array.from({ length: 30 }, (_, index) => `trigger-${index}`);
  const changes = [
    ...names.map((name) => ({ triggers: { [name]: true } })),
    { fromCompany: "Acme" },
    { apiKey: "key" },
  ];
  await Promise.all(changes.map((change) => update(workspace, change)));
  const { triggers, ...rest } = Object((await read(workspace)).emailServiceConfig);
  expect(Object.keys(triggers).toSorted()).toEqual(names.toSorted());
  expect(rest).toMatchObject({ fromCompany: "Acme", apiKey: "key" });
});

test("the provider key is not in the database in plain text, and encrypted differently with every update", async () => {
  const workspace = await service.workspace();
  const apiKey = "plain-text-of-the-key";
  const kept = new Set<string>();
  for (let round = 0; round < 2; round++) {
    await update(workspace, { ...FULL, apiKey }, { useEmailService: true });
    const rows = await runSql<{ row: string; key: Buffer }>(
      service.database,
      `select c::text || w::text as row, c.api_key as key
       from email_configs c join workspaces w on w.id = workspace_id where workspace_id = $1`,
      [workspace.id],
    );
    const [{ row, key } = { row: "", key: Buffer.of() }] = rows;
    expect(row).toContain("notices@example.com");
    for (const text of [apiKey, Buffer.from(apiKey).toString("hex"), Buffer.from(apiKey).toString("base64")]) {
      expect(row).not.toContain(text);
    }
    expect(key).toHaveLength(12 + apiKey.length + 16);
    kept.add(key.toString("hex"));
  }
  expect(kept.size).toBe(2);
});

test("a provider key cannot be decrypted in the row of another workspace", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await update(theirs, { apiKey: "theirs" });
  await update(mine, { apiKey: "mine" });
  await runSql(
    service.database,
    `update email_configs set api_key = (select api_key from email_configs where workspace_id = $2)
     where workspace_id = $1`,
    [mine.id, theirs.id],
  );
  expect(await mine.error(GET, {})).toMatchObject({ details: { reason: "secret_unreadable" } });
});

test("the provider key is not in the log, at any level, whether an update succeeds, is rejected or fails", async () => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const logging = await startService({ ...service.config, logLevel: "trace" }, log);
  onTestFinished(() => logging.stop());
  const workspace = (await service.workspace()).at(logging.address);
  const apiKey = "key-that-nobody-may-log";
  await update(workspace, { ...FULL, apiKey }, { useEmailService: true });
  await read(workspace);
  await workspace.error(PATH, { useEmailService: true, emailServiceConfig: { type: "smtp", apiKey } });
  await workspace.error(PATH, { emailServiceConfig: { apiKey, type: apiKey, fromEmail: apiKey } });
  await workspace.call(PATH, `{"data":{"emailServiceConfig":{"apiKey":"${apiKey}"}`);
  await runSql(service.database, "alter table email_configs rename to hidden");
  await workspace.error(PATH, { emailServiceConfig: { apiKey } });
  await runSql(service.database, "alter table hidden rename to email_configs");
  expect(lines.filter((line) => line.includes(PATH)).length).toBeGreaterThan(3);
  expect(lines.join()).toContain("a request failed");
  expect(lines.join()).not.toContain(apiKey);
});
