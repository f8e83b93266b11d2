import { expect, test } from "vitest";
import { addActivities, readActivityIds } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import {
  addToGroup,
  deleteRecords,
  ORGANIZATIONS,
  readGroups,
  readRecordIds,
  readRecords,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";

const service = await startTestService();
const KEY = expect.stringMatching(/^[\da-f]{32}$/);
const DELETED = { success: true, id: KEY, message: "User deleted." };
const NOT_FOUND = { success: false, id: KEY, code: "not-found", message: "User not found." };

test("a deleted user loses groups and document access, and other users stay", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["ada", "grace"]);
  await writeRecords(workspace, USERS, "add", ["ada", "grace"], { documentId: "contract" });
  expect(await deleteRecords(workspace, USERS, ["ada", "missing"])).toEqual({ ada: DELETED, missing: NOT_FOUND });
  expect(await readRecordIds(workspace, USERS)).toEqual(["grace"]);
  expect(await readGroups(workspace)).toEqual({ legal: ["grace"] });
  await writeRecords(workspace, USERS, "add", ["ada"]);
  expect(await readRecordIds(workspace, USERS, { documentId: "contract" })).toEqual(["grace"]);
  expect(await readGroups(workspace)).toEqual({ legal: ["grace"] });
});

test("with a document users are only removed from it, and others fail alone", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["ada", "grace"], { documentId: "contract" });
  await writeRecords(workspace, USERS, "add", ["ada", "alan"], { documentId: "letter" });
  const results = await deleteRecords(workspace, USERS, ["ada", "alan"], { documentId: "contract" });
  expect(results).toEqual({ ada: DELETED, alan: NOT_FOUND });
  expect(await readRecordIds(workspace, USERS, { documentId: "contract" })).toEqual(["grace"]);
  expect(await readRecordIds(workspace, USERS, { documentId: "letter" })).toEqual(["ada", "alan"]);
  expect(await deleteRecords(workspace, USERS, ["ada"], { documentId: "contract" })).toEqual({ ada: NOT_FOUND });
});

test("an update with a document changes only users of it", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["ada"], { documentId: "contract" });
  await writeRecords(workspace, USERS, "add", ["ada", "alan"]);
  const updates = ["ada", "alan"].map((userId) => ({ userId, seen: true }));
  const results = await writeRecords(workspace, USERS, "update", updates, { documentId: "contract" });
  expect(results).toMatchObject({ ada: { success: true, message: "User updated." }, alan: NOT_FOUND });
  expect(await readRecords(workspace, USERS)).toEqual([{ userId: "ada", seen: true }, { userId: "alan" }]);
});

test("deleting again fails, and does not create a missing organization", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["ada"]);
  await deleteRecords(workspace, USERS, ["ada"]);
  expect(await deleteRecords(workspace, USERS, ["ada", "ada"])).toEqual({ ada: NOT_FOUND });
  expect(await deleteRecords(workspace, USERS, ["ada"], { organizationId: "globex" })).toEqual({ ada: NOT_FOUND });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual(["acme"]);
});

test("of twelve concurrent deletions of one user exactly one succeeds", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["ada"]);
  const results = await Promise.all(Array.from({ length: 12 }, () => deleteRecords(workspace, USERS, ["ada"])));
  expect(results.filter(({ ada }) => ada?.success)).toEqual([{ ada: DELETED }]);
});

test("adding a user to a group during the deletion leaves no member without a user record", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 50 }, (_, index) => `user-${index}`);
  await writeRecords(workspace, USERS, "add", ids);
  await Promise.all(ids.flatMap((id) => [addToGroup(workspace, "all", [id]), deleteRecords(workspace, USERS, [id])]));
  const { all } = await readGroups(workspace);
  expect(await readRecordIds(workspace, USERS)).toEqual(all);
});

test("records that the user wrote stay", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["ada"]);
  await addActivities(workspace, ["activity"]);
  await deleteRecords(workspace, USERS, ["ada"]);
  expect(await readActivityIds(workspace, { userId: "ada" })).toEqual(["activity"]);
});
