import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, loadYjsDocument, readContent, updateContent } from "../../../test/crdt.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { openSyncedPage } from "../../../test/sync.ts";
import { tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();

type Attributes = Record<string, unknown>;

/** Writes an element with attributes in a page, as editors do, and waits until it is stored. */
async function writeInPage(workspace: TestWorkspace, attributes: Attributes): Promise<void> {
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  const element = new Y.XmlElement<Record<string, string>>("p");
  const untyped: { setAttribute(key: string, value: unknown): void } = element;
  for (const [key, value] of Object.entries(attributes)) untyped.setAttribute(key, value);
  page.document.getXmlFragment("content").insert(0, [element]);
  await page.saved();
}

/** Returns the attributes of each element in the Yjs document. */
async function readAttributes(workspace: TestWorkspace, editorId?: string): Promise<Attributes[]> {
  const document = await loadYjsDocument(workspace, editorId === undefined ? {} : { editorId });
  return document
    .getXmlFragment("content")
    .toArray()
    .map((node) => (node instanceof Y.XmlElement ? node.getAttributes() : {}));
}

async function workspaceWith(data: string): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data });
  return workspace;
}

const WRITTEN: [attributes: Attributes, xml: string][] = [
  [{ level: 2 }, '<p json:level="2"/>'],
  [{ checked: false }, '<p json:checked="false"/>'],
  [{ width: -0.5, wide: true, src: null }, '<p json:width="-0.5" json:wide="true" json:src="null"/>'],
  [
    { style: { color: "<red>", sizes: [1] } },
    '<p json:style="{&quot;color&quot;:&quot;&lt;red&gt;&quot;,&quot;sizes&quot;:[1]}"/>',
  ],
  [{ level: "2", checked: "false" }, '<p level="2" checked="false"/>'],
  [{ id: 7, "json:id": "8" }, '<p json:id="7" json:json:id="&quot;8&quot;"/>'],
];

test.each(WRITTEN)("attributes %j of a page are read as %s, which adds the same ones", async (attributes, xml) => {
  const workspace = await workspaceWith("");
  await writeInPage(workspace, attributes);
  const { data } = await readContent(workspace);
  expect(data).toBe(xml);
  await addContent(workspace, { editorId: "copy", type: "xml", data });
  expect(await readAttributes(workspace, "copy")).toEqual([attributes]);
  expect((await readContent(workspace, { editorId: "copy" })).data).toBe(xml);
});

test("an update that inserts and changes elements keeps and writes numbers and booleans", async () => {
  const workspace = await workspaceWith('<h json:level="1">One</h><task json:checked="false"/>');
  const data = '<h json:level="2">Two</h><h json:level="1">One</h><task json:checked="true"/>';
  await updateContent(workspace, { type: "xml", data });
  expect(await readAttributes(workspace)).toEqual([{ level: 2 }, { level: 1 }, { checked: true }]);
  expect((await readContent(workspace)).data).toBe(data);
});

test("an update without json: keeps the type of an attribute whose text stays", async () => {
  const workspace = await workspaceWith('<h id="a" json:level="2">Two</h><h json:id="7" level="1"/>');
  await updateContent(workspace, { type: "xml", data: '<h id="a" level="2">Second</h><h id="7" level="3"/>' });
  expect(await readAttributes(workspace)).toEqual([
    { id: "a", level: 2 },
    { id: 7, level: "3" },
  ]);
});

test("an update with json: turns a text into a number", async () => {
  const workspace = await workspaceWith('<h level="2">Two</h>');
  await updateContent(workspace, { type: "xml", data: '<h json:level="2">Two</h>' });
  expect(await readAttributes(workspace)).toEqual([{ level: 2 }]);
});

test("JSON is stored as its value, and a string among it as a usual attribute", async () => {
  const workspace = await workspaceWith('<p json:a=" 2.0 " json:b="&quot;text&quot;"/>');
  expect(await readAttributes(workspace)).toEqual([{ a: 2, b: "text" }]);
  expect((await readContent(workspace)).data).toBe('<p json:a="2" b="text"/>');
});

test.each([
  ["no JSON", '<p json:level="two"/>', 'json:level that is not JSON which Yjs can store, such as json:level="2"'],
  ["nothing", '<p json:level=""/>', "json:level that is not JSON"],
  ["a number past 64 bits", '<p json:n="1e999"/>', "json:n that is not JSON"],
  ["a lone surrogate", '<p json:n="&quot;\\ud800&quot;"/>', "json:n that is not JSON"],
  ["a key that Yjs loses", '<p json:n="[{&quot;__proto__&quot;:1}]"/>', "json:n that is not JSON"],
  ["66 levels", `<p json:n="${"[".repeat(66)}${"]".repeat(66)}"/>`, "json:n that is not JSON"],
  ["no name", '<p json:="1"/>', "json: that is not JSON"],
  ["a name that XML has only with a prefix", '<p json:1="1"/>', "json:1 that is not JSON"],
  ["one attribute twice", '<p level="1" json:level="2"/>', "the attribute level twice"],
  ["250,001 values", `<p json:n="[${"0,".repeat(249_998)}0]"/>`, "at most 250,000"],
])("an attribute with %s is INVALID_ARGUMENT", async (_, data, message) => {
  const workspace = await service.workspace();
  const error = await workspace.error("/v2/crdt/add", { ...COLLABORATIVE_DOCUMENT, type: "xml", data });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
});

test.each([
  ["<p>R & D</p>", "1:6: write & as &amp;"],
  ["AT&T", "1:3: write & as &amp;"],
  ['<p title="a & b"/>', "1:13: write & as &amp;"],
  ["<p>one</p>\n<![CDATA[a & b]]> & <p>", "2:19: write & as &amp;"],
  ["a < b", "1:3: write < as &lt;"],
  ["a&nbsp;b", "undefined entity. Write the character itself, or & as &amp;."],
])("the error for %j says where to write what", async (data, message) => {
  const workspace = await service.workspace();
  const error = await workspace.error("/v2/crdt/add", { ...COLLABORATIVE_DOCUMENT, type: "xml", data });
  expect(error.message).toContain(message);
});
