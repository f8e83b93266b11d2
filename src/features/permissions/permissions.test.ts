import { expect, test } from "vitest";
import { beforePurge } from "../../../test/before-purge.ts";
import { addActivities } from "../../../test/factories.ts";
import { addFolders, inFolders } from "../../../test/folders.ts";
import { startOwnTestService } from "../../../test/harness.ts";
import {
  DOCUMENTS,
  deleteRecords,
  ORGANIZATIONS,
  readRecordIds,
  setDisabled,
  USERS,
  untilDocumentsPurged,
  untilOrganizationPurged,
  writeRecords,
} from "../../../test/organizations.ts";
import { getAccess, getRole, grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../test/user-data.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const service = await startOwnTestService();
const second = await service.secondProcess();
const GET = "/v2/auth/permissions/get";
const ADD = "/v2/auth/permissions/add";
const DENIED = "permission_denied";
const DENIED_ENTRY = { error: expect.any(String), errorCode: DENIED };
const MISSING_ENTRY = { error: expect.any(String), errorCode: "does_not_exist" };
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

test("permissions are added and read by user and resource, with role, type and end", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, [{ folderId: "a", accessType: "restricted" }]);
  const resources = [
    { type: "organization", id: "acme" },
    { ...resourceNamed("folder a"), accessRole: "viewer", expiresAt: inAnHour },
    { ...resourceNamed("document d"), accessRole: "viewer" },
  ] as const;
  expect(await workspace.call(ADD, { user: { userId: "ada" }, permissions: { resources } })).toMatchObject({
    body: { result: { status: "success", message: "Permissions added." } },
  });
  const asked = { organizationId: "acme", userIds: ["ada", "nobody", "ada"], folderIds: ["a"], documentIds: ["d"] };
  expect(await workspace.data(GET, asked)).toEqual({
    ada: {
      organization: { acme: { accessRole: "editor" } },
      folders: { a: { accessRole: "viewer", accessType: "restricted", expiresAt: inAnHour } },
      documents: { d: { accessRole: "viewer", accessType: "public" } },
    },
    nobody: {
      organization: { acme: DENIED_ENTRY },
      folders: { a: { ...DENIED_ENTRY, accessType: "restricted" } },
      documents: { d: { accessRole: "editor", accessType: "public" } },
    },
  });
});

test("folders and documents are returned only if they are requested", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "ada", "organization");
  expect(await workspace.data(GET, { organizationId: "acme", userIds: ["ada"] })).toEqual({
    ada: { organization: { acme: { accessRole: "editor" } } },
  });
});

test("1,000 users are returned at once, also on another process", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "user-7", "organization", "viewer");
  const userIds = Array.from({ length: 1000 }, (_, index) => `user-${index}`);
  const response = await workspace.at(second.address).data(GET, { organizationId: "acme", userIds });
  expect(Object.keys(response)).toEqual(userIds);
  expect(userIds.filter((id) => response[id]?.organization.acme?.accessRole)).toEqual(["user-7"]);
});

test("a missing folder or document is NOT_FOUND with the whole response, or a success without validation", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "ada", "document d", "viewer");
  const asked = { organizationId: "acme", userIds: ["ada"], folderIds: ["missing"], documentIds: ["d", "missing"] };
  const whole = {
    ada: {
      organization: { acme: DENIED_ENTRY },
      folders: { missing: MISSING_ENTRY },
      documents: { d: { accessRole: "viewer", accessType: "public" }, missing: MISSING_ENTRY },
    },
  };
  const error = await workspace.error(GET, asked);
  expect(error).toMatchObject({ httpStatus: 404, status: "NOT_FOUND" });
  expect(error.details).toEqual({ reason: "not_found", ...whole });
  expect(await workspace.data(GET, { ...asked, skipResourceExistenceValidation: true })).toEqual(whole);
});

test("nothing exists in a missing organization, and asking does not create it", async () => {
  const workspace = await service.publicWorkspace();
  const response = { organization: "does_not_exist", "document d": "does_not_exist" };
  expect(await getAccess(workspace, "ada", { documentIds: ["d"] })).toEqual(response);
  expect(await workspace.error(GET, { organizationId: "acme", userIds: ["ada"], documentIds: ["d"] })).toMatchObject({
    status: "NOT_FOUND",
  });
  expect(await workspace.data(GET, { organizationId: "acme", userIds: ["ada"] })).toEqual({
    ada: { organization: { acme: MISSING_ENTRY } },
  });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual([]);
});

test("IDs such as __proto__ are IDs like any other", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("__proto__"));
  for (const resource of ["folder __proto__", "document __proto__"]) await grant(workspace, "__proto__", resource);
  const asked = { userIds: ["__proto__"], folderIds: ["__proto__"], documentIds: ["__proto__"] };
  const { body } = await workspace.call(GET, { organizationId: "acme", ...asked });
  const permission = '{"__proto__":{"accessRole":"editor","accessType":"public"}}';
  expect(JSON.stringify(body)).toContain(`"folders":${permission},"documents":${permission}`);
});

test("organizations and documents are created, but no user record", async () => {
  const workspace = await service.publicWorkspace();
  const resources = ["acme", "globex"].map((organizationId) => resourceNamed("document d", organizationId));
  await workspace.data(ADD, { user: { userId: "ada" }, permissions: { resources } });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual(["acme", "globex"]);
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["d"]);
  expect(await readRecordIds(workspace, USERS)).toEqual([]);
});

test("a missing folder is NOT_FOUND, and nothing is written", async () => {
  const workspace = await service.publicWorkspace();
  const resources = [resourceNamed("organization", "a"), resourceNamed("folder missing"), resourceNamed("document d")];
  const error = await workspace.error(ADD, { user: { userId: "ada" }, permissions: { resources } });
  expect(error).toMatchObject({ status: "NOT_FOUND", message: 'Folder "missing" does not exist.' });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual([]);
});

test("a later permission on the same resource replaces role and end", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "ada", "document d", "viewer", { expiresAt: inAnHour });
  await grant(workspace, "ada", "document d");
  const response = await workspace.data(GET, { organizationId: "acme", userIds: ["ada"], documentIds: ["d"] });
  expect(response.ada?.documents?.d).toEqual({ accessRole: "editor", accessType: "public" });
});

test("exactly the permissions named are removed, and removing again is a success", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("d"));
  for (const resource of ["organization", "folder d", "document d", "document e"])
    for (const userId of ["ada", "grace"]) await grant(workspace, userId, resource, "viewer");
  const resources = [resourceNamed("document d"), resourceNamed("folder d"), resourceNamed("document unknown")];
  for (let call = 0; call < 2; call++)
    await workspace.data("/v2/auth/permissions/remove", { userId: "ada", permissions: { resources } });
  await removeGrant(workspace, "grace", "organization");
  await removeGrant(workspace, "grace", "organization", "unknown");
  const asked = { folderIds: ["d"], documentIds: ["d", "e"] };
  const viewer = { "folder d": "viewer public", "document d": "viewer public", "document e": "viewer public" };
  expect(await getAccess(workspace, "ada", asked)).toEqual({ organization: "viewer", ...viewer });
  expect(await getAccess(workspace, "grace", asked)).toEqual({ organization: DENIED, ...viewer });
  await removeGrant(workspace, "ada", "organization");
  const open = { "folder d": "editor public", "document d": "editor public" };
  expect(await getAccess(workspace, "ada", asked)).toEqual({ organization: DENIED, ...viewer, ...open });
});

const DOCUMENT = resourceNamed("document d");
test.each<[title: string, resource: object, message: string]>([
  ["an unknown type", { ...DOCUMENT, type: "workspace" }, "[0].type must be one of"],
  [
    "a document without its organization",
    { type: "document", id: "d" },
    "[0].organizationId is required for a document",
  ],
  [
    "an organization of another id",
    { ...DOCUMENT, type: "organization" },
    "[0].organizationId must be the id or be left out",
  ],
  ["an unknown role", { ...DOCUMENT, accessRole: "owner" }, "[0].accessRole must be one of"],
  ["an end in fractions of a second", { ...DOCUMENT, expiresAt: 1.5 }, "[0].expiresAt must be"],
  ["an end beyond all dates", { ...DOCUMENT, expiresAt: 1_000_000_000_000 }, "[0].expiresAt must be"],
])("%s is INVALID_ARGUMENT", async (_title, resource, message) => {
  const workspace = await service.publicWorkspace();
  const error = await workspace.error(ADD, { user: { userId: "ada" }, permissions: { resources: [resource] } });
  const text = expect.stringContaining(`data.permissions.resources${message}`);
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: text });
});

test("a repeated resource is INVALID_ARGUMENT, also an organization with and without its ID", async () => {
  const workspace = await service.publicWorkspace();
  const message = "data.permissions.resources[1].id is repeated in this request";
  const repeated = [
    [DOCUMENT, DOCUMENT],
    [{ type: "organization", id: "acme" }, resourceNamed("organization")],
  ];
  for (const resources of repeated) {
    const permissions = { resources };
    expect(await workspace.error(ADD, { user: { userId: "ada" }, permissions })).toMatchObject({ message });
    expect(await workspace.error("/v2/auth/permissions/remove", { userId: "ada", permissions })).toMatchObject({
      message,
    });
  }
});

test("the latest possible end is accepted and read back", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "ada", "document d", "viewer", { expiresAt: 999_999_999_999 });
  const response = await workspace.data(GET, { organizationId: "acme", userIds: ["ada"], documentIds: ["d"] });
  expect(response.ada?.documents?.d?.expiresAt).toBe(999_999_999_999);
});

test("permissions in a disabled organization can be managed", async () => {
  const workspace = await service.publicWorkspace();
  await setDisabled(workspace, true);
  await grant(workspace, "ada", "document d", "viewer");
  await grant(workspace, "grace", "document d", "viewer");
  await removeGrant(workspace, "ada", "document d");
  await setDisabled(workspace, false);
  expect([await getRole(workspace, "ada", "d"), await getRole(workspace, "grace", "d")]).toEqual(["editor", "viewer"]);
});

test("concurrent calls with the same resources in any order all succeed", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a", "b"));
  const resources = ["acme", "globex", "initech"].flatMap((organizationId) =>
    ["organization", "document d", "document e"].map((resource) => resourceNamed(resource, organizationId)),
  );
  const all = [...resources, resourceNamed("folder a"), resourceNamed("folder b")];
  const calls = Array.from({ length: 12 }, async (_, index) => {
    const permissions = { resources: index % 2 ? all : all.toReversed() };
    if (index % 3 === 0) await workspace.data("/v2/auth/permissions/remove", { userId: "ada", permissions });
    await workspace.data(ADD, { user: { userId: "ada" }, permissions });
  });
  await Promise.all(calls);
  expect(await getAccess(workspace, "ada", { folderIds: ["a"], documentIds: ["e"] }, "acme")).toEqual({
    ...{ organization: "editor", "folder a": "editor public", "document e": "editor public" },
  });
});

test("deleted documents, folders and organizations take their permissions with them", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a"));
  await writeRecords(workspace, DOCUMENTS, "add", ["in a"], { folderId: "a" });
  for (const resource of ["document d", "folder a"]) await grant(workspace, "ada", resource, "viewer");
  const inA = { ...resourceNamed("document"), id: "in a", accessRole: "viewer" } as const;
  await workspace.data(ADD, { user: { userId: "ada" }, permissions: { resources: [inA] } });
  await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["d"]);
    await workspace.data("/v2/organizations/folders/delete", { organizationId: "acme", folderId: "a" });
    await addFolders(workspace, inFolders("a"));
    await writeRecords(workspace, DOCUMENTS, "add", ["d", "in a"]);
    expect(await getAccess(workspace, "ada", { folderIds: ["a"], documentIds: ["d", "in a"] })).toEqual({
      organization: DENIED,
      ...{ "folder a": "editor public", "document d": "editor public", "document in a": "editor public" },
    });
  });
  await untilDocumentsPurged(service, workspace);
  await grant(workspace, "ada", "organization", "viewer");
  await deleteRecords(workspace, ORGANIZATIONS, ["acme"]);
  await untilOrganizationPurged(service, workspace);
  await addActivities(workspace, ["a"]);
  expect(await getAccess(workspace, "ada")).toEqual({ organization: DENIED });
});

test("a permission that is added after the deletion of its document stays", async () => {
  const workspace = await service.publicWorkspace();
  await grant(workspace, "ada", "document d", "editor");
  await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["d"]);
    await grant(workspace, "ada", "document d", "viewer");
  });
  await untilDocumentsPurged(service, workspace);
  expect(await getRole(workspace, "ada", "d")).toBe("viewer");
});

test("a user's permissions are exported, and deleted with the user's data", async () => {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("a"));
  const userId = "holder-of-permissions";
  await grant(workspace, userId, "organization");
  await grant(workspace, userId, "folder a", "viewer", { expiresAt: 1 });
  await grant(workspace, userId, "document d", "viewer");
  await grant(workspace, "grace", "document d", "viewer");
  const exported = await workspace.data("/v2/users/data/get", { organizationId: "acme", userId });
  expect(exported.permissions).toEqual([
    { type: "document", id: "d", accessRole: "viewer" },
    { type: "folder", id: "a", accessRole: "viewer", expiresAt: 1 },
    { type: "organization", accessRole: "editor" },
  ]);
  const { receipt } = await deleteUserDataAndWait(workspace, [userId]);
  expect(receipt).toEqual([{ organizationId: "acme", kind: "permissions", deleted: 3, stripped: 0 }]);
  expect(await findRowsContaining(service.database, [userId])).toEqual([]);
  expect([await getRole(workspace, userId, "d"), await getRole(workspace, "grace", "d")]).toEqual(["editor", "viewer"]);
});

test("a grant that ends is gone at once, on every process", async () => {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await grant(workspace, "ada", "document d", "editor", { expiresAt: inAnHour });
  expect(await getRole(workspace, "ada", "d")).toBe("editor");
  await runSql(service.database, "update grants set expires_at = now() where organization_key = $1", [
    organizationKey(workspace.id, "acme"),
  ]);
  for (const caller of [workspace, workspace.at(second.address)])
    expect(await getRole(caller, "ada", "d")).toBe(DENIED);
});
