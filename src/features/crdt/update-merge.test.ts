import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  addContent,
  applyStoredState,
  type Content,
  loadYjsDocument,
  readContent,
  updateContent,
} from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";

type Data = Content["data"];
const service = await startTestService();

/**
 * Replaces the data while a client edits it, exchanges both changes between that client and another one, and returns
 * both. Fails unless they converge.
 */
async function mergeWith({ type, data }: Content, edit: (document: Y.Doc) => void, replacement: Data) {
  const workspace = await service.workspace();
  await addContent(workspace, { type, data });
  const client = await loadYjsDocument(workspace);
  edit(client);
  await updateContent(workspace, { type, data: replacement });
  expect((await readContent(workspace)).data).toEqual(replacement);
  const other = await loadYjsDocument(workspace);
  Y.applyUpdate(other, Y.encodeStateAsUpdate(client));
  await applyStoredState(client, workspace);
  expect(Y.encodeStateVector(other)).toEqual(Y.encodeStateVector(client));
  return { client, other };
}

async function mergeText(data: string, edit: (text: Y.Text) => void, replacement: string): Promise<string> {
  const editText = (document: Y.Doc) => edit(document.getText("content"));
  const { client, other } = await mergeWith({ type: "text", data }, editText, replacement);
  expect(other.getText("content").toString()).toBe(client.getText("content").toString());
  return client.getText("content").toString();
}

test("text that a user types outside the updated parts is kept at its position", async () => {
  const text = await mergeText(
    "The quick brown fox jumps over the dog.\nSecond line.\n",
    (shared) => {
      shared.insert(shared.toString().indexOf("fox"), "old ");
      shared.insert(shared.length, "Third line.\n");
    },
    "The slow brown fox jumps over the lazy dog.\n2nd line.\n",
  );
  expect(text).toBe("The slow brown old fox jumps over the lazy dog.\n2nd line.\nThird line.\n");
});

test("text that a user deletes outside the updated parts stays deleted", async () => {
  const edit = (shared: Y.Text) => shared.delete(shared.toString().indexOf(" brown"), " brown".length);
  expect(await mergeText("one quick brown fox, a dog", edit, "one slow brown fox, a cat")).toBe("one slow fox, a cat");
});

test("merging a text does not split its emoji", async () => {
  const edit = (shared: Y.Text) => shared.insert(shared.length, "😂");
  expect(await mergeText("a😀b😀", edit, "a😁b😀")).toBe("a😁b😀😂");
});

test("text that a user types is kept even if the update replaces the whole text", async () => {
  const edit = (shared: Y.Text) => shared.insert(shared.length, " typed meanwhile");
  expect(await mergeText("first version", edit, "ANOTHER")).toBe("ANOTHER typed meanwhile");
});

test("keys of a map that a user sets and the update does not change are kept, at every depth", async () => {
  const { client, other } = await mergeWith(
    { type: "map", data: { title: "old", same: 1, clause: { number: 3, tags: ["a"] } } },
    (document) => {
      const map = document.getMap<Y.Map<unknown>>("content");
      map.get("clause")?.set("number", 4);
      map.set("added", new Y.Map([["by", "ada"]]));
    },
    { title: "new", same: 1, clause: { number: 3, tags: ["a", "b"], signed: true } },
  );
  const expected = { title: "new", same: 1, clause: { number: 4, tags: ["a", "b"], signed: true } };
  expect(client.getMap("content").toJSON()).toEqual({ ...expected, added: { by: "ada" } });
  expect(other.getMap("content").toJSON()).toEqual(client.getMap("content").toJSON());
});

test("an object of an array is identified by its id: a user's change to it is kept wherever it moves", async () => {
  const { client, other } = await mergeWith(
    {
      type: "array",
      data: [
        { id: 1, title: "one" },
        { id: 2, title: "two", done: false },
      ],
    },
    (document) => {
      const array = document.getArray<Y.Map<unknown>>("content");
      array.get(1).set("done", true);
      array.push([new Y.Map([["id", 4]])]);
    },
    [
      { id: 0, title: "zero" },
      { id: 1, title: "one" },
      { id: 3, title: "three" },
      { id: 2, title: "second", done: false },
    ],
  );
  expect(client.getArray("content").toJSON()).toEqual([
    { id: 0, title: "zero" },
    { id: 1, title: "one" },
    { id: 3, title: "three" },
    { id: 2, title: "second", done: true },
    { id: 4 },
  ]);
  expect(other.getArray("content").toJSON()).toEqual(client.getArray("content").toJSON());
});

test("a user's change to an object without an id is kept if the object stays at its position", async () => {
  const { client } = await mergeWith(
    { type: "array", data: [{ x: 1 }, { x: 2 }, { x: 3 }] },
    (document) => document.getArray<Y.Map<unknown>>("content").get(1).set("y", "kept"),
    [{ x: 1 }, { x: 20 }, { x: 3 }, { x: 4 }],
  );
  expect(client.getArray("content").toJSON()).toEqual([{ x: 1 }, { x: 20, y: "kept" }, { x: 3 }, { x: 4 }]);
});

test("text and attributes that a user changes in an XML element that stays are kept", async () => {
  const { client, other } = await mergeWith(
    { type: "xml", data: '<p id="a">first text</p><p id="b">second text</p>' },
    (document) => {
      const paragraph = document.getXmlFragment("content").get(1);
      if (!(paragraph instanceof Y.XmlElement)) throw new Error("the second node is an element");
      paragraph.setAttribute("class", "seen");
      const text = paragraph.get(0);
      if (text instanceof Y.XmlText) text.insert(text.length, " and more");
    },
    '<h1>title</h1><p id="a">first words</p><p id="b">the second text</p>',
  );
  const expected = '<h1>title</h1><p id="a">first words</p><p class="seen" id="b">the second text and more</p>';
  expect(client.getXmlFragment("content").toString()).toBe(expected);
  expect(other.getXmlFragment("content").toString()).toBe(expected);
});
