import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, readContent } from "../../../../test/crdt.ts";
import { addFolders } from "../../../../test/folders.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { grant, removeGrant } from "../../../../test/permissions.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { getRejection, openPage, openSyncedPage, type } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";

const service = await startOwnTestService();
const { address } = service;
const { organizationId, documentId } = COLLABORATIVE_DOCUMENT;
const ON_DOCUMENT = `document ${documentId}`;

/** Returns a workspace with a collaborative document, in which users read only by permissions of their own. */
async function restrictedWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await addContent(workspace, { type: "text", data: "one" });
  return workspace;
}

/** Returns a token of a user that has no permissions in it. */
function plainToken(workspace: TestWorkspace, userId: string): Promise<string> {
  const resources = [{ type: "document" as const, id: "unrelated", organizationId }];
  return tokenFor(workspace, userId, { resources });
}

const VIEWER = { organizationId, documentId, users: [{ userId: "ada", accessRole: "viewer" as const }] };

test.each([
  ["/v2/users/add", (workspace: TestWorkspace) => workspace.data("/v2/users/add", VIEWER)],
  ["/v2/users/update", (workspace: TestWorkspace) => workspace.data("/v2/users/update", VIEWER)],
  ["permissions", (workspace: TestWorkspace) => grant(workspace, "ada", ON_DOCUMENT, "viewer")],
])("a page whose user becomes a viewer by %s learns it", async (_, makeViewer) => {
  const workspace = await restrictedWorkspace();
  const editor = { ...VIEWER, users: [{ userId: "ada", accessRole: "editor" as const }] };
  await workspace.data("/v2/users/add", editor);
  const ada = await openSyncedPage(address, { token: await plainToken(workspace, "ada") });
  expect(ada.provider.authorizedScope).toBe("read-write");
  await makeViewer(workspace);
  await expect.poll(() => ada.provider.authorizedScope).toBe("readonly");
});

test("adding a document again, to another folder, closes it to users of its folder before", async () => {
  const workspace = await restrictedWorkspace();
  await addFolders(workspace, [{ folderId: "hers" }]);
  const documents = [{ documentId }];
  await workspace.data("/v2/organizations/documents/add", { organizationId, folderId: "hers", documents });
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: [documentId], accessType: "organizationPrivate" },
  });
  await grant(workspace, "ada", "folder hers", "editor");
  const ada = await openSyncedPage(address, { token: await plainToken(workspace, "ada") });
  await workspace.data("/v2/organizations/documents/add", { organizationId, folderId: "root", documents });
  expect(await getRejection(ada)).toBe("access_denied");
});

test("a permission that is removed while the document is loaded opens nothing", async () => {
  const workspace = await restrictedWorkspace();
  await addContent(workspace, { documentId: "other", type: "text", data: "two" });
  await grant(workspace, "ada", ON_DOCUMENT, "editor");
  await grant(workspace, "grace", "document other", "editor");
  const other = `${organizationId}/other/${COLLABORATIVE_DOCUMENT.editorId}`;
  const grace = await openSyncedPage(address, { token: await plainToken(workspace, "grace"), name: other });
  const token = await plainToken(workspace, "ada");
  const ada = await service.database.transaction(async (transaction) => {
    await runSql(transaction, "lock table crdt_documents in access exclusive mode");
    const loading = openPage(address, { token });
    await expect.poll(() => loading.provider.isAuthenticated).toBe(true);
    await removeGrant(workspace, "ada", ON_DOCUMENT);
    await removeGrant(workspace, "grace", "document other");
    // The organization has been checked once its other page is closed.
    expect(await getRejection(grace)).toBe("access_denied");
    return loading;
  });
  expect(await getRejection(ada)).toBe("access_denied");
  type(ada, " two");
  expect(await readContent(workspace)).toMatchObject({ data: "one" });
});
