import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, readContent, updateContent } from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";
import { openSyncedPage } from "../../../test/sync.ts";
import { tokenFor } from "../../../test/user-tokens.ts";
import type { SharedType } from "./shared-type.ts";
import { type ChangedDocument, changeYjsDocument, compactYjsDocument } from "./yjs-document.ts";

const service = await startTestService();

/** Reads the content of a page as `get` does, replaces it by `change`, and has the page follow. Returns the result. */
function update<Data>(page: Y.Doc, type: SharedType, change: (data: Data) => unknown): Data {
  const content = { type, contentKey: "content" };
  const before = { state: Y.encodeStateAsUpdate(page), updates: [], clientId: 7 };
  const data = change(parse<Data>(compactYjsDocument({ ...content, before })));
  const changed = changeYjsDocument({ ...content, data, before });
  Y.applyUpdate(page, changed.state);
  return parse<Data>(changed);
}

/** Returns the JSON of the content; the cast holds because each test knows the shape of its content. */
function parse<Data>({ content }: ChangedDocument): Data {
  return JSON.parse(content) as Data;
}

function xmlText(text: string): Y.XmlText {
  return new Y.XmlText(text);
}

function xmlElement(name: string, children: (Y.XmlElement | Y.XmlText)[] = []): Y.XmlElement {
  const element = new Y.XmlElement(name);
  element.insert(0, children);
  return element;
}

function fragment(children: (Y.XmlElement | Y.XmlText)[]): Y.XmlFragment {
  const created = new Y.XmlFragment();
  created.insert(0, children);
  return created;
}

const WRITTEN: [name: string, write: () => unknown, json: unknown][] = [
  ["a Y.Text", () => new Y.Text("Buy milk"), "Buy milk"],
  ["a Y.XmlText", () => xmlText("Buy milk"), "Buy milk"],
  ["a Y.XmlElement", () => xmlElement("p", [xmlText("a & b")]), "<p>a &amp; b</p>"],
  ["a Y.XmlFragment", () => fragment([xmlElement("p"), xmlText("a")]), "<p/>a"],
  ["bytes", () => new Uint8Array([1, 2]), "AQI="],
  ["a large integer", () => 2n ** 60n, String(2n ** 60n)],
  ["undefined", () => undefined, null],
  ["NaN", () => Number.NaN, null],
  ["infinity", () => Number.POSITIVE_INFINITY, null],
  ["a subdocument", () => new Y.Doc(), null],
  ["a plain object", () => ({ color: "red", sizes: [1, { x: 2 }] }), { color: "red", sizes: [1, { x: 2 }] }],
  ["a plain array", () => [1, { x: 2 }, new Uint8Array([1])], [1, { x: 2 }, "AQ=="]],
];

test.each(WRITTEN)("%s of a map stays if an update changes another key", (_, write, json) => {
  const page = new Y.Doc();
  const card = new Y.Map<unknown>([["value", write()]]);
  page.getMap("content").set("card", card);
  const value = card.get("value");
  const after = update<{ card: object }>(page, "map", (data) => ({ card: { ...data.card, done: true } }));
  expect(after).toEqual({ card: { value: json, done: true } });
  expect(card.get("value")).toBe(value);
});

/** Yjs cannot add the others to an array. */
const ADDED_TO_ARRAYS = WRITTEN.filter(([name]) => name !== "a large integer" && name !== "undefined");

test.each(ADDED_TO_ARRAYS)(
  "%s of an array stays if an update changes the object around it and others",
  (_, write, json) => {
    const page = new Y.Doc();
    const list = new Y.Array<unknown>();
    const item = new Y.Map<unknown>([
      ["id", 1],
      ["list", list],
    ]);
    page.getArray("content").push([item]);
    list.push([write(), "last"]);
    const value = list.get(0);
    const after = update(page, "array", () => [{ id: 0 }, { id: 1, list: [json, "changed"] }]);
    expect(after).toEqual([{ id: 0 }, { id: 1, list: [json, "changed"] }]);
    expect(list.get(0)).toBe(value);
  },
);

test("a Y.Text whose text an update changes stays one, and keeps what a user types meanwhile", () => {
  const page = new Y.Doc();
  const text = new Y.Text("Buy milk");
  page.getMap("content").set("text", text);
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(page));
  update(page, "map", () => ({ text: "Buy oat milk" }));
  const otherText = other.getMap<Y.Text>("content").get("text");
  otherText?.insert(otherText.length, " and bread");
  Y.applyUpdate(page, Y.encodeStateAsUpdate(other));
  expect(text.toString()).toBe("Buy oat milk and bread");
});

test("XML within a map stays where an update does not change it", () => {
  const page = new Y.Doc();
  const [first, second] = [xmlText("one"), xmlText("two")];
  page.getMap("content").set("body", fragment([xmlElement("p", [first]), xmlElement("p", [second])]));
  page.getMap("content").set("element", xmlElement("p", [xmlText("one")]));
  const element = page.getMap("content").get("element");
  const data = { body: "<p>one</p><p>two three</p>", element: '<p class="a">one</p>' };
  expect(update(page, "map", () => data)).toEqual(data);
  expect([first.toString(), second.toString()]).toEqual(["one", "two three"]);
  expect(page.getMap("content").get("element")).toBe(element);
  expect(update(page, "map", () => ({ body: "a & b" }))).toEqual({ body: "a & b" });
});

test("plain objects stay plain where an update changes them, and keep the values that it does not change", () => {
  const page = new Y.Doc();
  const bytes = new Uint8Array([1]);
  page.getMap("content").set("style", { color: "red", bytes, sizes: [Number.NaN, 1] });
  page.getMap("content").set("list", Y.Array.from([{ id: 1, bytes }, { bytes }]));
  update(page, "map", () => ({
    style: { color: "blue", bytes: "AQ==", sizes: [null, 2], at: { x: 1 } },
    list: [
      { id: 1, bytes: "AQ==", done: true },
      { bytes: "AQ==", done: true },
    ],
  }));
  expect(page.getMap("content").get("style")).toEqual({
    ...{ color: "blue", bytes, sizes: [Number.NaN, 2] },
    at: { x: 1 },
  });
  expect(page.getMap<Y.Array<unknown>>("content").get("list")?.toArray()).toEqual([
    { id: 1, bytes, done: true },
    { bytes, done: true },
  ]);
});

test("a key that a plain object cannot hold is stored by an update", () => {
  const page = new Y.Doc();
  page.getMap("content").set("style", { color: "red" });
  const data = JSON.parse('{"style":{"color":"red","__proto__":{"a":1}}}');
  const after = update<{ style: object }>(page, "map", () => data);
  expect(JSON.stringify(after)).toBe(JSON.stringify(data));
});

test("empty and adjacent texts of XML stay if an update changes others, and are changed in place", () => {
  const page = new Y.Doc();
  const texts = [xmlText(""), xmlText("one "), xmlText("two"), xmlText("")];
  const empty = xmlText("");
  const content = page.getXmlFragment("content");
  content.insert(0, [xmlElement("p", texts), xmlElement("p", [empty]), xmlElement("p", [xmlText("last")])]);
  content.get(0).setAttribute("id", "1");
  const data = '<p id="1">one two</p><p/><p>changed</p>';
  expect(update(page, "xml", () => data)).toBe(data);
  expect([...texts, empty].map((text) => text.toString())).toEqual(["", "one ", "two", "", ""]);
  expect(content.get(0).length).toBe(4);
  expect(content.get(1).length).toBe(1);
  const changed = '<p id="1">one and two</p><p/><p>changed</p>';
  expect(update(page, "xml", () => changed)).toBe(changed);
  expect(texts.map((text) => text.toString())).toEqual(["", "one and ", "two", ""]);
});

test("an XML element stays if its id is a number", () => {
  const page = new Y.Doc();
  const text = xmlText("one");
  const element = xmlElement("p", [text]);
  page.getXmlFragment("content").insert(0, [element]);
  const attributes: { setAttribute(name: string, value: unknown): void } = element;
  attributes.setAttribute("id", 1);
  update(page, "xml", () => '<p id="1">one two</p>');
  expect(text.toString()).toBe("one two");
  expect(element.getAttributes()).toEqual({ id: 1 });
});

test("a page goes on to type into a text of which an update changed the neighbors, and it is saved", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "map", data: { "card-1": { done: false } } });
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  const text = new Y.Text("Buy milk");
  page.document.getMap<Y.Map<unknown>>("content").get("card-1")?.set("text", text);
  await page.saved();
  await updateContent(workspace, { type: "map", data: { "card-1": { done: true, text: "Buy milk" } } });
  text.insert(8, " and bread");
  await page.saved();
  expect((await readContent(workspace)).data).toEqual({ "card-1": { done: true, text: "Buy milk and bread" } });
});
