import { expect, test } from "vitest";
import { addActivities } from "../../../test/factories.ts";
import { addFolders, inFolders, moveFolder, setFolderAccess } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, setDisabled, writeRecords } from "../../../test/organizations.ts";
import { getAccess, getRole, grant, removeGrant } from "../../../test/permissions.ts";
import type { AccessType } from "../../contract/access-type.ts";
import { ACCESS_ROLES } from "../../contract/end-user.ts";

const service = await startTestService();
const DENIED = "permission_denied";
const PUBLIC = { accessType: "public" } as const;
const PRIVATE = { accessType: "organizationPrivate" } as const;
const RESTRICTED = { accessType: "restricted" } as const;

/** Creates the folders `outer` and `inner` in it, and the document `d` in `inner`. */
async function documentInFolders(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await addFolders(workspace, inFolders("outer", "inner outer"));
  await writeRecords(workspace, DOCUMENTS, "add", ["d"], { folderId: "inner" });
  return workspace;
}

function setDocumentAccess(workspace: TestWorkspace, access: { accessType: AccessType }) {
  const request = { organizationId: "acme", documentIds: ["d"], ...access };
  return workspace.data("/v2/organizations/documents/access/update", request);
}

function setDefault(workspace: TestWorkspace, { accessType }: { accessType: AccessType }) {
  return workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: accessType });
}

type Arrange = (workspace: TestWorkspace) => Promise<unknown>;

/** Rows of the table: how the document gets its type, which grants on it count, and what is left without any. */
const ROWS: [title: string, arrange: Arrange, counting: string[], otherwise: string][] = [
  ["a public document", (it) => setDocumentAccess(it, PUBLIC), ["document d", "folder", "organization"], "editor"],
  [
    "a public folder",
    (it) => setFolderAccess(it, ["outer"], PUBLIC),
    ["document d", "folder", "organization"],
    "editor",
  ],
  ["the public default", (it) => setDefault(it, PUBLIC), ["document d", "folder", "organization"], "editor"],
  ["a private document", (it) => setDocumentAccess(it, PRIVATE), ["document d", "folder", "organization"], DENIED],
  [
    "a private folder",
    (it) => setFolderAccess(it, ["inner"], PRIVATE),
    ["document d", "folder", "organization"],
    DENIED,
  ],
  ["the private default", (it) => setDefault(it, PRIVATE), ["document d", "folder", "organization"], DENIED],
  ["a restricted document", (it) => setDocumentAccess(it, RESTRICTED), ["document d"], DENIED],
  ["a restricted outer folder", (it) => setFolderAccess(it, ["outer"], RESTRICTED), ["document d", "folder"], DENIED],
  [
    "a restricted inner folder",
    (it) => setFolderAccess(it, ["inner"], RESTRICTED),
    ["document d", "folder inner"],
    DENIED,
  ],
  ["the restricted default", (it) => setDefault(it, RESTRICTED), ["document d", "folder"], DENIED],
];

test.each(ROWS)(
  "by %s, exactly the grants of the table count for a document",
  async (_, arrange, counting, otherwise) => {
    const workspace = await documentInFolders();
    await arrange(workspace);
    expect(await getRole(workspace, "nobody", "d")).toBe(otherwise);
    for (const resource of ["document d", "folder inner", "folder outer", "organization"]) {
      const counts = counting.some((one) => resource.startsWith(one));
      for (const role of ACCESS_ROLES) {
        await grant(workspace, resource, resource, role);
        expect(await getRole(workspace, resource, "d"), `${role} of ${resource}`).toBe(counts ? role : otherwise);
      }
    }
  },
);

test.each<[title: string, arrange: Arrange, roles: object]>([
  [
    "public folders are open to all",
    (it) => setDefault(it, PUBLIC),
    { nobody: "editor", outer: "viewer", all: "viewer" },
  ],
  [
    "private ones to grants on any level",
    (it) => setDefault(it, PRIVATE),
    { nobody: DENIED, outer: "viewer", all: "viewer" },
  ],
  [
    "restricted ones to grants on folders up to the restricted one",
    (it) => setFolderAccess(it, ["outer"], RESTRICTED),
    { nobody: DENIED, outer: "viewer", all: DENIED },
  ],
  [
    "one that is restricted itself to grants on it",
    (it) => setFolderAccess(it, ["inner"], RESTRICTED),
    { nobody: DENIED, outer: DENIED, all: DENIED },
  ],
  [
    "restricted by the default to grants on folders",
    (it) => setDefault(it, RESTRICTED),
    { nobody: DENIED, outer: "viewer", all: DENIED },
  ],
])("folders follow the table of documents: %s", async (_title, arrange, roles) => {
  const workspace = await documentInFolders();
  await arrange(workspace);
  await grant(workspace, "outer", "folder outer", "viewer");
  await grant(workspace, "all", "organization", "viewer");
  await grant(workspace, "inner", "folder inner", "viewer");
  const read = async (userId: string) => (await getAccess(workspace, userId, { folderIds: ["inner"] }))["folder inner"];
  const expected = Object.entries({ ...roles, inner: "viewer" });
  for (const [userId, role] of expected) expect((await read(userId))?.split(" ")[0], userId).toBe(role);
});

test("an organization itself is open only to grants on it", async () => {
  const workspace = await documentInFolders();
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "grace", "folder outer", "editor");
  expect(await getAccess(workspace, "ada")).toEqual({ organization: "editor" });
  expect(await getAccess(workspace, "grace")).toEqual({ organization: DENIED });
});

test("the nearest grant decides, whether it gives more or less than the others", async () => {
  const workspace = await documentInFolders();
  await setDefault(workspace, PRIVATE);
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "ada", "folder outer", "viewer");
  expect(await getRole(workspace, "ada", "d")).toBe("viewer");
  await grant(workspace, "ada", "folder inner", "editor");
  expect(await getRole(workspace, "ada", "d")).toBe("editor");
  await grant(workspace, "ada", "document d", "viewer");
  expect(await getRole(workspace, "ada", "d")).toBe("viewer");
  await grant(workspace, "grace", "organization", "viewer");
  await grant(workspace, "grace", "document d", "editor");
  expect(await getRole(workspace, "grace", "d")).toBe("editor");
});

test("a public document in a restricted folder is open to everyone", async () => {
  const workspace = await documentInFolders();
  await setFolderAccess(workspace, ["outer", "inner"], RESTRICTED);
  await setDocumentAccess(workspace, PUBLIC);
  expect(await getAccess(workspace, "nobody", { documentIds: ["d"], folderIds: ["inner"] })).toEqual({
    ...{ organization: DENIED, "folder inner": `${DENIED} restricted`, "document d": "editor public" },
  });
});

test("a restricted document in a public folder is open to document grants only", async () => {
  const workspace = await documentInFolders();
  await setFolderAccess(workspace, ["outer"], PUBLIC);
  await setDocumentAccess(workspace, RESTRICTED);
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "ada", "folder inner", "editor");
  expect(await getRole(workspace, "ada", "d")).toBe(DENIED);
  await grant(workspace, "ada", "document d", "viewer");
  expect(await getRole(workspace, "ada", "d")).toBe("viewer");
});

test("moving a folder below a restricted folder closes its documents at once", async () => {
  const workspace = await documentInFolders();
  await addFolders(workspace, [{ folderId: "closed", accessType: "restricted" }]);
  await grant(workspace, "ada", "folder outer", "viewer");
  await moveFolder(workspace, "inner", "closed");
  expect([await getRole(workspace, "ada", "d"), await getRole(workspace, "nobody", "d")]).toEqual([DENIED, DENIED]);
  await moveFolder(workspace, "inner", "outer");
  expect([await getRole(workspace, "ada", "d"), await getRole(workspace, "nobody", "d")]).toEqual(["viewer", "editor"]);
});

test("a longer grant on the organization does not extend a grant on the document", async () => {
  const workspace = await documentInFolders();
  await setDocumentAccess(workspace, RESTRICTED);
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "ada", "document d", "editor", { expiresAt: Math.floor(Date.now() / 1000) - 1 });
  expect(await getRole(workspace, "ada", "d")).toBe(DENIED);
});

test("an expired grant leaves the decision to the next one", async () => {
  const workspace = await documentInFolders();
  await grant(workspace, "ada", "document d", "editor", { expiresAt: 1 });
  await grant(workspace, "ada", "folder inner", "viewer", { expiresAt: 0 });
  await grant(workspace, "ada", "folder outer", "viewer");
  await grant(workspace, "ada", "organization", "editor", { expiresAt: 2 });
  expect(await getAccess(workspace, "ada", { documentIds: ["d"] })).toEqual({
    ...{ organization: DENIED, "document d": "viewer public" },
  });
  await removeGrant(workspace, "ada", "folder outer");
  expect(await getRole(workspace, "ada", "d")).toBe("editor");
});

test("nothing is permitted in a disabled organization, whose resources exist", async () => {
  const workspace = await documentInFolders();
  await grant(workspace, "ada", "organization", "editor");
  await setDisabled(workspace, true);
  const asked = { documentIds: ["d"], folderIds: ["inner"] };
  expect(await getAccess(workspace, "ada", asked)).toEqual({
    ...{ organization: DENIED, "folder inner": `${DENIED} public`, "document d": `${DENIED} public` },
  });
  await setDisabled(workspace, false);
  expect(await getAccess(workspace, "ada", asked)).toEqual({
    ...{ organization: "editor", "folder inner": "editor public", "document d": "editor public" },
  });
});

test("nothing is permitted in a disabled document, which exists", async () => {
  const workspace = await documentInFolders();
  await grant(workspace, "ada", "document d", "editor");
  const request = { organizationId: "acme", documentIds: ["d"] };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", { ...request, disabled: true });
  expect(await getRole(workspace, "ada", "d")).toBe(DENIED);
  const asked = { ...request, userIds: ["ada", "grace"] };
  const entry = { documents: { d: { error: 'Document "d" is disabled.', errorCode: DENIED } } };
  expect(await workspace.data("/v2/auth/permissions/get", asked)).toMatchObject({ ada: entry, grace: entry });
  await workspace.data("/v2/organizations/documents/access/disablestate/update", { ...request, disabled: false });
  expect(await getRole(workspace, "ada", "d")).toBe("editor");
});

test("grants of one organization do not count in another one with the same IDs", async () => {
  const workspace = await service.publicWorkspace();
  await setDefault(workspace, PRIVATE);
  await addActivities(workspace, ["a"], { organizationId: "globex" });
  for (const resource of ["organization", "document contract-7"]) await grant(workspace, "ada", resource, "editor");
  const asked = { documentIds: ["contract-7"] };
  expect(await getAccess(workspace, "ada", asked, "globex")).toEqual({
    ...{ organization: DENIED, "document contract-7": `${DENIED} organizationPrivate` },
  });
});
