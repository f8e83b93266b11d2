import * as Y from "yjs";
import { DocumentError } from "./document-error.ts";
import { type Filling, fillAfter } from "./filling.ts";
import { JoinedTexts } from "./joined-texts.ts";
import type { DiffBudget } from "./sequence-changes.ts";
import { changeSequence } from "./shared-sequence.ts";
import { changeText } from "./text-changes.ts";
import { getText } from "./text-content.ts";
import { parseXml, toXml, type XmlElement, type XmlNode } from "./xml.ts";
import {
  fromXmlAttribute,
  isSameAttribute,
  toXmlAttribute,
  withoutPrefix,
  type XmlAttribute,
} from "./xml-attributes.ts";
import { toXmlName, toXmlText } from "./xml-characters.ts";

type SharedNode = Y.XmlElement | Y.XmlText;

function toSharedAll(nodes: XmlNode[], filling: Filling): SharedNode[] {
  return nodes.map((node) => (typeof node === "string" ? toSharedText(node, filling) : toSharedElement(node, filling)));
}

function toSharedText(text: string, filling: Filling): Y.XmlText {
  const shared = new Y.XmlText();
  filling.later(() => shared.insert(0, text));
  return shared;
}

function toSharedElement({ name, attributes, children }: XmlElement, filling: Filling): Y.XmlElement {
  const shared = new Y.XmlElement(name);
  filling.later(() => {
    for (const attribute of attributes) setAttribute(shared, fromXmlAttribute(attribute));
    shared.insert(0, toSharedAll(children, filling));
  });
  return shared;
}

/** Sets an attribute to any value, though the types of Yjs expect a string. */
function setAttribute(
  shared: { setAttribute(key: string, value: unknown): void },
  { key, value }: { key: string; value: unknown },
): void {
  shared.setAttribute(key, value);
}

/** A node of the XML and what it is read from: an element, or texts with nothing but empty ones between them. */
interface Child {
  node: XmlNode;
  shared: Y.XmlElement | Y.XmlText[];
  /** Index of the first shared node in its parent, and of the one after the last. */
  start: number;
  end: number;
}

export function toNodes(shared: Y.XmlFragment): XmlNode[] {
  return readChildren(shared).map(({ node }) => node);
}

export function toNode(shared: Y.XmlElement): XmlElement {
  const attributes = readAttributes(shared).map(({ attribute }) => attribute);
  return { name: toXmlName(shared.nodeName), attributes, children: toNodes(shared) };
}

/** Returns the children as XML has them: without empty texts, and with adjacent texts as one. */
function readChildren(shared: Y.XmlFragment): Child[] {
  const children: Child[] = [];
  for (const [start, node] of shared.toArray().entries()) {
    const end = start + 1;
    const last = children.at(-1);
    if (node instanceof Y.XmlElement) children.push({ node: toNode(node), shared: node, start, end });
    if (!(node instanceof Y.XmlText)) continue;
    const text = toXmlText(getText(node));
    if (text === "") continue;
    if (last && Array.isArray(last.shared)) {
      last.shared.push(node);
      Object.assign(last, { node: `${last.node}${text}`, end });
    } else children.push({ node: text, shared: [node], start, end });
  }
  return children;
}

/** Returns the attributes with their names in the Yjs document, including `__proto__`, which getAttributes() loses. */
function readAttributes(shared: Y.XmlElement): { attribute: XmlAttribute; key: string }[] {
  const entries: [string, unknown][] = Object.entries(shared.getAttributes());
  const hidden = shared.getAttribute("__proto__");
  if (hidden !== undefined) entries.push(["__proto__", hidden]);
  const names = new Set(entries.map(([key]) => key));
  return entries.map(([key, value]) => {
    const name = key === toXmlName(key) ? key : toFreeName(toXmlName(key), names);
    return { attribute: toXmlAttribute(key, value, name), key };
  });
}

/** Returns a name that no other attribute has, and adds it to theirs. */
function toFreeName(name: string, names: Set<string>): string {
  const free = names.has(name) ? toFreeName(`${name}\ufffd`, names) : name;
  names.add(free);
  return free;
}

/** Changes a fragment. An element with the same name and `id`, or a text at the same place, stays and is changed. */
export function changeFragment(shared: Y.XmlFragment, to: XmlNode[], budget: DiffBudget): void {
  const children = readChildren(shared);
  changeSequence(
    {
      items: children,
      getToken: ({ node }) => getToken(node),
      replace(index, removed, nodes) {
        const start = children[index]?.start ?? shared.length;
        const end = children[index + removed - 1]?.end ?? start;
        if (nodes.length > 0) fillAfter((filling) => shared.insert(start, toSharedAll(nodes, filling)));
        if (removed > 0) shared.delete(start + nodes.length, end - start);
      },
    },
    { values: to, getToken, becomes: (child, node, areEqual) => becomes(child, node, areEqual, budget) },
    budget,
  );
}

/** Changes an element or a fragment to this XML. Returns false if it has to be replaced, as by what is not XML. */
export function changeXml(shared: Y.XmlFragment, xml: string, budget: DiffBudget): boolean {
  const nodes = tryParseXml(xml);
  if (nodes && !(shared instanceof Y.XmlElement)) changeFragment(shared, nodes, budget);
  const [node, ...others] = nodes ?? [];
  if (!(shared instanceof Y.XmlElement)) return nodes !== undefined;
  if (node === undefined || others.length > 0) return false;
  const child = { node: toNode(shared), shared, start: 0, end: 1 };
  return becomes(child, node, false, budget);
}

function tryParseXml(xml: string): XmlNode[] | undefined {
  try {
    return parseXml(xml);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Changes the content of a shared value. Returns false if it has to be replaced. */
function becomes(child: Child, node: XmlNode, areEqual: boolean, budget: DiffBudget): boolean {
  if (areEqual && getId(node) === undefined) return true;
  const { node: before, shared } = child;
  if (Array.isArray(shared)) {
    if (typeof before !== "string" || typeof node !== "string") return false;
    changeText(new JoinedTexts(shared), before, node, budget);
    return true;
  }
  if (typeof before === "string" || typeof node === "string") return false;
  if (before.name !== node.name || getId(before) !== getId(node)) return false;
  changeAttributes(shared, node.attributes);
  changeFragment(shared, node.children, budget);
  return true;
}

function changeAttributes(shared: Y.XmlElement, attributes: readonly XmlAttribute[]): void {
  const before = new Map(readAttributes(shared).map((read) => [withoutPrefix(read.attribute[0]), read]));
  const to = new Map(attributes.map((attribute) => [withoutPrefix(attribute[0]), attribute]));
  for (const [name, { key }] of before) if (!to.has(name)) shared.removeAttribute(key);
  for (const [name, attribute] of to) {
    const read = before.get(name);
    if (read && isSameAttribute(read.attribute, attribute)) continue;
    const { key, value } = fromXmlAttribute(attribute);
    setAttribute(shared, { key: read?.key ?? key, value });
  }
}

/** Returns a token of a node: the same for equal nodes, and for all elements with one name and `id`. */
function getToken(node: XmlNode): string {
  const id = getId(node);
  return typeof node === "string" || id === undefined ? toXml([node]) : `<${node.name} ${id}`;
}

function getId(node: XmlNode): string | undefined {
  return typeof node === "string" ? undefined : node.attributes.find(([name]) => withoutPrefix(name) === "id")?.[1];
}
