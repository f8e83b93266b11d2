import { expect, test } from "vitest";
import { addActivities, readActivities, readActivityIds, SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import {
  DOCUMENTS,
  hashKey,
  ORGANIZATIONS,
  readRecordIds,
  readRecords,
  setDisabled,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";

const service = await startTestService();

test("the response lists each document with its key", async () => {
  const workspace = await service.publicWorkspace();
  const message = "Document added.";
  expect(await writeRecords(workspace, DOCUMENTS, "add", ["a", "größe / 7"])).toEqual({
    a: { success: true, id: hashKey(workspace.id, "acme", "a"), message },
    "größe / 7": { success: true, id: hashKey(workspace.id, "acme", "größe / 7"), message },
  });
});

test("the first write creates a document, and adding it again describes it", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["activity"], { documentId: "used" });
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([DOCUMENTS.minimal("used")]);
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "used", documentName: "Used" }]);
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([{ ...DOCUMENTS.minimal("used"), documentName: "Used" }]);
});

test("adding an existing document replaces its description and keeps its data", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "contract-7", documentName: "Old", folder: 1 }]);
  await addActivities(workspace, ["activity"]);
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "contract-7", pages: 2 }]);
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([{ ...DOCUMENTS.minimal("contract-7"), pages: 2 }]);
  expect(await readActivities(workspace)).toHaveLength(1);
});

test("lastActivity is the timestamp of the newest record, or the time when the document was created", async () => {
  const workspace = await service.publicWorkspace();
  const before = Date.now();
  await writeRecords(workspace, DOCUMENTS, "add", ["contract-7", "empty"]);
  const after = Date.now();
  await addActivities(workspace, ["a"]);
  await addActivities(workspace, ["b"]);
  const [newest] = await readActivities(workspace);
  const [document, empty] = await readRecords(workspace, DOCUMENTS);
  expect(document?.lastActivity).toBe(newest?.timestamp);
  expect(empty?.lastActivity).toBeGreaterThanOrEqual(before);
  expect(empty?.lastActivity).toBeLessThanOrEqual(after);
});

test.each([
  ["/v2/activities/update", { activities: [{ id: "a", actionIcon: "new" }] }, false],
  ["/v2/recordings/add", { documentId: SCOPE.documentId, recordings: [{}] }, true],
  ["/v2/crdt/add", { documentId: SCOPE.documentId, editorId: "second", type: "text", data: "a" }, true],
  ["/v2/crdt/update", { documentId: SCOPE.documentId, editorId: "first", type: "text", data: "b" }, true],
  ["/v2/presence/add", { documentId: SCOPE.documentId, users: [{ userId: "ada" }] }, false],
  ["/v2/users/add", { documentId: SCOPE.documentId, users: [{ userId: "ada" }] }, false],
  ["/v2/organizations/documents/update", { documents: [{ documentId: "contract-7", pages: 2 }] }, false],
])("%s with %j moves lastActivity: %s", async (path, request, moves) => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["a"]);
  await workspace.result("/v2/crdt/add", { ...SCOPE, editorId: "first", type: "text", data: "a" });
  const [before] = await readRecords(workspace, DOCUMENTS);
  await expect.poll(() => Date.now()).toBeGreaterThan(Number(before?.lastActivity) + 1);
  await workspace.uncheckedResult(path, { organizationId: SCOPE.organizationId, ...request });
  const [after] = await readRecords(workspace, DOCUMENTS);
  expect(Number(after?.lastActivity) > Number(before?.lastActivity)).toBe(moves);
});

test("the documents of a disabled organization are neither read nor changed, and none is lost", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["a"]);
  await addActivities(workspace, ["first"], { documentId: "a" });
  await setDisabled(workspace, true);
  for (const request of [{ documents: [{ documentId: "a", documentName: "A" }] }, { documentIds: ["a"] }]) {
    for (const verb of "documents" in request ? ["add", "update"] : ["get", "delete"]) {
      const error = await workspace.error(`/v2/organizations/documents/${verb}`, {
        organizationId: "acme",
        ...request,
      });
      expect(error, verb).toMatchObject({ details: { reason: "organization_disabled" } });
    }
  }
  await setDisabled(workspace, false);
  expect(await readRecords(workspace, DOCUMENTS)).toMatchObject([{ id: "a", documentName: "", disabled: false }]);
  expect(await readActivityIds(workspace, { documentId: "a" })).toEqual(["first"]);
});

test.each(["accessType", "disabled", "folderId", "id", "lastActivity"])(
  "%s, which the service sets, is rejected",
  async (field) => {
    const workspace = await service.publicWorkspace();
    for (const path of ["/v2/organizations/documents/add", "/v2/organizations/documents/update"]) {
      const documents = [{ documentId: "a", [field]: true }];
      expect(await workspace.error(path, { organizationId: "acme", documents })).toMatchObject({
        details: { issues: [{ path: `data.documents[0].${field}` }] },
      });
    }
  },
);

test("createOrganization false fails every document of a missing organization and creates nothing", async () => {
  const workspace = await service.publicWorkspace();
  const results = await writeRecords(workspace, DOCUMENTS, "add", ["a", "b"], { createOrganization: false });
  const error = { success: false, message: "Organization not found." };
  expect(results).toMatchObject({ a: error, b: error });
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
});

test("the first document creates its organization, and the same id in two organizations is two documents", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "same", first: true }]);
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "same", second: true }], { organizationId: "globex" });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual(["acme", "globex"]);
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([{ ...DOCUMENTS.minimal("same"), first: true }]);
});

test.each([DOCUMENTS, USERS])("an update at $path creates nothing, whatever createOrganization says", async (kind) => {
  const workspace = await service.publicWorkspace();
  const results = await writeRecords(workspace, kind, "update", ["a"], { createOrganization: true });
  expect(results).toMatchObject({ a: { success: false, code: "not-found" } });
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
});

test("the token of the next page has both names", async () => {
  const workspace = await service.publicWorkspace();
  await writeRecords(workspace, DOCUMENTS, "add", ["a", "b"]);
  const request = { organizationId: SCOPE.organizationId, pageSize: 1 };
  const first = await workspace.result("/v2/organizations/documents/get", request);
  expect(first.pageToken).toEqual(expect.any(String));
  expect(first.nextPageToken).toBe(first.pageToken);
});

test("reading creates nothing", async () => {
  const workspace = await service.publicWorkspace();
  expect(await readRecords(workspace, DOCUMENTS)).toEqual([]);
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
});
