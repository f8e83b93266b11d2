import fc from "fast-check";
import { expect, test } from "vitest";
import { addFolders, moveFolder, setFolderAccess } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, writeRecords } from "../../../test/organizations.ts";
import { grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { SEED } from "../../../test/seed.ts";
import { size } from "../../../test/sizes.ts";
import type { AccessType } from "../../contract/access-type.ts";
import { sql, texts, uuid } from "../../database/sql.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { buildDocumentRole, type EffectiveGrant, isReadable, selectAccess } from "./access-queries.ts";
import { isInReadableDocument } from "./record-document-queries.ts";

/** Settings of fast-check, which prints the seed of a failure. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 25, long: 500 }) };
const service = await startTestService();
const FOLDERS = ["a", "b", "c", "d", "e"];
const DOCUMENT_IDS = ["1", "2", "3", "4"];
const TYPES = ["public", "organizationPrivate", "restricted"] as const;
const RESOURCES = [
  "organization",
  ...FOLDERS.map((id) => `folder ${id}`),
  ...DOCUMENT_IDS.map((id) => `document ${id}`),
];
/** Ends of grants: an hour ago, in an hour, or never. */
const ENDS = [-3600, 3600, undefined].map((seconds) => seconds && Math.floor(Date.now() / 1000) + seconds);

interface Grant {
  resource: string;
  accessRole: "viewer" | "editor";
  expiresAt: number | undefined;
}
type Action =
  | { kind: "folder"; id: string; parent: string }
  | { kind: "folder type"; id: string; type: AccessType | undefined }
  | { kind: "document"; id: string; folder: string; type: AccessType | undefined }
  | ({ kind: "grant" } & Grant)
  | { kind: "remove"; resource: string };

const folder = fc.constantFrom(...FOLDERS);
const place = fc.constantFrom("root", ...FOLDERS);
const type = fc.constantFrom(undefined, ...TYPES);
const grants: fc.Arbitrary<Grant> = fc.record({
  resource: fc.constantFrom(...RESOURCES),
  accessRole: fc.constantFrom("viewer", "editor"),
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

  accessTo(resource: string, defaultType: AccessType): { accessType: AccessType; grant: EffectiveGrant | null } {
    const chain = this.getChain(resource);
    const definer = chain.findIndex((one) => this.getOwnType(one) !== undefined);
    const accessType = this.getOwnType(chain[definer] ?? "") ?? defaultType;
    const end = definer < 0 ? chain.length - 1 : definer + 1;
    const counting = accessType === "restricted" ? chain.slice(0, end) : chain;
    const [grant = accessType === "public" ? { accessRole: "editor" as const } : null] = counting.flatMap(
      (one) => this.grantOn(one) ?? [],
    );
    return { accessType, grant };
  }

  grantOn(resource: string): EffectiveGrant | undefined {
    const isUnexpired = ({ expiresAt = Number.POSITIVE_INFINITY }: Grant) => expiresAt > Date.now() / 1000;
    const found = [this.stored.get(resource), this.tokens.get(resource)].find((one) => one && isUnexpired(one));
    const { accessRole, expiresAt } = found ?? {};
    return accessRole && { accessRole, ...(expiresAt !== undefined && { expiresAt }) };
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

test("the statement decides as a model, over random trees, types, grants, moves, removals and tokens", async () => {
  const runs = fc.record({
    actions: fc.array(action, { minLength: 8, maxLength: 25 }),
    isTokenOld: fc.boolean(),
    tokens: fc.uniqueArray(grants, { selector: ({ resource }) => resource, maxLength: 4 }),
  });
  const outcomes = new Set<string>();
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
      expect(access.organization).toEqual(model.grantOn("organization") ?? null);
      for (const id of folderIds)
        expect(access.folders.get(id), id).toEqual(model.accessTo(`folder ${id}`, defaultType));
      for (const id of DOCUMENT_IDS) {
        const expected = model.accessTo(`document ${id}`, defaultType);
        expect(access.documents.get(id), id).toEqual({ ...expected, exists: model.documents.has(id), block: null });
        outcomes.add(`${expected.accessType} ${expected.grant?.accessRole}`);
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
  expect(outcomes).toEqual(
    new Set(TYPES.flatMap((one) => [`${one} viewer`, `${one} editor`, `${one} undefined`])).difference(
      new Set(["public undefined"]),
    ),
  );
});
