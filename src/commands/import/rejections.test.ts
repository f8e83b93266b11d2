import { expect, test } from "vitest";
import { runCommand } from "../../../test/command-line.ts";
import { writeExport } from "../../../test/exports.ts";
import {
  ACME,
  ACTIVITY,
  ANNOTATION,
  COMMENT,
  CONTRACT,
  GRACE,
  runImport,
  service,
  USER,
} from "../../../test/imports.ts";

test.each([
  ["a broken line", '{"users":', "The line is not JSON: "],
  ["a line of another type", "[]", "The line must be a JSON object."],
  ["an unknown kind", { activitys: [] }, 'The line has an unknown kind "activitys". Did you mean activities?'],
  ["a line of no kind", ACME, "The line has none of organizations, folders, "],
  ["records that are not a list", { users: {} }, "The line must have a list of records in users."],
  ["a record that is not an object", { ...ACME, users: [null] }, "users[0] must be an object."],
  [
    "a folder of records that belong to none",
    { ...ACME, folderId: "drafts", organizationUserGroups: [{ groupId: "legal" }] },
    "organizationUserGroups[0].folderId is not a field of this record.",
  ],
  [
    "a user of both a folder and a document",
    { ...CONTRACT, folderId: "drafts", users: [USER] },
    "users[0] must not belong to both a document and a folder",
  ],
  ["a record of no organization", { users: [USER] }, "users[0].organizationId is required"],
  [
    "an unknown field",
    { activities: [{ ...ACTIVITY, entityDate: 1 }] },
    "activities[0].entityDate is not a field of this record. Did you mean entityData?",
  ],
  [
    "a wrong value",
    { commentAnnotations: [{ ...ANNOTATION, comments: [{ ...COMMENT, from: { userId: 7 } }] }] },
    "commentAnnotations[0].comments[0].from.userId must be a string",
  ],
  ["an unknown role", { ...CONTRACT, users: [{ ...USER, accessRole: "owner" }] }, "users[0].accessRole must be"],
  [
    "a list with an unknown permission",
    { ...CONTRACT, users: [{ ...USER, accessRole: ["room:write", "storage:none"] }] },
    "users[0].accessRole must be",
  ],
  [
    "a list without access to a room",
    { ...CONTRACT, users: [{ ...USER, accessRole: ["comments:write"] }] },
    "users[0]",
  ],
  [
    "a time in the future",
    { activities: [{ ...ACTIVITY, timestamp: Date.now() + 3_600_000 }] },
    "activities[0].timestamp must not be later than now",
  ],
  [
    "a draft",
    { commentAnnotations: [{ ...ANNOTATION, comments: [{ ...COMMENT, isDraft: true }] }] },
    "commentAnnotations[0].comments[0].isDraft is not a field of this record.",
  ],
  [
    "a visibility of an unknown type",
    { commentAnnotations: [{ ...ANNOTATION, visibilityConfig: { type: "secret", userIds: ["ada"] } }] },
    "commentAnnotations[0].visibility.type must be",
  ],
])("%s is rejected with its place, and the other records are imported", async (_title, line, message) => {
  const workspace = await service.workspace();
  const kept = { ...ACME, users: [GRACE] };
  const path = await writeExport([{ organizations: [] }, line, kept]);
  const { exitCode, stderr, counts } = await runImport(workspace, path);
  expect(stderr).toContain(`${path}:2: ${message}`);
  expect(stderr).toMatch(/colloquy: Rejected 1 (records|lines)\. Correct them/);
  expect({ exitCode, counts }).toMatchObject({ exitCode: 1, counts: { users: { added: 1 } } });
  expect(await workspace.data("/v2/users/get", ACME)).toMatchObject([GRACE]);
  const checked = await runCommand(["import", path, "--check"], {});
  expect(checked).toMatchObject({ exitCode: 1, stderr });
});

test("a record that its operation rejects does not keep the rest of its page from being imported", async () => {
  const workspace = await service.workspace();
  const wrong = { ...ANNOTATION, annotationId: "b", comments: [{ ...COMMENT }, { ...COMMENT }] };
  const path = await writeExport([{ commentAnnotations: [ANNOTATION, wrong, ANNOTATION] }]);
  const { stderr, counts } = await runImport(workspace, path);
  expect(counts.commentAnnotations).toEqual({ added: 1, existed: 1, rejected: 1 });
  expect(stderr).toContain(`${path}:1: commentAnnotations[1]: `);
});
