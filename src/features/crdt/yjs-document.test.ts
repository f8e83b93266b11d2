import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as Y from "yjs";
import { canonicalJson } from "../../../test/canonical-json.ts";
import { anyCharacter } from "../../../test/json-values.ts";
import { SEED } from "../../../test/seed.ts";
import { size } from "../../../test/sizes.ts";
import type { SharedType } from "./shared-type.ts";
import { type ChangedDocument, changeYjsDocument } from "./yjs-document.ts";

/** Settings with a fixed seed, so that every run is the same. A failure prints the smallest failing case. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 40, long: 500 }) };

/** A small alphabet, so that two values have much in common. */
const letter = fc.constantFrom("a", "b", "\n", " ", "😀", "😁", "é", "\0", "\ufeff");
const text = fc.oneof(
  fc.array(letter, { maxLength: 30 }).map((letters) => letters.join("")),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 53 + 2, 1e308, 5e-324, 0.1, -1.5),
  fc.boolean(),
  fc.constant(null),
);
const key = fc.oneof(fc.constantFrom("a", "b", "id", "", "__proto__", "constructor", "toJSON", "0", "length"), text);
const { object, list } = fc.letrec<{ value: unknown; object: object; list: unknown[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie("object"), tie("list")),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map(Object.fromEntries),
  list: fc.array(tie("value"), { maxLength: 6 }),
}));
const nested = fc.tuple(object, list).map(([first, second]) => ({ first, second }));
const item = fc.oneof(object, fc.record({ id: fc.constantFrom(1, 2, 3, "1", "x"), value: scalar }), nested);

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

const xmlName = fc.constantFrom("p", "P", "x:y", "größe", "id", "__proto__", "constructor");
/** Text that XML can hold. */
const xmlText = text.map((given) => given.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "-"));
const { nodes } = fc.letrec<{ node: Element | string; nodes: Element["children"] }>((tie) => ({
  nodes: fc.array(tie("node"), { maxLength: 5 }).map(joinTexts),
  node: fc.oneof(
    { maxDepth: 4 },
    xmlText,
    fc.record({
      name: xmlName,
      attributes: fc.array(fc.tuple(xmlName, xmlText), { maxLength: 3 }).map(Object.fromEntries),
      children: tie("nodes"),
    }),
  ),
}));

/** Joins adjacent texts and drops empty ones. */
function joinTexts(children: Element["children"]): Element["children"] {
  const joined: Element["children"] = [];
  for (const node of children.filter((child) => child !== "")) {
    const last = joined.at(-1);
    if (typeof node === "string" && typeof last === "string") joined[joined.length - 1] = last + node;
    else joined.push(node);
  }
  return joined;
}

/** Writes XML in another way than the service does. */
function toXml(node: Element | string): string {
  if (typeof node === "string") return withReferences(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name} = '${withReferences(value)}'`);
  return `<${node.name}${attributes.join("")}>${node.children.map(toXml).join("")}</${node.name} >`;
}

function withReferences(given: string): string {
  return given.replace(/[^a-z]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16)};`);
}

/** Data to send and what a client should then read. */
interface Sample {
  data: unknown;
  expected: unknown;
}

function equal(values: fc.Arbitrary<unknown>): fc.Arbitrary<Sample> {
  return values.map((data) => ({ data, expected: data }));
}

const SAMPLES: Record<SharedType, fc.Arbitrary<Sample>> = {
  text: equal(text),
  map: equal(fc.oneof(object, nested)),
  array: equal(fc.array(item, { maxLength: 8 })),
  xml: nodes.map((children) => ({ data: children.map(toXml).join(""), expected: children })),
};

const types = Object.keys(SAMPLES).filter((type): type is SharedType => type in SAMPLES);

function open({ state }: ChangedDocument): Y.Doc {
  const document = new Y.Doc();
  Y.applyUpdate(document, state);
  return document;
}

/** Reads the content as a client does from a loaded document, without the service's code. */
function readAsClient(document: Y.Doc, type: SharedType): unknown {
  if (type === "text") return document.getText("content").toString();
  if (type === "map") return plain(document.getMap("content"));
  if (type === "array") return plain(document.getArray("content"));
  return document.getXmlFragment("content").toArray().map(buildTree);
}

function plain(shared: unknown): unknown {
  if (shared instanceof Y.Array) return shared.toArray().map(plain);
  if (shared instanceof Y.Map) return Object.fromEntries([...shared].map(([name, value]) => [name, plain(value)]));
  return shared;
}

function buildTree(shared: unknown): unknown {
  if (!(shared instanceof Y.XmlElement)) return String(shared);
  const names = [...Object.keys(shared.getAttributes()), "__proto__"].filter((name) => shared.hasAttribute(name));
  const attributes = Object.fromEntries(names.map((name) => [name, shared.getAttribute(name)]));
  return { name: shared.nodeName, attributes, children: shared.toArray().map(buildTree) };
}

/** Returns the meaning of the content read back; XML is parsed again, as a client would. */
function getMeaning(type: SharedType, { content }: ChangedDocument): unknown {
  const data: unknown = JSON.parse(content);
  return type === "xml" ? readAsClient(open(change(type, data)), type) : data;
}

function change(type: SharedType, data: unknown, before?: ChangedDocument): ChangedDocument {
  return changeYjsDocument({
    type,
    contentKey: "content",
    data,
    ...(before && { before: { ...before, updates: [] } }),
  });
}

describe.each(types)("%s", (type) => {
  test("a client that loads the state reads exactly the data, and so does the service", () => {
    const property = fc.property(SAMPLES[type], ({ data, expected }) => {
      const made = change(type, data);
      expect(canonicalJson(readAsClient(open(made), type))).toBe(canonicalJson(expected));
      expect(canonicalJson(getMeaning(type, made))).toBe(canonicalJson(expected));
    });
    fc.assert(property, SETTINGS);
  });

  test("after any earlier content, a client and the service read exactly the new data", () => {
    const property = fc.property(fc.array(SAMPLES[type], { maxLength: 3 }), SAMPLES[type], (earlier, last) => {
      let made: ChangedDocument | undefined;
      for (const { data } of [...earlier, last]) made = change(type, data, made);
      if (!made) throw new Error("there is a last one");
      expect(canonicalJson(readAsClient(open(made), type))).toBe(canonicalJson(last.expected));
      expect(canonicalJson(getMeaning(type, made))).toBe(canonicalJson(last.expected));
      expect(open(made).store.clients.size).toBeLessThan(2);
    });
    fc.assert(property, SETTINGS);
  });

  test("a client converges with the service, in any order of the updates", () => {
    const property = fc.property(SAMPLES[type], SAMPLES[type], SAMPLES[type], (first, second, third) => {
      const old = change(type, first.data);
      const middle = change(type, second.data, old);
      const latest = change(type, third.data, middle);
      const client = open(old);
      Y.applyUpdate(client, latest.state);
      Y.applyUpdate(client, middle.state);
      expect(canonicalJson(readAsClient(client, type))).toBe(canonicalJson(third.expected));
    });
    fc.assert(property, SETTINGS);
  });

  test("setting equal data changes nothing", () => {
    const property = fc.property(SAMPLES[type], ({ data }) => {
      const made = change(type, data);
      expect(change(type, data, made)).toEqual(made);
    });
    fc.assert(property, SETTINGS);
  });
});
