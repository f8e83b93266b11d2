import { expect, test } from "vitest";
import { parseXml, toXml } from "../../../../features/crdt/xml.ts";
import { getPreview, parseJsonTree, parseXmlTree, type TreeNode } from "./tree.ts";

function outline(nodes: TreeNode[] | undefined): unknown {
  return nodes?.map(({ label, value, children }) =>
    value === undefined ? [label, ...[outline(children)].flat(1)] : [label, value].join(" "),
  );
}

test("a JSON value becomes a tree, even with a field named __proto__", () => {
  const value = JSON.parse('{"__proto__":{"a":null},"list":["x",{}],"none":[]}');
  expect(outline([parseJsonTree("", value)])).toEqual([
    ["", ["__proto__", "a null"], ["list", '0 "x"', "1 {}"], "none []"],
  ]);
});

test.each([
  ["", []],
  ["a &lt;b&gt; &#xe9;&#128512; &nbsp;", [" a <b> é😀 &nbsp;"]],
  ["<p>one <b>two</b></p>three<br/>", [["<p>", " one ", ["<b>", " two"]], " three", ["<br>"]]],
  [`<a href="x>y" title='/'/><größe/>`, [[`<a href="x>y" title='/'>`], ["<größe>"]]],
  [`<p x="1" />`, [[`<p x="1">`]]],
  ["<a/b>", undefined],
  ["<p>", undefined],
  ["</p>", undefined],
  ["<p></b>", undefined],
  ["a < b", undefined],
])("XML %j becomes the tree %j", (xml, expected) => {
  expect(outline(parseXmlTree(xml))).toEqual(expected);
});

test("XML written by the service becomes a tree of the same nodes", () => {
  const written = toXml(parseXml(`<p a='"&gt;&#10;' b="/">&amp;lt;<i/>x</p><p/>text <![CDATA[<q>]]>`));
  expect(outline(parseXmlTree(written))).toEqual([
    [`<p a="&quot;&gt;&#10;" b="/">`, " &lt;", ["<i>"], " x"],
    ["<p>"],
    " text <q>",
  ]);
});

test.each([
  [{ id: 1, title: "Card", tags: ["a"] }, 'id: 1, title: "Card", tags'],
  [["a", {}], '0: "a", 1: {}'],
  [{ text: "x".repeat(100), more: 1 }, `text: "${"x".repeat(53)}…`],
  [Array(30).fill(0), "0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 0,…"],
])("the preview of the closed node %j is %j", (value, preview) => {
  expect(getPreview(parseJsonTree("", value))).toBe(preview);
});

test("the preview of a closed element is its text", () => {
  const [element] = parseXmlTree("<p>Hello <b>dear</b> reader</p>") ?? [];
  if (!element) throw new Error("the tree has no element");
  expect(getPreview(element)).toBe("Hello <b> dear reader");
});
