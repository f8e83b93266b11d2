import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  deletedText,
  encodeUpdate,
  fromClients,
  garbage,
  nestedMaps,
  textAfter,
} from "../../../../test/hostile-updates.ts";
import { getErrorReason } from "./sync-caller.ts";
import { DocumentSize, isKnown, measureWithoutBlocking } from "./update-check.ts";

const SENDER = { group: "acme", name: "ada" };

/** Documents with their sizes, to which updates are added as those of clients are. */
class Checked {
  readonly document: Y.Doc;
  readonly #size: DocumentSize;

  constructor(document = new Y.Doc()) {
    this.document = document;
    this.#size = new DocumentSize(document);
  }

  /** Adds an update. Returns "added", or the reason, which is "retry" if the client should synchronize again. */
  async add(update: Uint8Array): Promise<string> {
    return this.addAll([update]).then(([outcome]) => outcome ?? "");
  }

  /** Adds updates that arrive while the ones before are being saved. */
  async addAll(updates: readonly Uint8Array[]): Promise<string[]> {
    const measures = await Promise.all(
      updates.map((update) => measureWithoutBlocking(update, SENDER).catch(getReason)),
    );
    const added = updates.map((update, index) => {
      const measure = measures[index];
      if (typeof measure !== "object") return measure;
      try {
        return this.#size.add(update, measure);
      } catch (error) {
        return getReason(error);
      }
    });
    return updates.map((update, index) => {
      const one = added[index];
      if (typeof one !== "object") return one ?? "";
      Y.applyUpdate(this.document, update);
      this.#size.end(one);
      return "added";
    });
  }
}

/** Returns the updates that a function writes in one transaction each. */
function collectUpdates(document: Y.Doc, ...writes: ((document: Y.Doc) => void)[]): Uint8Array[] {
  const updates: Uint8Array[] = [];
  document.on("update", (update) => updates.push(update));
  for (const write of writes) document.transact(() => write(document));
  return updates;
}

test("an update of more than 1,000 clients, or 10,000 structs, is too large", async () => {
  const { add } = bound(new Checked());
  expect(await add(fromClients(1, 1_001))).toBe("update_too_large");
  expect(await add(encodeUpdate([{ client: 1, structs: Array(10_001).fill(garbage) }]))).toBe("update_too_large");
  expect(await add(fromClients(1, 1_000))).toBe("added");
});

test("a document takes updates of at most 10,000 clients", async () => {
  const { add, document } = bound(new Checked());
  for (let count = 0; count < 10; count++) expect(await add(fromClients(1 + 1_000 * count, 1_000))).toBe("added");
  expect(await add(fromClients(1_000_000, 1))).toBe("document_too_large");
  const [known] = collectUpdates(document, () => {});
  expect(known).toBeUndefined();
  expect(await add(encodeUpdate([{ client: 1, clock: 1, structs: [garbage] }]))).toBe("added");
});

test("types are at most 100 within each other, also over several updates", async () => {
  const { add } = bound(new Checked());
  expect(await add(nestedMaps(1, 101))).toBe("update_too_large");
  expect(await add(nestedMaps(1, 60))).toBe("added");
  expect(await add(nestedMaps(2, 41, { client: 1, clock: 59 }))).toBe("update_too_large");
  expect(await add(nestedMaps(2, 40, { client: 1, clock: 59 }))).toBe("added");
  expect(await add(nestedMaps(3, 1, { client: 2, clock: 39 }))).toBe("update_too_large");
});

test("values are at most 100 within each other", async () => {
  const nested = (depth: number) => {
    let value: object = [];
    for (let count = 0; count < depth; count++) value = [value];
    return collectUpdates(new Y.Doc(), (document) => document.getArray("content").push([value]))[0] ?? new Uint8Array();
  };
  const { add } = bound(new Checked());
  expect(await add(nested(101))).toBe("update_too_large");
  expect(await add(nested(2_000))).toBe("update_too_large");
  expect(await add(nested(90))).toBe("added");
});

test("values within others count", async () => {
  const { add } = bound(new Checked());
  const [large] = collectUpdates(new Y.Doc(), (document) =>
    document.getArray("content").push([Array(200_000).fill(1)]),
  );
  const [small] = collectUpdates(new Y.Doc(), (document) => document.getArray("content").push([Array(50_000).fill(1)]));
  expect(await add(large ?? new Uint8Array())).toBe("added");
  expect(await add(small ?? new Uint8Array())).toBe("document_too_large");
});

test("an update deletes at most 5,000 pieces that are not deleted yet", async () => {
  const { document, deletions } = deletedText(60_000);
  const { add } = bound(new Checked(document));
  expect(await add(deletions(0, 5_001))).toBe("update_too_large");
  for (const from of [0, 10_000]) expect(await add(deletions(from, 5_000))).toBe("added");
  expect(await add(deletions(0, 10_000))).toBe("added");
  expect(isKnown(document, await measureWithoutBlocking(deletions(0, 10_000), SENDER))).toBe(true);
  expect(isKnown(document, await measureWithoutBlocking(deletions(0, 10_001), SENDER))).toBe(false);
});

test("an update that splits many structs of a large document is too large", async () => {
  const { document, deletions } = deletedText(160_000);
  for (let count = 0; count < 9; count++) Y.applyUpdate(document, deletions(10_000 * count, 5_000));
  const { add } = bound(new Checked(document));
  expect(await add(deletions(100_001, 1_500))).toBe("update_too_large");
  expect(await add(deletions(100_001, 400))).toBe("added");
});

test("what an update builds on may be missing for 64 KiB, and is applied when it arrives", async () => {
  const { add, document } = bound(new Checked());
  const offline = new Y.Doc();
  const text = offline.getText("content");
  const [first, second, third] = collectUpdates(
    offline,
    () => text.insert(0, "a"),
    () => text.insert(1, "b".repeat(40_000)),
    () => text.insert(1, "c".repeat(40_000)),
  );
  expect(await add(second ?? new Uint8Array())).toBe("added");
  expect(await add(third ?? new Uint8Array())).toBe("retry");
  expect(document.getText("content").length).toBe(0);
  expect(await add(first ?? new Uint8Array())).toBe("added");
  expect(await add(third ?? new Uint8Array())).toBe("added");
  expect(document.getText("content").toString()).toBe(text.toString());
});

test("updates that arrive at once are limited together", async () => {
  const checked = new Checked();
  const incomplete = (client: number) =>
    encodeUpdate([{ client, clock: 1, structs: [textAfter(client, 0, "a".repeat(40_000))] }]);
  expect(await checked.addAll([incomplete(1), incomplete(2), incomplete(3)])).toEqual(["added", "retry", "retry"]);
  const clients = Array.from({ length: 11 }, (_, index) => fromClients(10 + 1_000 * index, 1_000));
  expect((await checked.addAll(clients)).filter((outcome) => outcome === "added")).toHaveLength(10);
});

test("types are not held back if what is around them is missing", async () => {
  const { add } = bound(new Checked());
  expect(await add(nestedMaps(2, 100, { client: 1, clock: 99 }))).toBe("retry");
  expect(await add(nestedMaps(1, 100))).toBe("added");
  expect(await add(nestedMaps(2, 1, { client: 1, clock: 99 }))).toBe("update_too_large");
});

test("deletions that overlap are invalid", async () => {
  const { document } = deletedText(1_000);
  const { add } = bound(new Checked(document));
  expect(await add(encodeUpdate([], Array(10).fill([0, 1_000])))).toBe("update_invalid");
  expect(
    await add(
      encodeUpdate(
        [],
        [
          [10, 1],
          [0, 1],
        ],
      ),
    ),
  ).toBe("update_invalid");
});

test("structs that wait for each other are held back for 64 KiB", async () => {
  const { add } = bound(new Checked());
  const circle = (client: number) =>
    encodeUpdate([
      { client, structs: [textAfter(client + 1, 0, "a".repeat(20_000))] },
      { client: client + 1, structs: [textAfter(client, 0, "a".repeat(20_000))] },
    ]);
  expect(await add(circle(1))).toBe("added");
  expect(await add(circle(3))).toBe("retry");
});

test("deletions of what a document does not have are held back for 64 KiB", async () => {
  const { add } = bound(new Checked());
  const deletions = (from: number) =>
    encodeUpdate(
      [],
      Array.from({ length: 4_900 }, (_, index) => [from + 1_000_000 * index, 1]),
    );
  expect(await add(deletions(0))).toBe("added");
  for (const from of [2, 4]) await add(deletions(from));
  expect(await add(deletions(6))).toBe("retry");
});

test("an update with a client twice, or that ends early, is invalid", async () => {
  const { add } = bound(new Checked());
  const twice = encodeUpdate([
    { client: 1, structs: [garbage] },
    { client: 2, structs: [garbage] },
    { client: 1, structs: [garbage] },
  ]);
  expect(await add(twice)).toBe("update_invalid");
  expect(await add(fromClients(1, 100).subarray(0, 200))).toBe("update_invalid");
});

test("random histories of Yjs are known once they are added, in any order of their clients", async () => {
  const { add, document } = bound(new Checked());
  const pages = Array.from({ length: 5 }, () => new Y.Doc());
  for (let round = 0; round < 40; round++) {
    for (const page of pages) {
      const list = page.getArray<unknown>("content");
      const at = (round * 7) % (list.length + 1);
      if (round % 5 === 4 && list.length > 3) list.delete(at % (list.length - 2), 2);
      else list.insert(at, [round, new Y.Map([["key", new Y.Text("text")]])]);
    }
    const page = pages[round % pages.length] ?? document;
    const update = Y.encodeStateAsUpdate(page, Y.encodeStateVector(document));
    expect(await add(update)).toBe("added");
    expect(isKnown(document, await measureWithoutBlocking(update, SENDER))).toBe(true);
    Y.applyUpdate(page, Y.encodeStateAsUpdate(document, Y.encodeStateVector(page)));
  }
  expect(document.store.pendingStructs).toBeNull();
});

function getReason(error: unknown): string {
  return getErrorReason(error) ?? "retry";
}

function bound(checked: Checked) {
  return { add: (update: Uint8Array) => checked.add(update), document: checked.document };
}

test("large updates take turns by sender, so that one with many sockets does not delay others", async () => {
  const large = fromClients(1, 900);
  const measured: string[] = [];
  const measure = async (name: string) => {
    await measureWithoutBlocking(large, { group: "acme", name });
    measured.push(name);
  };
  await Promise.all([...Array.from({ length: 10 }, () => measure("ada")), measure("grace")]);
  expect(measured.indexOf("grace")).toBeLessThan(3);
});
