import { expect, test } from "vitest";
import { addAnnotations } from "../comments.ts";
import { BEFORE_CACHE_EXPIRY } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { addFolders } from "../folders.ts";
import { startOwnTestService, startTestService, type TestWorkspace } from "../harness.ts";
import { grant, removeGrant } from "../permissions.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const { organizationId } = SCOPE;
const DENIED = { httpStatus: 403, body: { error: { details: { reason: "access_denied" } } } };
const ANNOTATIONS = "/v2/commentannotations/get";

/** Creates a workspace with six documents, whose default type is organizationPrivate, and a restricted folder. */
async function sixDocuments(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const documents = ["1", "2", "3", "4", "5", "6"].map((documentId) => ({ documentId }));
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents });
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addFolders(workspace, [{ folderId: "private", accessType: "restricted" }]);
  return workspace;
}

function hide(workspace: TestWorkspace, documentId: string) {
  const request = { organizationId, documentIds: [documentId], folderId: "private" };
  return workspace.result("/v2/organizations/documents/move", request);
}

/** Reads a page of two documents. */
async function getPage(token: string, pageToken?: string): Promise<{ ids: string[]; pageToken: string }> {
  const request = { organizationId, pageSize: 2, ...(pageToken && { pageToken }) };
  const { body } = await callWith(token, `${service.address}/v2/organizations/documents/get`, request);
  const { data, pageToken: next } = Object(body).result;
  return { ids: data.map(({ id }: { id: string }) => id), pageToken: next };
}

test("a document that is moved to a restricted folder between pages is missing, and pages stay full", async () => {
  const workspace = await sixDocuments();
  const token = await tokenFor(workspace, "ada");
  const first = await getPage(token);
  await hide(workspace, "4");
  const second = await getPage(token, first.pageToken);
  const third = await getPage(token, second.pageToken);
  expect([first.ids, second.ids, third.ids, third.pageToken]).toEqual([["1", "2"], ["3", "5"], ["6"], undefined]);
});

test("the pages of one user continue for another user with what that user may read", async () => {
  const workspace = await sixDocuments();
  await hide(workspace, "4");
  await grant(workspace, "ada", "document 4");
  const first = await getPage(await tokenFor(workspace, "ada"));
  expect((await getPage(await tokenFor(workspace, "ada"), first.pageToken)).ids).toEqual(["3", "4"]);
  expect((await getPage(await tokenFor(workspace, "grace"), first.pageToken)).ids).toEqual(["3", "5"]);
});

test.each([
  ["the document is moved to a restricted folder", (workspace: TestWorkspace) => hide(workspace, "1")],
  [
    "the grant of the user ends",
    (workspace: TestWorkspace) => grant(workspace, "ada", "organization", "editor", { expiresAt: 1 }),
  ],
  [
    "the organization is disabled",
    (workspace: TestWorkspace) =>
      workspace.result("/v2/organizations/access/disablestate/update", {
        organizationIds: [organizationId],
        disabled: true,
      }),
  ],
])("the next page of a document's annotations is rejected once %s", async (_, change) => {
  const workspace = await sixDocuments();
  await addAnnotations(workspace, ["a", "b", "c"], { documentId: "1" });
  await grant(workspace, "ada", "organization", "viewer");
  const token = await tokenFor(workspace, "ada", { resources: [{ type: "document", id: "2", organizationId }] });
  const request = { organizationId, documentId: "1", pageSize: 1 };
  const first = await callWith(token, `${service.address}${ANNOTATIONS}`, request);
  expect(first).toMatchObject({ httpStatus: 200 });
  const { pageToken } = Object(first.body).result;
  await change(workspace);
  const second = await callWith(token, `${service.address}${ANNOTATIONS}`, { ...request, pageToken });
  expect(second).toMatchObject({ httpStatus: 403, body: { error: { status: "PERMISSION_DENIED" } } });
});

test("a permission that is removed is gone within a second, although it was used just before", async () => {
  const usual = await startTestService();
  const workspace = await usual.workspace();
  await workspace.data("/v2/presence/add", { ...SCOPE, users: [{ userId: "grace" }] });
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await grant(workspace, "ada", `document ${SCOPE.documentId}`);
  const token = await tokenFor(workspace, "ada");
  const read = async () => (await callWith(token, `${usual.address}/v2/presence/get`, SCOPE)).httpStatus;
  expect([await read(), await read()]).toEqual([200, 200]);
  await removeGrant(workspace, "ada", `document ${SCOPE.documentId}`);
  await expect.poll(read, BEFORE_CACHE_EXPIRY).toBe(403);
});

test("a page token does not carry access to a user whose grant has ended", async () => {
  const workspace = await sixDocuments();
  await addAnnotations(workspace, ["a", "b"], { documentId: "1" });
  const request = { organizationId, documentId: "1", pageSize: 1 };
  const valid = await tokenFor(workspace, "ada");
  const { pageToken } = Object((await callWith(valid, `${service.address}${ANNOTATIONS}`, request)).body).result;
  const expiresAt = Math.floor(Date.now() / 1000);
  const ended = await tokenFor(workspace, "ada", {
    resources: [{ type: "organization", id: organizationId, expiresAt }],
  });
  expect(await callWith(ended, `${service.address}${ANNOTATIONS}`, { ...request, pageToken })).toMatchObject(DENIED);
});
