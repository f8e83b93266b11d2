import { expect, test } from "vitest";
import { addFolders, inFolders, setFolderAccess } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, deleteRecords, setDisabled, writeRecords } from "../../../test/organizations.ts";
import { explain, grant } from "../../../test/permissions.ts";

const service = await startTestService();
const EXPLAIN = "/v2/auth/permissions/explain";
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

/** Creates the folders `outer` and `inner` in it, and the document `d` in `inner`. */
async function documentInFolders(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("outer", "inner outer"));
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "inner" });
  return workspace;
}

/** Explains the document, and returns the users as texts. */
async function explained(workspace: TestWorkspace, asked: Parameters<typeof explain>[1] = { documentId: "d" }) {
  const { users, ...type } = await explain(workspace, asked);
  return {
    ...type,
    users: users.map(({ userId, accessRole, through }) => `${userId} ${accessRole} ${through.type} ${through.id}`),
  };
}

test("each user is listed once, with the nearest grant that counts, its resource and its end", async () => {
  const workspace = await service.publicWorkspace();
  const names = [{ organizationId: "acme", organizationName: "Acme" }];
  await workspace.data("/v2/organizations/add", { organizations: names });
  await addFolders(workspace, [{ folderId: "a", folderName: "Contracts" }]);
  const documents = [{ documentId: "d", documentName: "Contract 7" }];
  await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", folderId: "a", documents });
  const users = [{ userId: "ada", name: "Ada \u0000", email: "ada@example.com" }];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "ada", "folder a", "viewer", { expiresAt: inAnHour });
  await grant(workspace, "bo", "folder a", "viewer");
  await grant(workspace, "bo", "document d", "editor");
  await grant(workspace, "cy", "document d", "editor", { expiresAt: 1 });
  await grant(workspace, "di", "organization", "viewer");
  expect(await workspace.data(EXPLAIN, { organizationId: "acme", documentId: "d" })).toEqual({
    accessType: "public",
    definedBy: { type: "workspace" },
    disabled: false,
    users: [
      {
        ...{ userId: "ada", name: "Ada \u0000", email: "ada@example.com", accessRole: "viewer", expiresAt: inAnHour },
        through: { type: "folder", id: "a", name: "Contracts" },
      },
      { userId: "bo", accessRole: "editor", through: { type: "document", id: "d", name: "Contract 7" } },
      { userId: "di", accessRole: "viewer", through: { type: "organization", id: "acme", name: "Acme" } },
    ],
  });
});

test.each<[where: string, set: (it: TestWorkspace) => Promise<unknown>, expected: object]>([
  [
    "the document",
    (it) => setDocument(it, "restricted"),
    { ...{ accessType: "restricted", definedBy: { type: "document", id: "d" } }, users: ["3 viewer document d"] },
  ],
  [
    "its folder",
    (it) => setFolderAccess(it, ["inner"], { accessType: "restricted" }),
    {
      ...{ accessType: "restricted", definedBy: { type: "folder", id: "inner" } },
      users: ["2 viewer folder inner", "3 viewer document d"],
    },
  ],
  [
    "an outer folder",
    (it) => setFolderAccess(it, ["outer"], { accessType: "restricted" }),
    {
      ...{ accessType: "restricted", definedBy: { type: "folder", id: "outer" } },
      users: ["1 viewer folder outer", "2 viewer folder inner", "3 viewer document d"],
    },
  ],
  [
    "the workspace",
    (it) => it.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" }),
    {
      ...{ accessType: "organizationPrivate", definedBy: { type: "workspace" } },
      users: [
        ...["0 viewer organization acme", "1 viewer folder outer"],
        ...["2 viewer folder inner", "3 viewer document d"],
      ],
    },
  ],
])(
  "a type that is set on %s is explained by it, and only grants that count there are listed",
  async (_, set, expected) => {
    const workspace = await documentInFolders();
    const resources = ["organization", "folder outer", "folder inner", "document d"];
    for (const [index, resource] of resources.entries()) await grant(workspace, `${index}`, resource, "viewer");
    await set(workspace);
    expect(await explained(workspace)).toEqual({ disabled: false, ...expected });
  },
);

test("nobody has access to a disabled document or in a disabled organization, as explained", async () => {
  const workspace = await documentInFolders();
  for (const resource of ["document d", "folder inner"]) await grant(workspace, resource, resource);
  await setDisabled(workspace, true);
  expect(await explained(workspace)).toMatchObject({ disabled: true, users: [] });
  expect(await explained(workspace, { folderId: "inner" })).toMatchObject({ disabled: true, users: [] });
  await setDisabled(workspace, false);
  const disable = { organizationId: "acme", documentIds: ["d"], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", disable);
  expect(await explained(workspace)).toMatchObject({ disabled: true, users: [] });
  expect(await explained(workspace, { folderId: "inner" })).toMatchObject({
    ...{ disabled: false, users: ["folder inner editor folder inner"] },
  });
});

test("users with several grants are on one page, whatever its size", async () => {
  const workspace = await documentInFolders();
  const resources = ["organization", "folder outer", "folder inner", "document d"];
  const userIds = ["Zoë", "ada", "bo", "cy", "di"];
  for (const [index, userId] of userIds.entries()) {
    for (const resource of resources.slice(0, index)) await grant(workspace, userId, resource);
    await grant(workspace, userId, "folder outer", "viewer", { expiresAt: userId === "bo" ? 1 : inAnHour });
  }
  for (const pageSize of [1, 2, 3, 50]) {
    const { users } = await explain(workspace, { documentId: "d", pageSize });
    expect(users.map(({ userId }) => userId)).toEqual(userIds);
  }
});

test("a folder, document or organization that does not exist is NOT_FOUND", async () => {
  const workspace = await documentInFolders();
  await grant(workspace, "ada", "document gone");
  await deleteRecords(workspace, DOCUMENTS, ["gone"]);
  for (const asked of [
    ...[{ documentId: "gone" }, { documentId: "inner" }, { folderId: "d" }],
    { organizationId: "globex", documentId: "d" },
  ]) {
    expect(await workspace.error(EXPLAIN, { organizationId: "acme", ...asked })).toMatchObject({ status: "NOT_FOUND" });
  }
});

test("a request names either a folder or a document", async () => {
  const workspace = await documentInFolders();
  for (const asked of [{}, { folderId: "inner", documentId: "d" }, { folderId: "root" }]) {
    expect(await workspace.error(EXPLAIN, { organizationId: "acme", ...asked })).toMatchObject({
      status: "INVALID_ARGUMENT",
    });
  }
});

function setDocument(workspace: TestWorkspace, accessType: "restricted") {
  const request = { organizationId: "acme", documentIds: ["d"], accessType };
  return workspace.data("/v2/organizations/documents/access/update", request);
}
