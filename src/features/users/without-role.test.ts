import { expect, test } from "vitest";
import { beforePurge } from "../../../test/before-purge.ts";
import { addFolders, inFolders } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, readInbox } from "../../../test/notifications.ts";
import { addToGroup, readRecordIds, readRecords, USERS, writeRecords } from "../../../test/organizations.ts";
import { explain, getAccess, grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { deleteUserData, untilDeletionDone } from "../../../test/user-data.ts";
import { tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const ACME = { organizationId: "acme" };
const DENIED = "permission_denied";
/** Places where users are added, by the names of the resources. */
const PLACES = { organization: {}, "folder a": { folderId: "a" }, "document d": { documentId: "d" } };
const RESOURCES = ["organization", "folder a", "document d"] as const;

/** Creates a folder and a document, both private by default. */
async function startWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addFolders(workspace, inFolders("a"));
  await workspace.data("/v2/organizations/documents/add", { ...ACME, documents: [{ documentId: "d" }] });
  return workspace;
}

/** Reads the role of a user on a resource. */
async function getRole(workspace: TestWorkspace, userId: string, resource: (typeof RESOURCES)[number]) {
  const access = await getAccess(workspace, userId, { folderIds: ["a"], documentIds: ["d"] });
  return access[resource]?.split(" ")[0];
}

test.each(RESOURCES)("somebody added without a role is a user of the %s, who may do nothing", async (resource) => {
  const workspace = await startWorkspace();
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", name: "Ada" }], PLACES[resource]);
  const access = await getAccess(workspace, "ada", { folderIds: ["a"], documentIds: ["d"] });
  expect(new Set(Object.values(access).map((text) => text.split(" ")[0]))).toEqual(new Set([DENIED]));
  const listed = [{ userId: "ada", name: "Ada", initial: "A" }];
  expect(await readRecords(workspace, USERS, PLACES[resource])).toEqual(listed);
  for (const other of RESOURCES) {
    const { count } = await workspace.data("/v2/users/count/get", { ...ACME, ...PLACES[other] });
    expect(count, other).toBe(other === resource ? 1 : 0);
  }
  for (const asked of [{ documentId: "d" }, { folderId: "a" }]) {
    expect((await explain(workspace, asked)).users).toEqual([]);
  }
  expect(await workspace.data("/v2/users/documents/get", ACME)).toEqual([]);
});

test.each(RESOURCES)("adding a user again to the %s without a role neither gives nor takes one", async (resource) => {
  const workspace = await startWorkspace();
  const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
  await grant(workspace, "ada", resource, "viewer", { expiresAt });
  await grant(workspace, "alan", resource, "editor", { expiresAt: 1 });
  await writeRecords(workspace, USERS, "add", ["ada", "alan"], PLACES[resource]);
  expect(await readRecords(workspace, USERS, PLACES[resource])).toEqual([
    { userId: "ada", accessRole: "viewer" },
    { userId: "alan" },
  ]);
  expect(await getRole(workspace, "alan", resource)).toBe(DENIED);
  const { permissions } = await workspace.data("/v2/users/data/get", { ...ACME, userId: "ada" });
  expect(permissions).toMatchObject([{ accessRole: "viewer", expiresAt }]);
});

test.each(RESOURCES)("an update of a user of the %s gives a role only if it is sent", async (resource) => {
  const workspace = await startWorkspace();
  await writeRecords(workspace, USERS, "add", ["ada"], PLACES[resource]);
  const update = (user: object) => writeRecords(workspace, USERS, "update", [user], PLACES[resource]);
  expect(await update({ userId: "ada", name: "Ada" })).toMatchObject({ ada: { success: true } });
  expect(await getRole(workspace, "ada", resource)).toBe(DENIED);
  await update({ userId: "ada", accessRole: "viewer" });
  expect(await getRole(workspace, "ada", resource)).toBe("viewer");
  await grant(workspace, "ada", resource, "viewer", { expiresAt: 1 });
  await update({ userId: "ada", name: "Ada" });
  expect(await getRole(workspace, "ada", resource)).toBe(DENIED);
  await update({ userId: "ada", accessRole: "editor" });
  expect(await getRole(workspace, "ada", resource)).toBe("editor");
});

test.each(RESOURCES)(
  "a user of the %s whose permission is removed or ends stays one of its users",
  async (resource) => {
    const workspace = await startWorkspace();
    const users = ["ada", "alan"].map((userId) => ({ userId, accessRole: "editor" }));
    await writeRecords(workspace, USERS, "add", users, PLACES[resource]);
    await writeRecords(workspace, USERS, "add", ["guest", "late"], { documentId: "other" });
    for (const userId of ["guest", "late"]) await grant(workspace, userId, resource);
    for (const userId of ["ada", "guest"]) await removeGrant(workspace, userId, resource);
    for (const userId of ["alan", "late"]) await grant(workspace, userId, resource, "editor", { expiresAt: 1 });
    expect(await readRecords(workspace, USERS, PLACES[resource])).toEqual([{ userId: "ada" }, { userId: "alan" }]);
    for (const userId of ["ada", "alan"]) expect(await getRole(workspace, userId, resource)).toBe(DENIED);
    await workspace.data("/v2/users/delete", { ...ACME, ...PLACES[resource], userIds: ["ada", "alan"] });
    expect(await readRecords(workspace, USERS, PLACES[resource])).toEqual([]);
  },
);

test("members of a group get no permission", async () => {
  const workspace = await startWorkspace();
  await addToGroup(workspace, "legal", ["ada"]);
  expect(await readRecordIds(workspace, USERS, { organizationUserGroupIds: ["legal"] })).toEqual(["ada"]);
  expect(await getRole(workspace, "ada", "document d")).toBe(DENIED);
});

test("a token makes a user without a role an editor if the workspace wants that", async () => {
  const workspace = await startWorkspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { requireAutoOrgUser: true });
  await writeRecords(workspace, USERS, "add", ["ada"]);
  await tokenFor(workspace, "ada", { resources: [resourceNamed("organization")] });
  expect(await readRecords(workspace, USERS)).toEqual([{ userId: "ada", accessRole: "editor" }]);
});

test("a user without a role is notified with all others of the organization, and reads it once permitted", async () => {
  const workspace = await startWorkspace();
  await writeRecords(workspace, USERS, "add", ["ada"]);
  await addNotification(workspace, "news", { notifyAll: true, notifyUsers: [], ...{ actionUser: { userId: "bob" } } });
  expect(await readInbox(workspace, "ada")).toEqual([]);
  await grant(workspace, "ada", "organization", "viewer");
  expect(await readInbox(workspace, "ada")).toEqual(["news"]);
});

test("an annotation for users with a permission on the organization is hidden from those without one", async () => {
  const workspace = await startWorkspace();
  await writeRecords(workspace, USERS, "add", ["ada", { userId: "grace", accessRole: "viewer" }]);
  for (const userId of ["ada", "grace"]) await grant(workspace, userId, "document d", "viewer");
  const visibility = { type: "organizationPrivate" as const, organizationId: "acme" };
  const commentData = [{ commentText: "Ours", from: { userId: "bob" } }];
  const place = { ...ACME, documentId: "d" };
  await workspace.data("/v2/commentannotations/add", { ...place, commentAnnotations: [{ visibility, commentData }] });
  const countFor = async (userId: string) => {
    const counts = await workspace.data("/v2/commentannotations/count/get", { ...ACME, documentIds: ["d"], userId });
    return Object(counts).d.total;
  };
  expect([await countFor("ada"), await countFor("grace")]).toEqual([0, 1]);
});

test("a role is purged with the user's data, although the user is added again before the purge", async () => {
  const workspace = await startWorkspace();
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "alan", "organization", "editor");
  const jobId = await beforePurge(service, async () => {
    const { jobId } = await deleteUserData(workspace, ["ada", "alan"]);
    await writeRecords(workspace, USERS, "add", ["ada"]);
    await addToGroup(workspace, "legal", ["alan"]);
    return jobId;
  });
  await untilDeletionDone(workspace, jobId);
  expect(await readRecords(workspace, USERS)).toEqual([{ userId: "ada" }, { userId: "alan" }]);
});
