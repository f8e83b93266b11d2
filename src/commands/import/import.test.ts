import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, runCommand, startProcess } from "../../../test/command-line.ts";
import { readAnnotations } from "../../../test/comments.ts";
import { eventually } from "../../../test/eventually.ts";
import { comparable, exportWorkspace, writeExport } from "../../../test/exports.ts";
import type { TestWorkspace } from "../../../test/harness.ts";
import {
  ACME,
  ACTIVITY,
  ADA,
  ANNOTATION,
  COMMENT,
  CONTRACT,
  ENVIRONMENT,
  fillWithAllKinds,
  GRACE,
  runImport,
  service,
} from "../../../test/imports.ts";
import { allowMails, countMails } from "../../../test/mails.ts";
import { explain } from "../../../test/permissions.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";

test("a workspace reads the same in another one after an import, and a second import adds nothing", async () => {
  const [source, target, other] = await Promise.all([service.workspace(), service.workspace(), service.workspace()]);
  await fillWithAllKinds(source);
  const exported = await exportWorkspace(source);
  const path = await writeExport(exported);
  expect(await runImport(target, path)).toMatchObject({
    exitCode: 0,
    stderr: "",
    counts: {
      organizations: { added: 1, existed: 0, rejected: 0 },
      documents: { added: 2 },
      users: { added: 5 },
      commentAnnotations: { added: 4 },
      notifications: { added: 1 },
      activities: { added: 3 },
      rejectedLines: 0,
    },
  });
  const imported = await exportWorkspace(target);
  expect(comparable(imported)).toEqual(comparable(exported));
  const { counts } = await runImport(target, path);
  for (const { added = 0, rejected = 0 } of Object.values<{ added?: number; rejected?: number }>(counts))
    expect({ added, rejected }).toEqual({ added: 0, rejected: 0 });
  expect(await exportWorkspace(target)).toEqual(imported);
  expect(await exportWorkspace(other)).toEqual([{ organizations: [] }]);
});

/** Returns lines of new activities, each with `size` of them. */
function activityLines(lines: number, size: number) {
  const metadata = CONTRACT;
  const fields = { featureType: "custom", actionType: "edit", actionUser: ADA, targetEntityId: "clause", metadata };
  return Array.from({ length: lines }, (_, line) => ({
    activities: Array.from({ length: size }, (_, index) => ({ ...fields, id: `${line}-${index}` })),
  }));
}

async function activityIds(workspace: TestWorkspace): Promise<string[]> {
  const activities = await workspace.data("/v2/activities/get", { ...ACME, order: "asc" });
  return activities.map(({ id }) => id);
}

test("an annotation whose author was deleted does not get another author", async () => {
  const [source, target] = await Promise.all([service.workspace(), service.workspace()]);
  const commentData = [ADA, GRACE].map((from) => ({ from, commentText: "Hello" }));
  await source.data("/v2/commentannotations/add", { ...CONTRACT, commentAnnotations: [{ commentData }] });
  await deleteUserDataAndWait(source, [ADA.userId]);
  await runImport(target, await writeExport(await exportWorkspace(source)));
  const [annotation] = await readAnnotations(target, CONTRACT);
  expect(annotation).not.toHaveProperty("from");
  expect(annotation?.comments).toMatchObject([{ from: GRACE }]);
});

test("an import that is killed goes on where it was", async () => {
  const workspace = await service.workspace();
  const lines = activityLines(6, 100);
  const path = await writeExport(lines);
  const pipe = join(await emptyFolder(), "pipe.ndjson");
  execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
  const importing = startProcess(["import", pipe, "--workspace", workspace.id], ENVIRONMENT);
  const started = (await readFile(path, "utf8")).split("\n").slice(0, 3);
  const file = await open(pipe, "w");
  await appendFile(file, `${started.join("\n")}\n`);
  await eventually(async () => expect(await activityIds(workspace)).toHaveLength(300));
  importing.kill("SIGKILL");
  await once(importing, "close");
  await file.close();
  const { exitCode, counts } = await runImport(workspace, path);
  expect({ exitCode, counts }).toMatchObject({ exitCode: 0, counts: { activities: { added: 300, existed: 300 } } });
  const sent = lines.flatMap(({ activities }) => activities.map(({ id }) => id));
  expect(await activityIds(workspace)).toEqual(sent);
});

test("--check needs no database and writes nothing", async () => {
  const path = await writeExport(activityLines(2, 3));
  const { stdout, exitCode } = await runCommand(["import", path, "--check"], { DATA_DIR: join(path, "missing") });
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/activities +6 +0\n/), exitCode: 0 });
});

test("records that have changed since the first import stay as they are", async () => {
  const workspace = await service.workspace();
  const path = await writeExport([{ ...ACME, users: [ADA] }, { activities: [ACTIVITY] }]);
  await runImport(workspace, path);
  const changed = { ...ADA, name: "Ada King" };
  await workspace.data("/v2/users/add", { ...ACME, users: [changed] });
  await workspace.data("/v2/activities/update", { ...ACME, activities: [{ id: "x", actionIcon: "pen" }] });
  expect((await runImport(workspace, path)).counts.users).toEqual({ added: 0, existed: 1, rejected: 0 });
  expect(await workspace.data("/v2/users/get", ACME)).toMatchObject([changed]);
  expect(await workspace.data("/v2/activities/get", ACME)).toMatchObject([{ actionIcon: "pen" }]);
});

test("organizations, documents and users that were created implicitly get their names and metadata", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/activities/add", { ...CONTRACT, activities: [{ ...buildActivity(ACTIVITY) }] });
  await workspace.data("/v2/organizations/usergroups/users/add", {
    ...ACME,
    organizationUserGroupId: "legal",
    userIds: ["ada"],
  });
  const path = await writeExport([
    { organizations: [{ id: "acme", organizationName: "Acme", disabled: false, plan: "team" }] },
    { ...ACME, documents: [{ id: "contract", documentName: "Contract", accessType: "restricted" }], users: [ADA] },
    { ...ACME, organizationUserGroups: [{ groupId: "legal", groupName: "Legal", userIds: ["grace"] }] },
  ]);
  expect((await runImport(workspace, path)).exitCode).toBe(0);
  expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([{ organizationName: "Acme", plan: "team" }]);
  expect(await workspace.data("/v2/organizations/documents/get", ACME)).toMatchObject([
    { documentName: "Contract", accessType: "restricted" },
  ]);
  expect(await workspace.data("/v2/users/get", { ...ACME, userIds: ["ada"] })).toMatchObject([ADA]);
  expect(await workspace.data("/v2/organizations/usergroups/get", ACME)).toEqual([
    { groupId: "legal", groupName: "Legal", userIds: ["ada", "grace"] },
  ]);
});

/** Returns an exported activity as it is added. */
function buildActivity({ metadata: _, ...activity }: typeof ACTIVITY) {
  return { ...activity, featureType: "custom" as const };
}

test("an organization is disabled after its records, and a second import leaves it and them alone", async () => {
  const workspace = await service.workspace();
  const organizations = [{ id: "acme", organizationName: "Acme", disabled: true }];
  const path = await writeExport([{ organizations }, { commentAnnotations: [ANNOTATION] }]);
  for (const counts of [{ added: 1 }, { existed: 1 }]) {
    expect(await runImport(workspace, path)).toMatchObject({ exitCode: 0, counts: { commentAnnotations: counts } });
    expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([{ id: "acme", disabled: true }]);
  }
  const audited = await workspace.data("/v2/workspace/audit/get", {});
  expect(audited.filter(({ action }) => action === "organization_access.update")).toMatchObject([
    { actor: { type: "command_line" }, target: { organizationIds: ["acme"], disabled: true } },
  ]);
});

test("a document is disabled after its records, and a second import leaves it and them alone", async () => {
  const workspace = await service.workspace();
  const documents = [{ id: "contract", documentName: "Contract", disabled: true }];
  const path = await writeExport([
    { ...ACME, documents },
    { commentAnnotations: [ANNOTATION], activities: [ACTIVITY] },
  ]);
  for (const counts of [{ added: 1 }, { existed: 1 }]) {
    const expected = { documents: counts, commentAnnotations: counts, activities: counts };
    expect(await runImport(workspace, path)).toMatchObject({ exitCode: 0, counts: expected });
    const read = await workspace.data("/v2/organizations/documents/get", ACME);
    expect(read).toMatchObject([{ id: "contract", documentName: "Contract", disabled: true }]);
  }
  const enabled = { ...ACME, documentIds: ["contract"], disabled: false };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", enabled);
  expect(await workspace.data("/v2/commentannotations/get", CONTRACT)).toMatchObject([{ annotationId: "a" }]);
});

test("nothing is disabled while records are rejected, so that corrected ones can be imported", async () => {
  const workspace = await service.workspace();
  const organizations = [{ id: "acme", disabled: true }];
  const wrong = { ...ANNOTATION, annotationId: "b", comments: [{ ...COMMENT, from: {} }] };
  const path = await writeExport([{ organizations }, { commentAnnotations: [ANNOTATION, wrong] }]);
  expect(await runImport(workspace, path)).toMatchObject({
    exitCode: 1,
    counts: { commentAnnotations: { rejected: 1 } },
  });
  expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([{ id: "acme", disabled: false }]);
  const mended = { ...wrong, comments: [COMMENT] };
  const second = await writeExport([{ organizations }, { commentAnnotations: [ANNOTATION, mended] }]);
  expect(await runImport(workspace, second)).toMatchObject({
    exitCode: 0,
    counts: { commentAnnotations: { added: 1, existed: 1, rejected: 0 } },
  });
  expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([{ id: "acme", disabled: true }]);
});

test("a user with a record gets the missing permission and keeps the record", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/users/add", { ...ACME, users: [{ ...ADA, accessRole: "editor" }] });
  const exported = { ...ADA, name: "A. Lovelace", accessRole: "viewer" };
  const path = await writeExport([
    { ...CONTRACT, users: [exported] },
    { ...ACME, users: [exported] },
  ]);
  expect((await runImport(workspace, path)).counts.users).toEqual({ added: 1, existed: 1, rejected: 0 });
  expect(await workspace.data("/v2/users/get", CONTRACT)).toEqual([{ ...ADA, accessRole: "viewer", initial: "A" }]);
  expect(await workspace.data("/v2/users/get", ACME)).toEqual([{ ...ADA, accessRole: "editor", initial: "A" }]);
});

test("roles and permissions on rooms become roles", async () => {
  const workspace = await service.workspace();
  const roles = [
    ...["viewer", "commenter", "moderator", ["room:write"], ["*:write", "comments:write"]],
    ...[["room:read", "room:presence:write"], ["*:read", "comments:read"], ["room:read", "comments:write"], []],
  ];
  const exported = roles.map((accessRole, index) => ({ userId: `user-${index}`, name: "Ada", accessRole }));
  const path = await writeExport([{ ...CONTRACT, users: exported }]);
  expect((await runImport(workspace, path)).counts.users).toEqual({ added: 9, existed: 0, rejected: 0 });
  const { users } = await explain(workspace, { documentId: "contract" });
  expect(users.map(({ accessRole }) => accessRole)).toEqual([
    ...["viewer", "commenter", "moderator", "editor", "editor", "viewer", "viewer", "commenter"],
  ]);
});

test("the initial of an imported user follows the name, unless it was another one", async () => {
  const workspace = await service.workspace();
  const users = [
    { ...ADA, initial: "A" },
    { ...GRACE, initial: "GH" },
  ];
  await runImport(workspace, await writeExport([{ ...ACME, users }]));
  const renamed = ["ada", "grace"].map((userId) => ({ userId, name: "Zoe" }));
  await workspace.data("/v2/users/update", { ...ACME, users: renamed });
  expect(await workspace.data("/v2/users/get", ACME)).toMatchObject([{ initial: "Z" }, { initial: "GH" }]);
});

test("imported comments send neither notifications nor mails", async () => {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, ["comment_annotation.add", "comment.add"]);
  const contact = { email: "grace@example.com" };
  const tagged = { ...COMMENT, taggedUserContacts: [{ userId: "grace", contact }] };
  const path = await writeExport([{ commentAnnotations: [{ ...ANNOTATION, comments: [tagged] }] }]);
  expect((await runImport(workspace, path)).exitCode).toBe(0);
  expect(await workspace.data("/v2/notifications/get", CONTRACT)).toEqual([]);
  const reply = { ...CONTRACT, annotationId: "a", commentData: [{ ...tagged, commentId: 2 }] };
  await workspace.data("/v2/commentannotations/comments/add", reply);
  const outbox = () => workspace.data("/v2/workspace/outbox/get", {});
  await eventually(async () => expect((await outbox()).length).toBeGreaterThan(0));
  await eventually(async () => expect(await countMails(service.database, workspace)).toBe(0));
  expect(await outbox()).toHaveLength(1);
});

test("the files of a folder are imported by name, and a folder without any is an error", async () => {
  const workspace = await service.workspace();
  const folder = await emptyFolder();
  const nested = { organizationId: "acme", folders: [{ folderId: "inner", parentFolderId: "outer" }] };
  await mkdir(join(folder, "2"));
  await writeFile(join(folder, "2", "folders.json"), `\uFEFF${JSON.stringify(nested)}`);
  await writeFile(join(folder, "1.jsonl"), `\r\n${JSON.stringify({ ...ACME, folders: [{ folderId: "outer" }] })}\r\n`);
  expect((await runImport(workspace, folder)).counts.folders).toEqual({ added: 2, existed: 0, rejected: 0 });
  expect(await runImport(workspace, await emptyFolder())).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("has no files that end in .ndjson, .jsonl or .json."),
  });
});

test("an export without records is not said to exist already", async () => {
  const path = join(await emptyFolder(), "export.ndjson");
  await writeFile(path, "\n");
  const { id } = await service.workspace();
  for (const options of [["--check"], ["--workspace", id]]) {
    const { stdout, exitCode } = await runCommand(["import", ...options, path], ENVIRONMENT);
    expect(stdout).toMatch(/\nThe export has no records\.\n$/);
    expect(exitCode).toBe(0);
  }
});

test("activities wait until the activity service is enabled, and the other records do not", async () => {
  const workspace = await service.workspace({ activityServiceEnabled: false });
  const path = await writeExport([{ activities: [ACTIVITY] }, { ...ACME, users: [ADA] }]);
  expect(await runImport(workspace, path)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("colloquy activity enable"),
    counts: { users: { added: 1 }, activities: { rejected: 1 } },
  });
  await runCommand(["activity", "enable", "--workspace", workspace.id], ENVIRONMENT);
  expect((await runImport(workspace, path)).counts).toMatchObject({ users: { existed: 1 }, activities: { added: 1 } });
});
