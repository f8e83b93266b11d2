import { expect, test } from "vitest";
import * as Y from "yjs";
import { buildAnchor, SharedText, type SharedType } from "../../../anchors/anchors.ts";
import { renewAnchors } from "./renew-anchors.ts";

function store(type: SharedType, passage: string) {
  const shared = new SharedText(type);
  const start = shared.text.indexOf(passage);
  const anchor = buildAnchor(shared, start, start + passage.length);
  const fields = { anchor: { ...anchor, editorId: "body" }, anchorState: "attached", anchorText: passage };
  return { sequence: 1, fields: JSON.stringify(fields) };
}

/** Returns the document as the service loads it, which does not know the types of shared names. */
function load(document: Y.Doc): Y.Doc {
  const loaded = new Y.Doc();
  Y.applyUpdate(loaded, Y.encodeStateAsUpdate(document));
  return loaded;
}

test("an anchor in another shared name than that of the content stays with its passage", () => {
  const document = new Y.Doc();
  document.getText("content").insert(0, "The body of the contract.");
  const title = document.getText("title");
  title.insert(0, "Contract of sale and purchase");
  const stored = store(title, "sale and purchase");
  const content = { type: "text", contentKey: "content" } as const;
  expect(renewAnchors(load(document), content, [stored])).toEqual([]);
  title.delete(8, title.length - 8);
  expect(renewAnchors(load(document), content, [stored])).toMatchObject([{ after: { anchorState: "detached" } }]);
});

test("an anchor in a text within a map or an array follows it, and others there stay as they are", () => {
  const document = new Y.Doc();
  const text = new Y.Text("Payment is due within thirty days.");
  const cells = new Y.Array<unknown>();
  document.getMap("content").set("cells", cells);
  cells.insert(0, [new Y.Map([["text", text]])]);
  const stored = store(text, "within thirty days");
  const content = { type: "map", contentKey: "content" } as const;
  text.insert(22, "about ");
  expect(renewAnchors(load(document), content, [stored])).toMatchObject([
    { after: { anchorText: "within about thirty days" } },
  ]);
  text.delete(0, text.length);
  expect(renewAnchors(load(document), content, [stored])).toMatchObject([{ after: { anchorState: "detached" } }]);
  expect(renewAnchors(new Y.Doc(), content, [stored])).toEqual([]);
});

test("an anchor in rich text that was replaced as a whole is found in the content", () => {
  const document = new Y.Doc();
  const fragment = document.getXmlFragment("content");
  const insert = (words: string) => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(words)]);
    fragment.insert(0, [paragraph]);
  };
  insert("Payment is due within thirty days of the invoice.");
  const stored = store(fragment, "within thirty days");
  fragment.delete(0, 1);
  insert("New: payment is due within thirty days of the invoice.");
  const [renewed] = renewAnchors(load(document), { type: "xml", contentKey: "content" }, [stored]);
  expect(renewed?.after).toMatchObject({ anchorState: "attached", anchorText: "within thirty days" });
  expect(renewed?.after.anchor.start).not.toBe(renewed?.before.anchor.start);
});

test("an anchor on a similar passage returns to the quoted one once that is back", () => {
  const [first, second] = [2, 22].map((number) => `Item ${number} of the contract is due. `);
  const document = new Y.Doc();
  const text = document.getText("content");
  text.insert(0, `${first}${second}`);
  const stored = store(text, "Item 22 of the contract");
  const content = { type: "text", contentKey: "content" } as const;
  text.delete(first?.length ?? 0, second?.length ?? 0);
  const [moved] = renewAnchors(load(document), content, [stored]);
  expect(moved?.after).toMatchObject({ anchorState: "moved", anchorText: "Item 2 of the contract" });
  text.insert(text.length, second ?? "");
  const [back] = renewAnchors(load(document), content, [{ sequence: 1, fields: JSON.stringify(moved?.after) }]);
  expect(back?.after).toMatchObject({ anchorState: "attached", anchorText: "Item 22 of the contract" });
});
