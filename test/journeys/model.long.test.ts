import fc from "fast-check";
import { expect, test } from "vitest";
import type { Api } from "../../src/operations.ts";
import { activity, addActivities, readActivityPages } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { SEED } from "../seed.ts";
import { size } from "../sizes.ts";

/** Settings of fast-check, which prints the seed of a failure. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 25, long: 400 }) };
const service = await startTestService();

interface Item {
  id: string;
  [field: string]: unknown;
}
interface Scope {
  documentId?: string;
  targetEntityId?: string;
  activityIds?: string[];
}
type Action =
  | { kind: "add"; documentId: string; items: Item[] }
  | { kind: "update"; items: Item[] }
  | { kind: "delete"; scope: Scope }
  | { kind: "read"; scope: Scope; order: "asc" | "desc"; pageSize: number };

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const documentId = fc.constantFrom("d1", "d2");
const targetEntityId = fc.constantFrom("t1", "t2");
const changeable = { entityData: fc.nat(9), actionIcon: fc.constantFrom("icon", null) };
const scope = fc.record(
  { documentId, targetEntityId, activityIds: fc.uniqueArray(id, { minLength: 1 }) },
  { requiredKeys: [] },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    documentId,
    items: distinct(fc.record({ id, targetEntityId, ...changeable }, { requiredKeys: ["id"] })),
  }),
  fc.record({
    kind: fc.constant("update" as const),
    items: distinct(fc.record({ id, ...changeable }, { requiredKeys: ["id"] })),
  }),
  fc.record({ kind: fc.constant("delete" as const), scope: scope.filter((one) => Object.keys(one).length > 0) }),
  fc.record({
    kind: fc.constant("read" as const),
    scope,
    order: fc.constantFrom("asc" as const, "desc" as const),
    pageSize: fc.integer({ min: 1, max: 4 }),
  }),
);

function distinct(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> {
  return fc.uniqueArray(item, { selector: (one) => one.id, minLength: 1, maxLength: 4 });
}

/** Reference implementation of activities as a list in the order of the feed. */
class Model {
  #records: Item[] = [];

  add(documentId: string, items: Item[]): void {
    for (const item of items) {
      const record = { ...item, documentId };
      const place = this.#records.findIndex((one) => one.id === item.id);
      if (place < 0) this.#records.push(record);
      else this.#records[place] = record;
    }
  }

  /** Updates the items. Returns for each ID whether it existed. */
  update(items: Item[]): Record<string, boolean> {
    const found = items.map((item) => [item.id, this.#records.some((one) => one.id === item.id)]);
    this.#records = this.#records.map((one) => ({ ...one, ...items.find((item) => item.id === one.id) }));
    return Object.fromEntries(found);
  }

  delete(scope: Scope): Record<string, boolean> {
    const deleted = this.read(scope).map((one) => one.id);
    this.#records = this.#records.filter((one) => !deleted.includes(one.id));
    return Object.fromEntries((scope.activityIds ?? deleted).map((one) => [one, deleted.includes(one)]));
  }

  read({ documentId, targetEntityId, activityIds }: Scope): Item[] {
    return this.#records.filter(
      (one) =>
        (documentId === undefined || one.documentId === documentId) &&
        (targetEntityId === undefined || one.targetEntityId === targetEntityId) &&
        (activityIds === undefined || activityIds.includes(one.id)),
    );
  }
}

type Path = "/v2/activities/update" | "/v2/activities/delete";

async function successes<P extends Path>(
  workspace: TestWorkspace,
  path: P,
  request: Api[P]["request"],
): Promise<object> {
  const response: Record<string, { success: boolean }> = await workspace.data(path, request);
  return Object.fromEntries(Object.entries(response).map(([one, { success }]) => [one, success]));
}

/** Performs the action on the model and on the service, and compares their results. */
async function perform(action: Action, model: Model, workspace: TestWorkspace, organizationId: string): Promise<void> {
  switch (action.kind) {
    case "add":
      model.add(action.documentId, action.items);
      await addActivities(workspace, action.items, { organizationId, documentId: action.documentId });
      return;
    case "update":
      expect(await successes(workspace, "/v2/activities/update", { organizationId, activities: action.items })).toEqual(
        model.update(action.items),
      );
      return;
    case "delete":
      expect(await successes(workspace, "/v2/activities/delete", { organizationId, ...action.scope })).toEqual(
        model.delete(action.scope),
      );
      return;
    case "read":
      await compare(model, workspace, {
        organizationId,
        ...action.scope,
        order: action.order,
        pageSize: action.pageSize,
      });
  }
}

interface ReadRequest extends Scope {
  organizationId: string;
  order: "asc" | "desc";
  pageSize: number;
}

async function compare(model: Model, workspace: TestWorkspace, request: ReadRequest): Promise<void> {
  const pages = await readActivityPages(workspace, request);
  const records = pages.flat().map(({ timestamp: _, metadata, ...fields }) => {
    return { ...fields, documentId: Object(metadata).documentId };
  });
  const expected = model.read(request).map((one) => ({ ...activity(one) }));
  expect(records).toEqual(request.order === "asc" ? expected : expected.toReversed());
  expect(pages.map((page) => page.length)).toEqual(pageLengths(expected.length, request.pageSize));
}

/** Returns the expected lengths of the pages. An empty list is one empty page. */
function pageLengths(count: number, pageSize: number): number[] {
  if (count <= pageSize) return [count];
  return [pageSize, ...pageLengths(count - pageSize, pageSize)];
}

test("any sequence of adds, updates, deletes and reads agrees with a list in memory", async () => {
  const workspace = await service.workspace();
  let run = 0;
  const property = fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
    const organizationId = `organization-${run++}`;
    const model = new Model();
    for (const one of actions) await perform(one, model, workspace, organizationId);
    await compare(model, workspace, { organizationId, order: "asc", pageSize: 1000 });
  });
  await fc.assert(property, SETTINGS);
});
