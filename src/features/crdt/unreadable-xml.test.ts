import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";
import { openSyncedPage } from "../../../test/sync.ts";
import { tokenFor } from "../../../test/user-tokens.ts";
import { changeYjsDocument, compactYjsDocument } from "./yjs-document.ts";

const service = await startTestService();
const CONTENT = { type: "xml", contentKey: "content" } as const;

/** Returns the XML of content that a page has written. */
function readXml(document: Y.Doc): string {
  const before = { state: Y.encodeStateAsUpdate(document), updates: [], clientId: 7 };
  return JSON.parse(compactYjsDocument({ ...CONTENT, before }).content);
}

/** Returns a document with one element. */
function documentWith(name: string, attributes: Record<string, string>, text: string): Y.Doc {
  const document = new Y.Doc();
  const element = new Y.XmlElement(name);
  document.getXmlFragment("content").insert(0, [element]);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.insert(0, [new Y.XmlText(text)]);
  return document;
}

test.each([
  ["a line break of slides", "p", {}, "one\u000btwo", "<p>one\ufffdtwo</p>"],
  ["other characters", "p", {}, "\0\b\f\u001b\ufffe\uffff", `<p>${"\ufffd".repeat(6)}</p>`],
  ["characters of an attribute", "p", { a: "x\u0001" }, "😀", '<p a="x\ufffd">😀</p>'],
  ["names of attributes", "p", { "@click": "1", "a b": "2", "": "3" }, "x", null],
  ["attributes whose names would be the same", "p", { "@a": "1", "#a": "2", "\ufffda": "3" }, "x", null],
  ["a name of an element", "my element", {}, "x", "<my\ufffdelement>x</my\ufffdelement>"],
  ["names that begin with a digit or a hyphen", "1a", { "-b": "1" }, "x", '<\ufffd1a \ufffd-b="1">x</\ufffd1a>'],
])("XML that a page has written is well-formed: %s", (_, name, attributes, text, xml) => {
  const read = readXml(documentWith(name, attributes, text));
  if (xml !== null) expect(read).toBe(xml);
  const { content } = changeYjsDocument({ ...CONTENT, data: read });
  expect(JSON.parse(content)).toBe(read);
});

test("updating with the XML that was read changes nothing, and other changes keep what XML cannot hold", () => {
  const document = documentWith("my element", { "@click": "1" }, "one\u000btwo");
  const before = { state: Y.encodeStateAsUpdate(document), updates: [], clientId: 7 };
  const read = readXml(document);
  expect(changeYjsDocument({ ...CONTENT, data: read, before }).state).toEqual(before.state);
  const data = read.replace("two", "two three").replace('="1"', '="2"');
  Y.applyUpdate(document, changeYjsDocument({ ...CONTENT, data, before }).state);
  expect(document.getXmlFragment("content").toString()).toBe('<my element @click="2">one\u000btwo three</my element>');
});

test("what a page has pasted can be read, added and updated as XML, also of a version", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data: "<p>a</p>" });
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  page.document.getXmlFragment("content").push([new Y.XmlText("line one\u000bline two")]);
  await page.saved();
  const xml = "<p>a</p>line one\ufffdline two";
  expect((await readContent(workspace)).data).toBe(xml);
  await updateContent(workspace, { type: "xml", data: xml });
  await addContent(workspace, { editorId: "copy", type: "xml", data: xml });
  await workspace.result("/v2/crdt/versions/add", { ...COLLABORATIVE_DOCUMENT, versionId: "first", name: "First" });
  const version = await workspace.data("/v2/crdt/versions/get", { ...COLLABORATIVE_DOCUMENT, versionId: "first" });
  expect(JSON.stringify(version)).toContain(JSON.stringify(xml));
});
