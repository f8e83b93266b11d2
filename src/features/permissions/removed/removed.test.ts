import { expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
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
import { grant, removeGrant, resourceNamed } from "../../../../test/permissions.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { deleteOldRemovals } from "./removed-grant-queries.ts";

const service = await startOwnTestService();
const second = await service.secondProcess();

/** Creates a workspace with the document `d` in the folder `f`, both restricted. */
async function restricted(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await addFolders(workspace, [{ folderId: "f" }]);
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "f" });
  return workspace;
}

function tokenOn(workspace: TestWorkspace, ...resources: string[]): Promise<string> {
  return tokenFor(workspace, "ada", { resources: resources.map((resource) => resourceNamed(resource)) });
}

/** Returns whether the user reads the document, by a request about it and by the list of documents. */
async function reads(token: string, address = service.address): Promise<[boolean, boolean]> {
  const read = await callWith(token, `${address}/v2/commentannotations/get`, {
    organizationId: "acme",
    documentId: "d",
  });
  const list = await callWith(token, `${address}/v2/organizations/documents/get`, { organizationId: "acme" });
  const ids = Object(list.body).result?.data.map(({ id }: { id: string }) => id) ?? [];
  return [read.httpStatus === 200, ids.includes("d")];
}

function countRemovals(workspace: TestWorkspace): Promise<number> {
  const key = organizationKey(workspace.id, "acme");
  const query = "select 1 as one from removed_token_grants where organization_key = $1";
  return runSql(service.database, query, [key]).then(({ length }) => length);
}

test.each(["document d", "folder f", "organization"])(
  "a removal on the %s ends the grant of a token within a second, on every process",
  async (resource) => {
    const workspace = await restricted();
    const token = await tokenOn(workspace, resource);
    for (const { address } of [service, second]) expect(await reads(token, address)).toEqual([true, true]);
    await removeGrant(workspace, "ada", resource);
    for (const { address } of [service, second]) {
      await expect.poll(() => reads(token, address), BEFORE_CACHE_EXPIRY).toEqual([false, false]);
    }
  },
);

test("a removal ends the grant on exactly the resource, and of this user alone", async () => {
  const workspace = await restricted();
  const [both, folder] = [await tokenOn(workspace, "document d", "folder f"), await tokenOn(workspace, "folder f")];
  const grace = await tokenFor(workspace, "grace", { resources: [resourceNamed("document d")] });
  await removeGrant(workspace, "ada", "document d");
  await removeGrant(workspace, "ada", "document f");
  await removeGrant(workspace, "ada", "folder f", "globex");
  for (const token of [both, folder, grace]) expect(await reads(token)).toEqual([true, true]);
});

test("tokens that are issued after the response count, also in the same second", async () => {
  const workspace = await restricted();
  for (let repeated = 0; repeated < 5; repeated++) {
    const before = await tokenOn(workspace, "document d");
    await removeGrant(workspace, "ada", "document d");
    const after = await tokenOn(workspace, "document d");
    expect([await reads(before), await reads(after)]).toEqual([
      [false, false],
      [true, true],
    ]);
  }
});

test("a permission that is added after the removal counts, but never again that of the token", async () => {
  const workspace = await restricted();
  const old = () => tokenOn(workspace, "document d");
  const [first, later] = [await old(), await old()];
  await removeGrant(workspace, "ada", "document d");
  await grant(workspace, "ada", "document d", "viewer");
  expect(await reads(first)).toEqual([true, true]);
  await removeGrant(workspace, "ada", "document d");
  expect(await reads(later)).toEqual([false, false]);
});

test("a removed grant stays removed when its document is deleted and written again", async () => {
  const workspace = await restricted();
  const token = await tokenOn(workspace, "document d");
  await removeGrant(workspace, "ada", "document d");
  await deleteRecords(workspace, DOCUMENTS, ["d"]);
  await untilDocumentsPurged(service, workspace);
  await writeRecords(workspace, DOCUMENTS, "add", ["d"]);
  expect(await reads(token)).toEqual([false, false]);
});

test("deleting a user from a document or the organization ends the grants of the user's tokens there", async () => {
  const workspace = await restricted();
  const token = await tokenOn(workspace, "document d", "folder f");
  const remove = (level: object) =>
    workspace.data("/v2/users/delete", { organizationId: "acme", userIds: ["ada"], ...level });
  await remove({ documentId: "d" });
  expect(await reads(token)).toEqual([true, true]);
  await remove({ folderId: "f" });
  expect(await reads(token)).toEqual([false, false]);
  const [earlier, ofGrace] = [
    await tokenOn(workspace, "folder f"),
    await tokenFor(workspace, "grace", { resources: [resourceNamed("document d")] }),
  ];
  await remove({});
  const later = await tokenOn(workspace, "document d");
  expect([await reads(earlier), await reads(ofGrace), await reads(later)]).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ]);
});

test("a deleted document is closed to users until it is purged", async () => {
  const workspace = await service.publicWorkspace();
  const token = await tokenOn(workspace, "document other");
  const read = async () => {
    const { body } = await callWith(token, `${service.address}/v2/activities/get`, {
      organizationId: "acme",
      documentId: "gone",
    });
    return Object(body).error?.details.reason;
  };
  await writeRecords(workspace, DOCUMENTS, "add", ["gone"]);
  expect(await read()).toBe(undefined);
  const key = organizationKey(workspace.id, "acme");
  await runSql(service.database, "delete from documents where organization_key = $1 and document_id = 'gone'", [key]);
  const pending = "insert into document_purges (organization_key, document_id, deleted_at) values ($1, 'gone', 0)";
  await runSql(service.database, pending, [key]);
  await expect.poll(read, BEFORE_CACHE_EXPIRY).toBe("access_denied");
  await runSql(service.database, "delete from document_purges where organization_key = $1", [key]);
  await expect.poll(read, BEFORE_CACHE_EXPIRY).toBe(undefined);
});

test("removals are purged with the organization and with the user", async () => {
  const workspace = await restricted();
  await removeGrant(workspace, "ada-to-purge", "document d");
  await removeGrant(workspace, "grace", "document d");
  await deleteUserDataAndWait(workspace, ["ada-to-purge"]);
  expect(await findRowsContaining(service.database, ["ada-to-purge"])).toEqual([]);
  expect(await countRemovals(workspace)).toBe(1);
  await deleteRecords(workspace, ORGANIZATIONS, ["acme"]);
  await untilOrganizationPurged(service, workspace);
  const left = await runSql(service.database, "select user_id from removed_token_grants where organization_key = $1", [
    organizationKey(workspace.id, "acme"),
  ]);
  expect(left).toEqual([{ user_id: "" }]);
});

test("a removal is deleted when the last token that it concerns has expired", async () => {
  const workspace = await restricted();
  for (const userId of ["ada", "grace"]) await removeGrant(workspace, userId, "document d");
  const key = organizationKey(workspace.id, "acme");
  await runSql(
    service.database,
    "update removed_token_grants set removed_at = removed_at - 7200000 where organization_key = $1 and user_id = 'ada'",
    [key],
  );
  await deleteOldRemovals(acrossOrganizations(service.database), 3_600_000, 1_000);
  const left = await runSql(service.database, "select user_id from removed_token_grants where organization_key = $1", [
    key,
  ]);
  expect(left).toEqual([{ user_id: "grace" }]);
});
