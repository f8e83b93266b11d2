import fc from "fast-check";
import { expect, test } from "vitest";
import { addFolders, moveFolder, setFolderAccess } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, USERS, writeRecords } from "../../../test/organizations.ts";
import { explain, grant, removeGrant } from "../../../test/permissions.ts";
import { SEED } from "../../../test/seed.ts";
import { size } from "../../../test/sizes.ts";
import type { AccessType } from "../../contract/access-type.ts";
import { ACCESS_ROLES } from "../../contract/end-user.ts";

const service = await startTestService();
/** Settings of fast-check, which prints the seed of a failure. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 8, long: 80 }) };

const ACME = { organizationId: "acme" };
const TYPES = ["public", "organizationPrivate", "restricted"] as const;
const FOLDERS = ["a", "b", "c", "d"];
const DOCUMENT_IDS = ["x", "y"];
const USER_IDS = ["ada", "bo", "cy", "di"];
const RESOURCES = [
  "organization",
  ...FOLDERS.map((id) => `folder ${id}`),
  ...DOCUMENT_IDS.map((id) => `document ${id}`),
];
/** Ends of grants: an hour ago, in an hour, or never. */
const ENDS = [-3600, 3600, undefined].map((seconds) => seconds && Math.floor(Date.now() / 1000) + seconds);

const anyType = fc.constantFrom(undefined, ...TYPES);
const anyState = fc.record({
  defaultType: fc.constantFrom(...TYPES),
  /** The parent of each folder is one before it, and it is moved below another one later, where that makes no cycle. */
  folders: fc.tuple(...FOLDERS.map((_, index) => fc.constantFrom("root", ...FOLDERS.slice(0, index)))),
  moves: fc.array(fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom("root", ...FOLDERS)), { maxLength: 3 }),
  folderTypes: fc.tuple(...FOLDERS.map(() => anyType)),
  documents: fc.tuple(...DOCUMENT_IDS.map(() => fc.tuple(fc.constantFrom("root", ...FOLDERS), anyType))),
  grants: fc.array(
    fc.record({
      userId: fc.constantFrom(...USER_IDS),
      resource: fc.constantFrom(...RESOURCES),
      accessRole: fc.constantFrom(...ACCESS_ROLES),
      expiresAt: fc.constantFrom(...ENDS),
      /** Whether the user is added to the resource too. */
      isAdded: fc.boolean(),
    }),
    { minLength: 6, maxLength: 20 },
  ),
  removed: fc.array(fc.tuple(fc.constantFrom(...USER_IDS), fc.constantFrom(...RESOURCES)), { maxLength: 2 }),
});
type State = typeof anyState extends fc.Arbitrary<infer Value> ? Value : never;

/** Writes the state. Returns the unexpired grants, by user and resource. */
async function write(workspace: TestWorkspace, state: State): Promise<Map<string, State["grants"][number]>> {
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: state.defaultType });
  for (const [index, folderId] of FOLDERS.entries()) {
    await addFolders(workspace, [{ folderId, parentFolderId: state.folders[index] ?? "root" }]);
    await setFolderAccess(workspace, [folderId], getAccess(state.folderTypes[index]));
  }
  for (const [index, id] of DOCUMENT_IDS.entries()) {
    const [folderId, type] = state.documents[index] ?? [];
    await writeRecords(workspace, DOCUMENTS, "add", [id], { folderId });
    const request = { ...ACME, documentIds: [id], ...getAccess(type) };
    await workspace.data("/v2/organizations/documents/access/update", request);
  }
  const grants = new Map<string, State["grants"][number]>();
  for (const one of state.grants) {
    const end = one.expiresAt === undefined ? {} : { expiresAt: one.expiresAt };
    if (one.isAdded) await addUser(workspace, one.userId, one.resource);
    await grant(workspace, one.userId, one.resource, one.accessRole, end);
    grants.delete(`${one.userId} ${one.resource}`);
    if (one.expiresAt === undefined || one.expiresAt > Date.now() / 1000) {
      grants.set(`${one.userId} ${one.resource}`, one);
    }
  }
  for (const [userId, resource] of state.removed) {
    await removeGrant(workspace, userId, resource);
    grants.delete(`${userId} ${resource}`);
  }
  for (const [folderId, parentId] of state.moves) await moveFolder(workspace, folderId, parentId);
  return grants;
}

/** Adds a user to a resource, without a role. */
function addUser(workspace: TestWorkspace, userId: string, resource: string) {
  const [kind, id] = resource.split(" ");
  return writeRecords(workspace, USERS, "add", [userId], kind === "organization" ? {} : { [`${kind}Id`]: id });
}

function getAccess(own: AccessType | undefined) {
  return own === undefined ? { inheritFromParent: true } : { accessType: own };
}

test("explanations agree with permissions/get for each user, over random trees, types, grants and moves", async () => {
  const outcomes = new Set<string>();
  const property = fc.asyncProperty(anyState, async (state) => {
    const workspace = await service.workspace();
    const grants = await write(workspace, state);
    const asked = { ...ACME, userIds: USER_IDS, folderIds: FOLDERS, documentIds: DOCUMENT_IDS };
    const permissions = await workspace.data("/v2/auth/permissions/get", asked);
    const folders = await workspace.data("/v2/organizations/folders/get", ACME);
    const chains = new Map(folders.map((one) => [one.folderId, [...one.ancestors.slice(1), one.folderId]]));
    for (const resource of RESOURCES.filter((one) => one !== "organization")) {
      const [type, id = ""] = resource.split(" ");
      const isFolder = type === "folder";
      const { users, ...explained } = await explain(workspace, {
        ...(isFolder ? { folderId: id } : { documentId: id }),
        pageSize: 2,
      });
      const [folderId = "", ownType] = state.documents[DOCUMENT_IDS.indexOf(id)] ?? [];
      const chain = chains.get(isFolder ? id : folderId) ?? [];
      const around = ["organization", ...chain.map((one) => `folder ${one}`), ...(isFolder ? [] : [resource])];
      const definer = chain.findLast((one) => state.folderTypes[FOLDERS.indexOf(one)] !== undefined);
      expect(explained.definedBy, resource).toEqual(
        !isFolder && ownType !== undefined
          ? { type: "document", id }
          : definer === undefined
            ? { type: "workspace" }
            : { type: "folder", id: definer },
      );
      for (const userId of USER_IDS) {
        const permission = permissions[userId]?.[isFolder ? "folders" : "documents"]?.[id];
        const { through, ...user } = users.find((one) => one.userId === userId) ?? {};
        expect(explained.accessType).toBe(permission?.accessType);
        if (through === undefined) {
          // Only a public resource is open to a user without a grant on it or around it.
          const isAround = around.some((one) => grants.has(`${userId} ${one}`));
          expect(permission, `${userId} ${resource}`).toEqual(
            explained.accessType === "public" && !isAround
              ? { accessRole: "editor", accessType: "public" }
              : expect.objectContaining({ errorCode: "permission_denied" }),
          );
        } else {
          const { accessType, ...role } = Object(permission);
          expect(user, `${userId} ${resource}`).toEqual({ userId, ...role });
          const name = through.type === "organization" ? through.type : `${through.type} ${through.id}`;
          const { accessRole, expiresAt } = Object(grants.get(`${userId} ${name}`));
          expect(user, name).toEqual({ userId, accessRole, ...(expiresAt !== undefined && { expiresAt }) });
          expect(around).toContain(name);
        }
        outcomes.add(`${explained.accessType} ${through?.type}`);
      }
      const ids = users.map(({ userId }) => userId);
      expect(ids).toEqual([...new Set(ids)].sort());
    }
  });
  await fc.assert(property, SETTINGS);
  const levels = ["document", "folder", "organization", "undefined"];
  expect(outcomes).toEqual(
    new Set(TYPES.flatMap((one) => levels.map((level) => `${one} ${level}`))).difference(
      new Set(["restricted organization"]),
    ),
  );
});
