import fc from "fast-check";
import { expect, test } from "vitest";
import { setFolderAccess } from "../../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { DOCUMENTS, readRecords } from "../../../../test/organizations.ts";
import { SEED } from "../../../../test/seed.ts";
import { size } from "../../../../test/sizes.ts";

/** Settings of fast-check, which prints the seed of a failure. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 20, long: 400 }) };
const service = await startTestService();
const IDS = ["a", "b", "c", "d", "e", "f", "g"];
const DOCUMENT_IDS = ["1", "2", "3"];
const TYPES = ["public", "organizationPrivate", "restricted"] as const;
type AccessType = (typeof TYPES)[number];

interface Item {
  folderId: string;
  parentFolderId: string;
}
type Action =
  | { kind: "add"; items: Item[] }
  | { kind: "move"; items: Item[] }
  | { kind: "type"; ids: string[]; accessType: AccessType | undefined }
  | { kind: "delete"; folderId: string }
  | { kind: "place"; documentId: string; folderId: string; accessType: AccessType | undefined };

const id = fc.constantFrom(...IDS);
const place = fc.constantFrom("root", ...IDS);
const accessType = fc.constantFrom(undefined, ...TYPES);
const items = fc.uniqueArray(fc.record({ folderId: id, parentFolderId: place }), {
  selector: ({ folderId }) => folderId,
  minLength: 1,
  maxLength: 5,
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("add" as const), items }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("move" as const), items }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("type" as const),
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
      accessType,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), folderId: id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("place" as const),
      documentId: fc.constantFrom(...DOCUMENT_IDS),
      folderId: place,
      accessType,
    }),
  },
);

/** Reference implementation, which stores nothing that it can compute. */
class Model {
  readonly folders = new Map<string, { parent: string; type: AccessType | undefined }>();
  readonly documents = new Map<string, { folder: string; type: AccessType | undefined }>();

  getAncestors(folder: string): string[] {
    const parent = this.folders.get(folder)?.parent;
    return parent === undefined ? [] : [...this.getAncestors(parent), parent];
  }

  getType(folder: string): AccessType {
    const found = this.folders.get(folder);
    return found ? (found.type ?? this.getType(found.parent)) : "public";
  }

  /** Adds what has a parent until nothing more can be added. Returns the IDs of the added folders. */
  add(given: Item[]): Set<string> {
    const added = new Set<string>();
    for (let before = -1; before < added.size; ) {
      before = added.size;
      for (const { folderId, parentFolderId } of given) {
        const hasParent = parentFolderId === "root" || this.folders.has(parentFolderId);
        if (this.folders.has(folderId) || !hasParent) continue;
        this.folders.set(folderId, { parent: parentFolderId, type: undefined });
        added.add(folderId);
      }
    }
    return added;
  }

  move(folderId: string, parentFolderId: string): boolean {
    const folder = this.folders.get(folderId);
    const isKnown = parentFolderId === "root" || this.folders.has(parentFolderId);
    if (!folder || !isKnown || [parentFolderId, ...this.getAncestors(parentFolderId)].includes(folderId)) return false;
    folder.parent = parentFolderId;
    return true;
  }

  delete(folderId: string): void {
    const gone = [...this.folders.keys()].filter(
      (one) => one === folderId || this.getAncestors(one).includes(folderId),
    );
    for (const one of gone) this.folders.delete(one);
    for (const [document, { folder }] of this.documents) if (gone.includes(folder)) this.documents.delete(document);
  }
}

function successes(results: Record<string, { success: boolean }>): string[] {
  return Object.keys(results).filter((one) => results[one]?.success);
}

/** Performs the action on the model and on the service, and compares their results. */
async function perform(action: Action, model: Model, workspace: TestWorkspace, organizationId: string): Promise<void> {
  const scope = { organizationId };
  if (action.kind === "add") {
    const results = await workspace.data("/v2/organizations/folders/add", { ...scope, folders: action.items });
    expect(new Set(successes(results))).toEqual(model.add(action.items));
  } else if (action.kind === "move") {
    const results = await workspace.data("/v2/organizations/folders/update", { ...scope, folders: action.items });
    const moved = action.items.filter(({ folderId, parentFolderId }) => model.move(folderId, parentFolderId));
    expect(successes(results).sort()).toEqual(moved.map(({ folderId }) => folderId).sort());
  } else if (action.kind === "type") {
    const { accessType: type } = action;
    const change = type === undefined ? { inheritFromParent: true } : { accessType: type };
    const request = { ...scope, folderIds: action.ids, ...change };
    const results = await workspace.data("/v2/organizations/folders/access/update", request);
    const found = action.ids.filter((one) => model.folders.has(one));
    expect(successes(results).sort()).toEqual(found.sort());
    for (const one of found) Object.assign(model.folders.get(one) ?? {}, { type });
  } else if (action.kind === "delete") {
    const { httpStatus } = await workspace.call("/v2/organizations/folders/delete", {
      ...scope,
      folderId: action.folderId,
    });
    expect(httpStatus).toBe(model.folders.has(action.folderId) ? 200 : 404);
    model.delete(action.folderId);
  } else {
    const { documentId, folderId, accessType: type } = action;
    const request = { ...scope, documents: [{ documentId }], folderId, createFolder: false };
    const results = await workspace.data("/v2/organizations/documents/add", request);
    const isPlaced = folderId === "root" || model.folders.has(folderId);
    expect(successes(results)).toEqual(isPlaced ? [documentId] : []);
    if (!isPlaced) return;
    const change = type === undefined ? { inheritFromParent: true } : { accessType: type };
    await workspace.data("/v2/organizations/documents/access/update", {
      ...scope,
      documentIds: [documentId],
      ...change,
    });
    model.documents.set(documentId, { folder: folderId, type });
  }
}

let rounds = 0;

test("folders and documents have the places and access types of a model, whatever is moved and changed", async () => {
  const workspace = await service.publicWorkspace();
  const property = fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
    const organizationId = `round ${++rounds}`;
    const model = new Model();
    await perform(
      { kind: "add", items: [{ folderId: "a", parentFolderId: "root" }] },
      model,
      workspace,
      organizationId,
    );
    for (const one of actions) await perform(one, model, workspace, organizationId);
    const folders = await workspace.data("/v2/organizations/folders/get", { organizationId });
    const read = folders.map(({ folderId, ancestors, accessType: type }) => [folderId, ancestors, type]);
    const expected = [...model.folders.keys()].sort().map((one) => [one, model.getAncestors(one), model.getType(one)]);
    expect(read).toEqual(expected);
    const documents = await readRecords(workspace, DOCUMENTS, { organizationId });
    expect(documents.map((one) => [one.id, one.folderId ?? "root", one.accessType])).toEqual(
      [...model.documents].sort().map(([one, { folder, type }]) => [one, folder, type ?? model.getType(folder)]),
    );
  });
  await fc.assert(property, SETTINGS);
});

test("concurrent moves, types and deletions leave a tree in which every folder inherits from its parent", async () => {
  const workspace = await service.publicWorkspace();
  const organizationId = "acme";
  const folders = IDS.map((folderId, index) => ({ folderId, parentFolderId: IDS[index - 1] ?? "root" }));
  await workspace.data("/v2/organizations/folders/add", { organizationId, folders });
  const moves = IDS.flatMap((folderId) => IDS.map((parentFolderId) => ({ folderId, parentFolderId })));
  await Promise.all(
    moves.map(async (move, index) => {
      await workspace.data("/v2/organizations/folders/update", { organizationId, folders: [move] });
      const type = TYPES[index % 3] ?? "public";
      if (index % 5 === 0) await setFolderAccess(workspace, [move.folderId], { accessType: type });
      if (index === 20) await workspace.call("/v2/organizations/folders/delete", { organizationId, folderId: "g" });
    }),
  );
  const read = await workspace.data("/v2/organizations/folders/get", { organizationId });
  const byId = new Map(read.map((folder) => [folder.folderId, folder]));
  for (const { ancestors, parentFolderId, accessType: type, inheritAccessFromParent } of read) {
    const parent = byId.get(parentFolderId);
    expect(parentFolderId === "root" || parent !== undefined).toBe(true);
    expect(ancestors).toEqual(parent ? [...parent.ancestors, parentFolderId] : ["root"]);
    if (inheritAccessFromParent) expect(type).toBe(parent?.accessType ?? "public");
  }
});
