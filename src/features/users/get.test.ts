import { expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";
import {
  addToGroup,
  ORGANIZATIONS,
  readPages,
  readRecordIds,
  readRecords,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";

const service = await startTestService();

test.each([
  ["no filter", {}, ["a", "b", "c"]],
  ["a group", { organizationUserGroupIds: ["legal"] }, ["a", "b"]],
  ["groups with OR, each user once", { organizationUserGroupIds: ["legal", "sales", "unknown"] }, ["a", "b", "c"]],
  ["a document", { documentId: "contract" }, ["b", "c", "d"]],
  ["a folder", { folderId: "drafts" }, ["c", "e"]],
  ["all documents, each user once", { allDocuments: true }, ["b", "c", "d", "f"]],
  ["a group and all documents with AND", { allDocuments: true, organizationUserGroupIds: ["sales"] }, ["b", "c"]],
  ["an unknown document", { documentId: "unknown" }, []],
  ["a group and a document with AND", { organizationUserGroupIds: ["legal"], documentId: "contract" }, ["b"]],
  ["everything with AND", { organizationUserGroupIds: ["sales"], documentId: "contract", userIds: ["a", "c"] }, ["c"]],
])("users are filtered by %s", async (_title, filters, expected) => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["a", "b"]);
  await addToGroup(workspace, "sales", ["b", "c"]);
  await writeRecords(workspace, USERS, "add", ["b", "c", "d"], { documentId: "contract" });
  await writeRecords(workspace, USERS, "add", ["b", "f"], { documentId: "letter" });
  await writeRecords(workspace, USERS, "add", ["c", "e"], { folderId: "drafts" });
  expect(await readRecordIds(workspace, USERS, filters)).toEqual(expected);
  const pages = await readPages(workspace, "/v2/users/get", { organizationId: "acme", ...filters, pageSize: 1 });
  expect(pages.flat().map(({ userId }) => userId)).toEqual(expected);
});

test("an organization without users returns none, and reading does not create it", async () => {
  const workspace = await service.workspace();
  expect(await readRecords(workspace, USERS, { documentId: "contract" })).toEqual([]);
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
});

test("the users, groups and documents of another organization are not returned", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["a"]);
  await writeRecords(workspace, USERS, "add", ["a", "b"], { organizationId: "globex", documentId: "contract" });
  expect(await readRecordIds(workspace, USERS, { documentId: "contract" })).toEqual([]);
  const elsewhere = { organizationId: "globex", organizationUserGroupIds: ["legal"] };
  expect(await readRecordIds(workspace, USERS, elsewhere)).toEqual([]);
});

test("a page has 1,000 users by default", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 1001 }, (_, index) => `user-${1000 + index}`);
  await addToGroup(workspace, "all", ids.slice(0, 600));
  await addToGroup(workspace, "all", ids.slice(600));
  const pages = await readPages(workspace, "/v2/users/get", { organizationId: "acme" });
  expect(pages.map((page) => page.length)).toEqual([1000, 1]);
});
