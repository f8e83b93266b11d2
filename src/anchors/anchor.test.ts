import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  buildAnchor,
  decodePosition,
  encodePosition,
  MAX_POSITION_LENGTH,
  resolveAnchor,
  SharedText,
  type SharedType,
  type TextAnchor,
} from "./anchors.ts";

function textDocument(content: string) {
  const document = new Y.Doc();
  const text = document.getText("content");
  text.insert(0, content);
  return { document, text };
}

function anchor(type: SharedType, passage: string): TextAnchor {
  const shared = new SharedText(type);
  const start = shared.text.indexOf(passage);
  const built = buildAnchor(shared, start, start + passage.length);
  if (!built) throw new Error("The passage has no characters.");
  return built;
}

function resolve(type: SharedType, given: TextAnchor) {
  const { state, text, start } = resolveAnchor(new SharedText(type), given);
  return { state, text, start };
}

/** A fragment as Tiptap and BlockNote write it. */
function fragment(document = new Y.Doc()): Y.XmlFragment {
  const root = document.getXmlFragment("content");
  const block = (name: string, ...children: (Y.XmlElement | Y.XmlText)[]) => {
    const element = new Y.XmlElement(name);
    element.insert(0, children);
    return element;
  };
  const marked = new Y.XmlText("bold and plain");
  marked.format(0, 4, { bold: true });
  root.insert(0, [
    block("heading", new Y.XmlText("Title")),
    block("paragraph"),
    block("paragraph", new Y.XmlText("one"), block("hardBreak"), new Y.XmlText("two"), block("mention")),
    block("list", block("item", block("paragraph", marked)), block("item", block("paragraph", new Y.XmlText("last")))),
  ]);
  return root;
}

/** A text as Lexical writes it: texts within a text, with a map before each. */
function lexical(): Y.XmlText {
  const root = new Y.Doc().get("root", Y.XmlText);
  const node = (type: string) => new Y.Map(Object.entries({ __type: type }));
  for (const texts of [["Hello ", "world"], [], ["first", "\n", "second"]]) {
    const block = new Y.XmlText();
    root.insertEmbed(root.length, block);
    for (const text of texts) {
      block.insertEmbed(block.length, node(text === "\n" ? "linebreak" : "text"));
      if (text !== "\n") block.insert(block.length, text);
    }
  }
  return root;
}

test("rich text is read in order, with a line break between blocks", () => {
  expect(new SharedText(fragment()).text).toBe("Title\n\none\ntwo\ufffc\nbold and plain\nlast");
  expect(new SharedText(lexical()).text).toBe("Hello world\n\nfirst\nsecond");
});

test("texts have a character for each embedded object, and arrays and maps have no text", () => {
  const { document, text } = textDocument("ab");
  text.insertEmbed(1, { image: "x.png" });
  document.getArray("list").insert(0, ["text"]);
  document.getMap("map").set("text", new Y.Text("text"));
  expect(new SharedText(text).text).toBe("a\ufffcb");
  expect([document.getArray("list"), document.getMap("map")].map((type) => new SharedText(type).text)).toEqual([
    "",
    "",
  ]);
});

test.each([
  ["fragment", fragment()],
  ["nested texts", lexical()],
  ["text", textDocument("a \ud83d\ude00 and b").text],
])("every offset of a %s has positions that lead back to it", (_title, type) => {
  const shared = new SharedText(type);
  for (let offset = 0; offset < shared.text.length; offset++) {
    const [start, end] = [shared.toPosition(offset, "start"), shared.toPosition(offset + 1, "end")];
    const isBreak = shared.text[offset] === "\n";
    if (!isBreak) expect([start && shared.toOffset(start), end && shared.toOffset(end)]).toEqual([offset, offset + 1]);
  }
});

test("a passage over several blocks is anchored, and stays with its words as others type", () => {
  const root = fragment();
  const given = anchor(root, "two\ufffc\nbold");
  expect(given.quote).toEqual({ exact: "two\ufffc\nbold", prefix: "Title\n\none\n", suffix: " and plain\nlast" });
  root.insert(0, [new Y.XmlElement("paragraph")]);
  expect(resolve(root, given)).toEqual({ state: "attached", text: "two\ufffc\nbold", start: 12 });
});

test("typing at the ends of a passage does not widen it, and typing within it does", () => {
  const { text } = textDocument("within thirty days");
  const given = anchor(text, "thirty");
  text.insert(13, "!");
  text.insert(7, "?");
  expect(resolve(text, given)).toEqual({ state: "attached", text: "thirty", start: 8 });
  text.insert(9, "wenty or t");
  expect(resolve(text, given).text).toBe("twenty or thirty");
});

test("a deleted passage is detached, and attached again as soon as it returns", () => {
  const { text } = textDocument("Payment is due within thirty days of the invoice.");
  const given = anchor(text, "within thirty days");
  text.delete(15, 18);
  expect(resolve(text, given)).toEqual({ state: "detached", text: "", start: undefined });
  text.insert(15, "within thirty days");
  expect(resolve(text, given)).toEqual({ state: "attached", text: "within thirty days", start: 15 });
});

test("a deletion that is undone in the same Y.Doc is followed, though the passage has changed since", () => {
  const { text } = textDocument("xyz");
  const given = anchor(text, "y");
  const undo = new Y.UndoManager(text);
  text.delete(1, 1);
  undo.undo();
  text.insert(0, "y y y ");
  expect(resolve(text, given)).toEqual({ state: "attached", text: "y", start: 7 });
});

test("a deletion of several pieces that another Y.Doc has undone is attached as a whole again", () => {
  const { document, text } = textDocument("within thirty days");
  const given = anchor(text, "thirty");
  text.insert(10, "-");
  text.delete(10, 1);
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(document));
  const undo = new Y.UndoManager(other.getText("content"));
  other.getText("content").delete(7, 6);
  undo.undo();
  Y.applyUpdate(document, Y.encodeStateAsUpdate(other));
  expect(resolve(text, given)).toEqual({ state: "attached", text: "thirty", start: 7 });
});

test("a deletion that is undone in the same Y.Doc is followed, though the passage is not the quoted one", () => {
  const { text } = textDocument("within thirty days");
  const given = anchor(text, "thirty");
  text.insert(10, "-");
  const undo = new Y.UndoManager(text);
  text.delete(7, 7);
  undo.undo();
  expect(resolve(text, given)).toEqual({ state: "attached", text: "thi-rty", start: 7 });
});

test("what is left of a passage keeps the anchor, unless it is only a little of it", () => {
  const { text } = textDocument("Payment is due within thirty days of the invoice.");
  const given = anchor(text, "is due within thirty days");
  text.delete(8, 14);
  expect(resolve(text, given)).toEqual({ state: "attached", text: "thirty days", start: 8 });
  text.delete(11, 8);
  expect(resolve(text, given).state).toBe("detached");
});

test("an anchor on what was left of a passage holds all of it once it is whole again", () => {
  const { text } = textDocument("Payment is due within thirty days of the invoice.");
  const given = anchor(text, "thirty days");
  text.delete(22, 3);
  const left = { ...anchor(text, "rty days"), quote: given.quote };
  expect(resolve(text, left)).toEqual({ state: "attached", text: "rty days", start: 22 });
  text.insert(22, "thi");
  const whole = { state: "attached", text: "thirty days", start: 22 };
  expect([resolve(text, given), resolve(text, left)]).toEqual([whole, whole]);
});

test("a passage that was cut and pasted elsewhere is found there", () => {
  const { text } = textDocument("First the payment terms of this contract. Then the delivery and all the rest.");
  const given = anchor(text, "the payment terms of this contract");
  text.delete(6, 34);
  text.insert(text.length, " At last, the payment terms of this contract!");
  expect(resolve(text, given)).toEqual({ state: "moved", text: given.quote.exact, start: 53 });
});

test("positions of another document are not followed, and create no shared type", () => {
  const { document, text } = textDocument("Payment is due within thirty days of the invoice.");
  const other = textDocument("Something else altogether, of another document.");
  expect(resolve(text, anchor(other.text, "else altogether")).state).toBe("detached");
  const named = { start: encodePosition(Y.createRelativePositionFromTypeIndex(new Y.Doc().getText("foreign"), 0)) };
  expect(resolve(text, { ...anchor(text, "thirty"), ...named }).state).toBe("attached");
  expect([...document.share.keys()]).toEqual(["content"]);
});

test("passages with U+0000, and a place between characters, are anchored", () => {
  const { text } = textDocument("before the \u0000 character after");
  const given = anchor(text, "the \u0000 character");
  text.insert(0, "x");
  expect(resolve(text, given).text).toBe("the \u0000 character");
  const place = { ...given, end: given.start, quote: { exact: "" } };
  expect(resolve(text, place)).toEqual({ state: "attached", text: "", start: 8 });
  text.delete(8, 3);
  expect(resolve(text, place).state).toBe("detached");
});

test.each([
  ["nothing", ""],
  ["other bytes", "AQI"],
  ["Base64 with a line break", "AAEC\n"],
  ["a number beyond 53 bits", Buffer.from([0, ...Array(9).fill(255), 1, 0, 0]).toString("base64")],
  ["bytes after the position", Buffer.from([0, 1, 2, 0, 9]).toString("base64")],
  ["an unknown kind", Buffer.from([7, 1, 2, 0]).toString("base64")],
  ["a cut text", Buffer.from([1, 200, 1, 65]).toString("base64")],
  ["a long text", "A".repeat(MAX_POSITION_LENGTH + 4)],
])("%s is not a position", (_title, encoded) => {
  expect(decodePosition(encoded)).toBeUndefined();
});

test("a position of the largest client ID and one at the end of a shared type are positions", () => {
  const { text } = textDocument("ab");
  const largest = Y.createRelativePositionFromJSON({ item: { client: 2 ** 53 - 1, clock: 5 } });
  const end = Y.createRelativePositionFromTypeIndex(text, 2);
  for (const position of [largest, end]) expect(decodePosition(encodePosition(position))).toEqual(position);
  const shared = new SharedText(text);
  expect([shared.toOffset(largest), shared.toOffset(end)]).toEqual([undefined, 2]);
});
