import { expect, test } from "vitest";
import * as Y from "yjs";
import { DocumentProvider } from "../../../../packages/react/src/document-provider.ts";
import { addContent, loadYjsDocument, readContent, updateContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService } from "../../../../test/harness.ts";
import { deletedText, encodeUpdate } from "../../../../test/hostile-updates.ts";
import { disconnect, getRejection, getText, openSyncedPage, type SyncedPage, type } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { getErrorReason } from "./sync-caller.ts";
import { DocumentSize, measureWithoutBlocking } from "./update-check.ts";
import { splitUpdate } from "./update-split.ts";

const SENDER = { group: "acme", name: "ada" };

const service = await startTestService();
const { address } = service;
const MIB = 1024 * 1024;

async function workOffline(content: Parameters<typeof addContent>[1], work: (page: SyncedPage) => void) {
  const workspace = await service.workspace();
  await addContent(workspace, content);
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada"), Provider: DocumentProvider });
  await disconnect(page);
  page.reasons.length = 0;
  work(page);
  void page.provider.configuration.websocketProvider.connect();
  return { workspace, page };
}

test("long offline work is stored, and reaches others", async () => {
  const { workspace, page } = await workOffline({ type: "text", data: "one" }, (offline) => {
    for (let count = 0; count < 20; count++) type(offline, `${count} ${"😀".repeat(20_000)}\n`);
    for (let count = 0; count < 20; count++) type(offline, `${count}`, 7 * count);
  });
  await page.saved();
  expect(page.reasons).toEqual([]);
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(getText(grace) === getText(page)).toBe(true);
  expect((await readContent(workspace)).data === getText(page)).toBe(true);
  type(grace, "two ", 0);
  await grace.saved();
  await eventually(() => expect(getText(page).startsWith("two ")).toBe(true));
});

test("offline work of more than 10,000 structs and 5,000 deletions is stored", async () => {
  const data = Array.from({ length: 6_000 }, (_, id) => ({ id }));
  const { workspace, page } = await workOffline({ type: "array", data }, ({ document }) => {
    const list = document.getArray<Y.Map<unknown>>("content");
    document.transact(() => {
      for (let index = 0; index < 12_000; index += 2) list.insert(index, [new Y.Map([["at", index]])]);
    });
    document.transact(() => {
      for (const item of list) if (item.has("id")) item.set("id", "changed");
    });
  });
  await page.saved();
  expect(page.reasons).toEqual([]);
  const stored = await loadYjsDocument(workspace);
  expect(stored.getArray("content").toJSON()).toEqual(page.document.getArray("content").toJSON());
});

test("a single value of more than 1 MiB cannot be split, and is rejected with a reason", async () => {
  const { workspace, page } = await workOffline({ type: "map", data: {} }, ({ document }) => {
    document.getMap("content").set("large", "x".repeat(2 * MIB));
  });
  expect(await getRejection(page)).toBe("update_too_large");
  expect((await readContent(workspace)).data).toEqual({});
});

test("the parts of an update are within the limits, and make the same document", () => {
  const document = new Y.Doc();
  const other = new Y.Doc();
  const text = document.getText("content");
  text.insert(0, "a😀".repeat(800_000));
  document.getArray("list").push(Array(100_000).fill({ a: [1, "b"] }));
  Y.applyUpdate(other, Y.encodeStateAsUpdate(document));
  for (let count = 0; count < 3_000; count++) other.getText("content").insert(3 * count, `${count}`);
  for (let count = 0; count < 3_000; count++) other.getText("content").delete(5 * count, 1);
  const update = Y.encodeStateAsUpdate(other);
  const parts = splitUpdate(update) ?? [];
  const joined = new Y.Doc();
  for (const part of parts) {
    expect(part.length).toBeLessThan(MIB);
    Y.applyUpdate(joined, part);
    expect(joined.store.pendingStructs).toBeNull();
  }
  expect(parts.length).toBeGreaterThan(5);
  expect(Buffer.from(Y.encodeStateAsUpdate(joined)).equals(update)).toBe(true);
});

/** Adds an update to a document. Returns the reason if the document does not take it. */
async function add(document: Y.Doc, update: Uint8Array): Promise<string> {
  try {
    new DocumentSize(document).add(update, await measureWithoutBlocking(update, SENDER));
    return "added";
  } catch (error) {
    return getErrorReason(error) ?? "retry";
  }
}

/** Returns the update that a page of a document sends for a change. */
function change(document: Y.Doc, write: (page: Y.Doc) => void): Uint8Array {
  const page = new Y.Doc();
  Y.applyUpdate(page, Y.encodeStateAsUpdate(document));
  const before = Y.encodeStateVector(page);
  write(page);
  return Y.encodeStateAsUpdate(page, before);
}

test.each([
  ["bytes", (full: Y.Doc) => full.getText("content").insert(0, "x".repeat(10 * MIB))],
  ["values", (full: Y.Doc) => full.getArray("content").push(Array(250_000).fill(1))],
])("a document that is full of %s takes what only deletes", async (_, fill) => {
  const full = new Y.Doc();
  fill(full);
  const shared = full.share.get("content");
  const remove = (page: Y.Doc) => {
    if (shared instanceof Y.Text) page.getText("content").delete(0, 5 * MIB);
    else page.getArray("content").delete(0, 5);
  };
  const add1 = (page: Y.Doc) => void page.getText("other").insert(0, "x");
  expect(await add(full, change(full, add1))).toBe("document_too_large");
  expect(await add(full, change(full, remove))).toBe("added");
  const typedAndDeleted = (page: Y.Doc) => {
    add1(page);
    page.getText("other").delete(0, 1);
    remove(page);
  };
  expect(await add(full, change(full, typedAndDeleted))).toBe("added");
});

test("a document that is full of ranges of deleted values takes deletions that join them, and no others", async () => {
  const { document, deletions } = deletedText(110_000);
  for (let count = 0; count < 10; count++) Y.applyUpdate(document, deletions(10_000 * count, 5_000));
  expect(await add(document, deletions(100_001, 1))).toBe("document_too_large");
  expect(await add(document, encodeUpdate([], [[0, 50]]))).toBe("added");
  expect(await add(document, encodeUpdate([], [[1, 1]]))).toBe("added");
});

test("a page empties a document that is full, and its content can be updated", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "x".repeat(MIB) });
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  for (let count = 0; count < 9; count++) {
    type(page, "x".repeat(MIB - 1_000), 0);
    await page.saved();
  }
  // The update has 22 bytes more than its text, the document then 14 bytes left, and the deletion takes 22.
  type(page, "x".repeat(10 * MIB - Y.encodeStateAsUpdate(page.document).length - 25), 0);
  await page.saved();
  page.document.getText("content").delete(0, 5 * MIB);
  await page.saved();
  expect(page.reasons).toEqual([]);
  await updateContent(workspace, { type: "text", data: "short" });
  expect((await readContent(workspace)).data).toBe("short");
});
