import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, loadYjsDocument, readContent, readContents } from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";

const service = await startTestService();

/** Data that is sent, and the data that is read back. */
const ACCEPTED: [title: string, data: string, result: string][] = [
  ["an element", "<p>text</p>", "<p>text</p>"],
  ["several roots with text between them", "a<p>b</p> c <q/>\n", "a<p>b</p> c <q/>\n"],
  ["an empty element", "<p></p><br />", "<p/><br/>"],
  ["names of mixed case", "<DocTitle dataId='1'/>", '<DocTitle dataId="1"/>'],
  ["prefixes and namespaces", '<x:a xmlns:x="u" x:b="1"><y:c/></x:a>', '<x:a xmlns:x="u" x:b="1"><y:c/></x:a>'],
  [
    "names that objects inherit",
    '<__proto__ __proto__="1"/><a constructor="2"/>',
    '<__proto__ __proto__="1"/><a constructor="2"/>',
  ],
  ["the entities of XML", "<p>&lt;&gt;&amp;&quot;&apos;</p>", "<p>&lt;&gt;&amp;\"'</p>"],
  ["character references", "<p>&#x1F600;&#65;</p>", "<p>😀A</p>"],
  ["CDATA, as text", "<p>a<![CDATA[<b> & ]]]]><![CDATA[>]]></p>", "<p>a&lt;b&gt; &amp; ]]&gt;</p>"],
  ["white space in text", "<p> a\n\tb </p>", "<p> a\n\tb </p>"],
  ["carriage returns, as XML reads them", "<p>a\r\nb\rc&#13;</p>", "<p>a\nb\nc&#13;</p>"],
  ["attributes with anything in them", '<p a="&lt;&quot;&#10;\'"/>', '<p a="&lt;&quot;&#10;\'"/>'],
  ["an XML declaration, which is not stored", '<?xml version="1.0" encoding="UTF-8"?>\n<p/>', "<p/>"],
  ["text only", "a &amp; b", "a &amp; b"],
];

test.each(ACCEPTED)("%s: %j is read back as %j, which is read back unchanged", async (_title, data, result) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data });
  expect((await readContent(workspace)).data).toBe(result);
  await addContent(workspace, { editorId: "again", type: "xml", data: result });
  expect((await readContent(workspace, { editorId: "again" })).data).toBe(result);
});

const MALFORMED = [
  "<a><b></a>",
  "<a>",
  "</a>",
  "<a",
  "<A></a>",
  "<1a/>",
  "<a$b/>",
  "< a/>",
  "<a/ >",
  "<a b/>",
  "<a b=c/>",
  '<a b="1" b="2"/>',
  '<a b="1"c="2"/>',
  '<a b="<"/>',
  '<a b="&"/>',
  "a & b",
  "a < b",
  "<a>&;</a>",
  "<a>&lt</a>",
  "<a>&nbsp;</a>",
  "<a>&__proto__;</a>",
  "<a>&constructor;</a>",
  "<a>&#0;</a>",
  "<a>&#xD800;</a>",
  "<a>&#x110000;</a>",
  "<a>&#xZZ;</a>",
  "<a>\0</a>",
  "<a>\u0001</a>",
  "<a>\ufffe</a>",
  "<a>]]></a>",
  "<a><![CDATA[x</a>",
  "<a><?xml version='1.0'?></a>",
  '<?xml version="1.1"?><a>&#1;</a>',
  '<?xml version="1.0" standalone="perhaps"?><a/>',
  "<!DOCTYPE a><a/>",
  '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd">%x;]><a/>',
  '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><a>&y;</a>',
  "<a/><!DOCTYPE a>",
  '<!ENTITY x "y"><a/>',
];

test.each(MALFORMED)(
  "%j is INVALID_ARGUMENT with a message that names the accepted XML, and nothing is stored",
  async (data) => {
    const workspace = await service.workspace();
    const error = await workspace.error("/v2/crdt/add", { ...COLLABORATIVE_DOCUMENT, type: "xml", data });
    expect(error).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
    expect(error.message).toMatch(/^data\.data must be well-formed XML without a DTD: \d+:\d+: ./);
    expect(await readContents(workspace)).toEqual([]);
  },
);

test.each([
  ["<a><!-- b --></a>", "must have no comments"],
  ["<!-- b --><a/>", "must have no comments"],
  ["<a><?php echo ?></a>", "must have no processing instructions"],
])("%j is INVALID_ARGUMENT because Yjs could not return it unchanged", async (data, message) => {
  const workspace = await service.workspace();
  const error = await workspace.error("/v2/crdt/add", { ...COLLABORATIVE_DOCUMENT, type: "xml", data });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(`data.data ${message}`) });
  expect(await readContents(workspace)).toEqual([]);
});

test("256 levels of XML are stored, and 257 are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const nested = (levels: number) => `${"<a>".repeat(levels)}x${"</a>".repeat(levels)}`;
  await addContent(workspace, { type: "xml", data: nested(256) });
  expect((await readContent(workspace)).data).toBe(nested(256));
  const error = await workspace.error("/v2/crdt/update", { ...COLLABORATIVE_DOCUMENT, type: "xml", data: nested(257) });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("256 elements") });
});

test("a Yjs client reads elements, attributes and texts without their escapes", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data: '<P a="&lt;"><![CDATA[<b>]]> &amp; c</P>' });
  const fragment = (await loadYjsDocument(workspace)).getXmlFragment("content");
  expect(fragment.toArray()).toMatchObject([{ nodeName: "P" }]);
  const [element] = fragment.createTreeWalker(() => true);
  expect(element).toHaveProperty("length", 1);
  expect(fragment.toString()).toBe('<p a="<"><b> & c</p>');
});
