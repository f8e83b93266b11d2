import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import { migrate } from "../../../../test/document-migrations.ts";
import { addFolders } from "../../../../test/folders.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import {
  DOCUMENTS,
  deleteRecords,
  ORGANIZATIONS,
  untilDocumentsPurged,
  untilOrganizationPurged,
  writeRecords,
} from "../../../../test/organizations.ts";
import { resourceNamed } from "../../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const service = await startOwnTestService();

/** Creates a workspace with the document `d` in the folder `inner` of `outer`, of which all are closed. */
async function closed(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addFolders(workspace, [{ folderId: "outer" }, { folderId: "inner", parentFolderId: "outer" }]);
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "inner" });
  return workspace;
}

function tokenOn(workspace: TestWorkspace, resource: string): Promise<string> {
  return tokenFor(workspace, "ada", { resources: [resourceNamed(resource)] });
}

/** Reads the documents that the user may read. No role is remembered for this list. */
async function getDocuments(token: string): Promise<string[]> {
  const { body } = await callWith(token, `${service.address}/v2/organizations/documents/get`, {
    organizationId: "acme",
  });
  return Object(body).result?.data.map(({ id }: { id: string }) => id);
}

function deleteFolder(workspace: TestWorkspace, folderId: string) {
  return workspace.data("/v2/organizations/folders/delete", { organizationId: "acme", folderId });
}

/** Creates what was deleted again, with the same IDs. */
async function createAgain(workspace: TestWorkspace): Promise<void> {
  await workspace.data("/v2/organizations/folders/add", {
    organizationId: "acme",
    folders: [{ folderId: "outer" }, { folderId: "inner", parentFolderId: "outer" }],
  });
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "inner" });
}

test.each<[what: string, resource: string, remove: (workspace: TestWorkspace) => Promise<unknown>]>([
  ["a document", "document d", (workspace) => deleteRecords(workspace, DOCUMENTS, ["d"])],
  ["a folder", "folder inner", (workspace) => deleteFolder(workspace, "inner")],
  ["the folder above a folder", "folder inner", (workspace) => deleteFolder(workspace, "outer")],
  ["the folder of a document", "document d", (workspace) => deleteFolder(workspace, "inner")],
])(
  "deleting %s ends the grants of tokens on it at once, before and after the purge",
  async (_what, resource, remove) => {
    const workspace = await closed();
    const token = await tokenOn(workspace, resource);
    expect(await getDocuments(token)).toEqual(["d"]);
    await beforePurge(service, async () => {
      await remove(workspace);
      await createAgain(workspace);
      expect(await getDocuments(token)).toEqual([]);
      expect(await getDocuments(await tokenOn(workspace, resource))).toEqual(["d"]);
    });
    await untilDocumentsPurged(service, workspace);
    expect(await getDocuments(token)).toEqual([]);
  },
);

test("deleting an organization ends the grants of tokens on it and in it, also on a new one with its ID", async () => {
  const workspace = await closed();
  const resources = ["organization", "document d"];
  const tokens = await Promise.all(resources.map((resource) => tokenOn(workspace, resource)));
  await deleteRecords(workspace, ORGANIZATIONS, ["acme"]);
  await untilOrganizationPurged(service, workspace);
  await createAgain(workspace);
  for (const token of tokens) expect(await getDocuments(token)).toEqual([]);
  for (const resource of resources) expect(await getDocuments(await tokenOn(workspace, resource))).toEqual(["d"]);
});

test("a token that is issued after a deletion counts, also in the same millisecond", async () => {
  const workspace = await closed();
  for (let repeated = 0; repeated < 5; repeated++) {
    await deleteFolder(workspace, "outer");
    const token = await tokenOn(workspace, "folder outer");
    await createAgain(workspace);
    expect(await getDocuments(token)).toEqual(["d"]);
  }
});

test("a deletion ends no grant on another document or folder", async () => {
  const workspace = await closed();
  const [ofFolder, ofOther] = [await tokenOn(workspace, "folder outer"), await tokenOn(workspace, "document other")];
  await writeRecords(workspace, DOCUMENTS, "add", ["other"]);
  await deleteRecords(workspace, DOCUMENTS, ["d"]);
  await createAgain(workspace);
  expect(await getDocuments(ofFolder)).toEqual(["d"]);
  expect(await getDocuments(ofOther)).toEqual(["other"]);
});

test("a migration ends the grants of tokens on the old ID, and gives none on the new one", async () => {
  const workspace = await closed();
  const token = await tokenOn(workspace, "document d");
  await migrate(workspace, "d", "new");
  await writeRecords(workspace, DOCUMENTS, "add", ["d"]);
  expect(await getDocuments(token)).toEqual([]);
  expect(await getDocuments(await tokenOn(workspace, "document d"))).toEqual(["d"]);
});
