import { expect, test } from "vitest";
import * as Y from "yjs";
import { compare, TestConnector, TestYInstance } from "yjs/testHelper";
import * as ywasm from "ywasm";
import { addContent, readContent } from "../crdt.ts";
import { eventually } from "../eventually.ts";
import { startTestService } from "../harness.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { disconnect, openSyncedPage, type SyncedPage } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";

const ROUNDS = 30;
const CHANGES_OF_ROUND = 20;
const service = await startTestService();

type Change = (document: Y.Doc, random: Random) => void;

function indexIn({ length }: { length: number }, random: Random): number {
  return random.integer(0, length);
}

/** Deletes up to three items after a random index. */
function deleteSome(type: { length: number; delete(index: number, length: number): void }, random: Random): void {
  if (type.length === 0) return;
  const index = random.integer(0, type.length - 1);
  type.delete(index, Math.min(type.length - index, random.integer(1, 3)));
}

/** Changes of the four roots that the helper compares. */
const CHANGES: Change[] = [
  (document, random) => {
    const text = document.getText("text");
    // No text has characters of two code units: documents that split one can differ in Yjs itself.
    text.insert(indexIn(text, random), random.one(["a", "word ", "ü", "陳", "\n"]));
  },
  (document, random) => deleteSome(document.getText("text"), random),
  (document, random) => {
    const text = document.getText("text");
    if (text.length > 0) text.format(random.integer(0, text.length - 1), 1, { bold: random.one([true, null]) });
  },
  (document, random) => {
    const array = document.getArray("array");
    const value = random.one([
      random.integer(0, 9),
      "text",
      null,
      { nested: [1, { two: 2 }] },
      new Y.Map([["key", 1]]),
    ]);
    array.insert(indexIn(array, random), [value]);
  },
  (document, random) => deleteSome(document.getArray("array"), random),
  (document, random) => {
    const value = random.one([random.integer(0, 9), true, "text", new Y.Array(), new Y.Text("nested")]);
    document.getMap("map").set(random.one(["one", "two", "three"]), value);
  },
  (document, random) => document.getMap("map").delete(random.one(["one", "two", "three"])),
  (document, random) => {
    const root = document.get("xml", Y.XmlElement);
    const child = random.one([() => new Y.XmlText("text"), () => new Y.XmlElement("paragraph")])();
    root.insert(indexIn(root, random), [child]);
  },
  (document, random) => deleteSome(document.get("xml", Y.XmlElement), random),
  (document, random) => document.get("xml", Y.XmlElement).setAttribute("level", random.one(["1", "2"])),
];

/** Returns the contents of the four roots as JSON, read by Yjs. */
function readByYjs(state: Uint8Array): unknown {
  const document = new Y.Doc();
  Y.applyUpdate(document, state);
  return {
    array: document.getArray("array").toJSON(),
    map: document.getMap("map").toJSON(),
    text: document.getText("text").toString(),
  };
}

/** Returns the same, read by the implementation in Rust. */
function readByYwasm(state: Uint8Array): unknown {
  const document = new ywasm.YDoc({});
  const [array, map, text] = [document.getArray("array"), document.getMap("map"), document.getText("text")];
  ywasm.applyUpdate(document, state, "stored");
  return { array: array.toJson(undefined), map: map.toJson(undefined), text: text.toString(undefined) };
}

test(`two providers have what the helper of Yjs expects, and Rust reads the stored state alike (${SEED})`, async () => {
  const random = new Random(SEED);
  const workspace = await service.workspace();
  await addContent(workspace, { type: "map", data: {} });
  const token = await tokenFor(workspace, "ada");
  // Each document has a connector of its own, so that only the service carries changes between them.
  const documents = [1, 2].map((clientId) => {
    const document = new TestYInstance(new TestConnector({}), clientId);
    document.clientID = clientId;
    return document;
  });
  const pages: SyncedPage[] = [];
  for (const document of documents) pages.push(await openSyncedPage(service.address, { token, document }));
  for (let round = 0; round < ROUNDS; round++) {
    const offline = pages.filter(() => random.chance(0.3));
    for (const page of offline) await disconnect(page);
    for (let change = 0; change < CHANGES_OF_ROUND; change++) random.one(CHANGES)(random.one(documents), random);
    for (const { provider } of offline) void provider.configuration.websocketProvider.connect();
    await Promise.all(pages.map((page) => page.saved()));
  }
  await eventually(() => {
    const [one, other] = documents.map((document) => Buffer.from(Y.encodeStateAsUpdate(document)));
    if (!one?.equals(other ?? Buffer.alloc(0))) throw new Error("The documents differ.");
  });
  const state = Buffer.from((await readContent(workspace)).state ?? "", "base64");
  expect(readByYwasm(state)).toEqual(readByYjs(state));
  expect(readByYjs(state)).toEqual(readByYjs(Y.encodeStateAsUpdate(pages[0]?.document ?? new Y.Doc())));
  compare(documents);
});
