import { expect, test } from "vitest";
import { addFolders, inFolders } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { deleteRecords, USERS, writeRecords } from "../../../test/organizations.ts";
import { grant } from "../../../test/permissions.ts";

const service = await startTestService();
const IN_FOLDER = { folderId: "a" };

/** Makes users at each level: ada is a user of the organization and of two documents. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addFolders(workspace, inFolders("a"));
  await writeRecords(workspace, USERS, "add", ["ada", "grace", "alan"]);
  await writeRecords(workspace, USERS, "add", ["ada", "edsger"], { documentId: "d" });
  await writeRecords(workspace, USERS, "add", ["ada"], { documentId: "e" });
  await writeRecords(workspace, USERS, "add", ["barbara"], IN_FOLDER);
  return workspace;
}

async function getCount(workspace: TestWorkspace, request: object): Promise<number> {
  const { count } = await workspace.data("/v2/users/count/get", { organizationId: "acme", ...request });
  return count;
}

test("the users of an organization, a folder, a document and all documents are counted", async () => {
  const workspace = await filledWorkspace();
  expect(await getCount(workspace, {})).toBe(3);
  expect(await getCount(workspace, IN_FOLDER)).toBe(1);
  expect(await getCount(workspace, { documentId: "d" })).toBe(2);
  expect(await getCount(workspace, { allDocuments: true })).toBe(2);
  expect(await getCount(workspace, { documentId: "unknown" })).toBe(0);
  await deleteRecords(workspace, USERS, ["ada"]);
  expect(await getCount(workspace, { allDocuments: true })).toBe(1);
});

test("with userId only that user is counted", async () => {
  const workspace = await filledWorkspace();
  expect(await getCount(workspace, { userId: "ada" })).toBe(1);
  expect(await getCount(workspace, { userId: "edsger" })).toBe(0);
  expect(await getCount(workspace, { allDocuments: true, userId: "ada" })).toBe(1);
  expect(await getCount(workspace, { documentId: "d", userId: "grace" })).toBe(0);
});

test("as in lists, users without a record and those whose only permission has expired are not counted", async () => {
  const workspace = await filledWorkspace();
  await grant(workspace, "guest", "document d");
  await grant(workspace, "barbara", "document d", "editor", { expiresAt: 1 });
  expect(await getCount(workspace, { documentId: "d" })).toBe(2);
});

test("allDocuments beside a document or folder is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  for (const level of [{ documentId: "d" }, IN_FOLDER]) {
    const request = { organizationId: "acme", allDocuments: true, ...level };
    expect(await workspace.error("/v2/users/count/get", request)).toMatchObject({ status: "INVALID_ARGUMENT" });
  }
});
