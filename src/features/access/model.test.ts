import fc from "fast-check";
import { expect, test } from "vitest";
import { addFolders, moveFolder, setFolderAccess } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, USERS, writeRecords } from "../../../test/organizations.ts";
import { grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { SEED } from "../../../test/seed.ts";
import { size } from "../../../test/sizes.ts";
import type { AccessType } from "../../contract/access-type.ts";
import { sql, texts, uuid } from "../../database/sql.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import type { EffectiveGrant } from "./access-queries.ts";
import { buildDocumentRole, isReadable } from "./document-access-queries.ts";
import { isInReadableDocument } from "./record-document-queries.ts";
import { selectAccess } from "./resource-access-queries.ts";

/** Settings of fast-check, which prints the seed of a failure. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 40, long: 500 }) };
const service = await startTestService();
const FOLDERS = ["a", "b", "c", "d", "e"];
const DOCUMENT_IDS = ["1", "2", "3", "4"];
const TYPES = ["public", "organizationPrivate", "restricted"] as const;
const RESOURCES = [
  "organization",
  ...FOLDERS.map((id) => `folder ${id}`),
  ...DOCUMENT_IDS.map((id) => `document ${id}`),
];
const ROLES = ["viewer", "commenter", "editor", "moderator"] as const;
/** Ends of grants: an hour ago, in an hour or two, or never. */
const ENDS = [-3600, 3600, 7200, undefined].map((seconds) => seconds && Math.floor(Date.now() / 1000) + seconds);

interface Grant {
  resource: string;
  accessRole: (typeof ROLES)[number];
  expiresAt: number | undefined;
}
type Action =
  | { kind: "folder"; id: string; parent: string }
  | { kind: "folder type"; id: string; type: AccessType | undefined }
  | { kind: "document"; id: string; folder: string; type: AccessType | undefined }
  | ({ kind: "grant" } & Grant)
  | { kind: "add user"; resource: string }
  | { kind: "remove"; resource: string };

const folder = fc.constantFrom(...FOLDERS);
const place = fc.constantFrom("root", ...FOLDERS);
const type = fc.constantFrom(undefined, ...TYPES);
const grants: fc.Arbitrary<Grant> = fc.record({
  resource: fc.constantFrom(...RESOURCES),
  accessRole: fc.constantFrom(...ROLES),
  expiresAt: fc.constantFrom(...ENDS),
});
const kind = <Kind extends Action["kind"]>(name: Kind) => fc.constant(name);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind("folder"), id: folder, parent: place }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("folder type"), id: folder, type }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind("document"), id: fc.constantFrom(...DOCUMENT_IDS), folder: place, type }),
  },
  { weight: 4, arbitrary: grants.map((one): Action => ({ kind: "grant", ...one })) },
  { weight: 2, arbitrary: fc.record({ kind: kind("add user"), resource: fc.constantFrom(...RESOURCES) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("remove"), resource: fc.constantFrom(...RESOURCES) }) },
);

/** Reference implementation, which stores nothing that it can compute. */
class Model {
  readonly folders = new Map<string, { parent: string; type: AccessType | undefined }>();
  readonly documents = new Map<string, { folder: string; type: AccessType | undefined }>();
  readonly stored = new Map<string, Grant>();
  readonly tokens = new Map<string, Grant>();
  readonly removed = new Set<string>();

  /** Returns a resource, the folders around it and the organization, nearest first. */
  getChain(resource: string): string[] {
    const [kind, id = ""] = resource.split(" ");
    if (kind === "organization") return [resource];
    const parent = kind === "folder" ? this.folders.get(id)?.parent : this.documents.get(id)?.folder;
    return [
      resource,
      ...this.getChain(parent === undefined || parent === "root" ? "organization" : `folder ${parent}`),
    ];
  }

  getOwnType(resource: string): AccessType | undefined {
    const [kind, id = ""] = resource.split(" ");
    return kind === "folder" ? this.folders.get(id)?.type : this.documents.get(id)?.type;
  }

  accessTo(resource: string, defaultType: AccessType) {
    const chain = this.getChain(resource);
    const definer = chain.findIndex((one) => this.getOwnType(one) !== undefined);
    const accessType = this.getOwnType(chain[definer] ?? "") ?? defaultType;
    const end = definer < 0 ? chain.length - 1 : definer + 1;
    const { grant, found } = this.grantOn(accessType === "restricted" ? chain.slice(0, end) : chain);
    const isOpen = accessType === "public" && found === "neither";
    return { accessType, grant: isOpen ? { accessRole: "editor" as const } : grant, found };
  }

  /** Combines the nearest grants of the token and of what is stored on resources, nearest first. */
  grantOn(resources: string[]): { grant: EffectiveGrant | null; found: string } {
    const isUnexpired = ({ expiresAt = Number.POSITIVE_INFINITY }: Grant) => expiresAt > Date.now() / 1000;
    const [token] = resources.flatMap((one) => this.tokens.get(one) ?? []);
    const [stored] = resources.flatMap((one) => this.stored.get(one) ?? []).filter(isUnexpired);
    if (token && !isUnexpired(token)) return { grant: null, found: stored ? "expired and stored" : "expired" };
    const found = [token, stored].filter((one) => one !== undefined);
    if (found.length === 0) return { grant: null, found: "neither" };
    const ends = found.flatMap(({ expiresAt }) => expiresAt ?? []);
    const grant = {
      accessRole: ROLES[Math.min(...found.map(({ accessRole }) => ROLES.indexOf(accessRole)))] ?? "viewer",
      ...(ends.length > 0 && { expiresAt: Math.min(...ends) }),
    };
    return { grant, found: [token && "token", stored && "stored"].filter((one) => one !== undefined).join(" and ") };
  }
}

/** Performs the action on the service and on the model. */
async function perform(done: Action, model: Model, workspace: TestWorkspace): Promise<void> {
  if (done.kind === "folder") {
    const { id, parent } = done;
    if (parent !== "root" && !model.folders.has(parent)) return;
    const stored = model.folders.get(id);
    if (!stored) {
      await addFolders(workspace, [{ folderId: id, parentFolderId: parent }]);
      model.folders.set(id, { parent, type: undefined });
    } else if (parent === "root" || !model.getChain(`folder ${parent}`).includes(`folder ${id}`)) {
      expect(await moveFolder(workspace, id, parent)).toMatchObject({ success: true });
      stored.parent = parent;
    }
  } else if (done.kind === "folder type") {
    const stored = model.folders.get(done.id);
    if (!stored) return;
    await setFolderAccess(workspace, [done.id], getAccess(done.type));
    stored.type = done.type;
  } else if (done.kind === "document") {
    const { id, type: own } = done;
    const inside = model.folders.has(done.folder) ? done.folder : "root";
    await writeRecords(workspace, DOCUMENTS, "add", [id], { folderId: inside });
    const request = { organizationId: "acme", documentIds: [id], ...getAccess(own) };
    await workspace.data("/v2/organizations/documents/access/update", request);
    model.documents.set(id, { folder: inside, type: own });
  } else if (done.kind === "add user") {
    const [kind, id = ""] = done.resource.split(" ");
    if (kind === "folder" && !model.folders.has(id)) return;
    await writeRecords(workspace, USERS, "add", ["ada"], kind === "organization" ? {} : { [`${kind}Id`]: id });
    if (kind === "document" && !model.documents.has(id)) model.documents.set(id, { folder: "root", type: undefined });
  } else if (done.kind === "remove") {
    await removeGrant(workspace, "ada", done.resource);
    model.stored.delete(done.resource);
    model.removed.add(done.resource);
  } else {
    const { resource, accessRole, expiresAt } = done;
    const [kind, id = ""] = resource.split(" ");
    if (kind === "folder" && !model.folders.has(id)) return;
    await grant(workspace, "ada", resource, accessRole, expiresAt === undefined ? {} : { expiresAt });
    model.stored.set(resource, done);
    if (kind === "document" && !model.documents.has(id)) model.documents.set(id, { folder: "root", type: undefined });
  }
}

function getAccess(own: AccessType | undefined) {
  return own === undefined ? { inheritFromParent: true } : { accessType: own };
}

test("the statement decides as a model, over random trees, types, users, grants, moves and tokens", async () => {
  const runs = fc.record({
    actions: fc.array(action, { minLength: 8, maxLength: 25 }),
    isTokenOld: fc.boolean(),
    tokens: fc.uniqueArray(grants, { selector: ({ resource }) => resource, maxLength: 6 }),
  });
  const [roles, origins] = [new Set<string>(), new Set<string>()];
  const property = fc.asyncProperty(runs, async ({ actions, tokens, isTokenOld }) => {
    const workspace = await service.workspace();
    const model = new Model();
    for (const one of actions) await perform(one, model, workspace);
    for (const one of tokens) {
      const isRemoved = isTokenOld && model.removed.has(one.resource);
      if (!isRemoved) model.tokens.set(one.resource, one);
    }
    const user = {
      userId: "ada",
      tokenNumber: isTokenOld ? 0 : Number.MAX_SAFE_INTEGER,
      grants: [
        ...tokens.map(({ resource, expiresAt, ...rest }) => ({
          ...resourceNamed(resource),
          ...rest,
          ...(expiresAt !== undefined && { expiresAt }),
        })),
        ...RESOURCES.map((resource) => ({
          ...resourceNamed(resource),
          ...{ accessRole: "editor" as const, organizationId: "other" },
        })),
      ],
    };
    const folderIds = [...model.folders.keys()];
    for (const defaultType of TYPES) {
      const settings = { id: workspace.id, defaultDocumentAccessType: defaultType, isContextEnabled: false };
      const organization = openOrganization(service.database, settings, "acme");
      const scope = { organization, user };
      const access = await selectAccess(organization, user, { folderIds, documentIds: DOCUMENT_IDS });
      expect(access.organization).toEqual(model.grantOn(["organization"]).grant);
      for (const id of folderIds) {
        const { found: _, ...expected } = model.accessTo(`folder ${id}`, defaultType);
        expect(access.folders.get(id), id).toEqual(expected);
      }
      for (const id of DOCUMENT_IDS) {
        const { found, ...expected } = model.accessTo(`document ${id}`, defaultType);
        expect(access.documents.get(id), id).toEqual({ ...expected, exists: model.documents.has(id), block: null });
        roles.add(`${expected.accessType} ${expected.grant?.accessRole}`);
        origins.add(`${expected.accessType} ${found}`);
      }
      const page = await service.database.run(
        sql<{
          id: string;
          role: string | null;
        }>`select document_id as id, ${buildDocumentRole(scope, "documents")} as role
          from documents where organization_key = ${uuid(organization.key)} and ${isReadable(scope, "documents")}
          order by document_id`,
      );
      expect(page.map(({ id, role }) => [id, role])).toEqual(
        [...model.documents.keys()].sort().flatMap((id) => {
          const { grant } = model.accessTo(`document ${id}`, defaultType);
          return grant ? [[id, grant.accessRole]] : [];
        }),
      );
      const inReadable = await service.database.run(
        sql<{ id: string }>`select id from unnest(${texts(DOCUMENT_IDS)}) as record (id)
          where ${isInReadableDocument(scope, sql`record.id`)} order by id`,
      );
      expect(inReadable.map(({ id }) => id)).toEqual(
        DOCUMENT_IDS.filter((id) => model.accessTo(`document ${id}`, defaultType).grant),
      );
    }
  });
  await fc.assert(property, SETTINGS);
  const perType = (outcomes: readonly string[]) => TYPES.flatMap((one) => outcomes.map((it) => `${one} ${it}`));
  expect(roles).toEqual(new Set(perType([...ROLES, "undefined"])));
  expect(origins).toEqual(
    new Set(perType(["neither", "token", "stored", "token and stored", "expired", "expired and stored"])),
  );
});
