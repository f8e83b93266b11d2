import * as Y from "yjs";
import { type Filling, fillAfter } from "./filling.ts";
import { plainJson } from "./plain-json.ts";
import type { DiffBudget } from "./sequence-changes.ts";
import { changeSequence } from "./shared-sequence.ts";
import { changeText } from "./text-changes.ts";
import { getText } from "./text-content.ts";
import { toXml, type XmlElement, type XmlNode } from "./xml.ts";

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
    for (const [key, value] of attributes) shared.setAttribute(key, value);
    shared.insert(0, toSharedAll(children, filling));
  });
  return shared;
}

export function toNodes(shared: Y.XmlFragment): XmlNode[] {
  return getSharedNodes(shared).map(toNode);
}

export function toNode(shared: SharedNode): XmlNode {
  if (shared instanceof Y.XmlText) return getText(shared);
  return { name: shared.nodeName, attributes: getAttributes(shared), children: toNodes(shared) };
}

function getSharedNodes(shared: Y.XmlFragment): SharedNode[] {
  return shared.toArray().filter((node) => node instanceof Y.XmlElement || node instanceof Y.XmlText);
}

/** Returns the attributes, including `__proto__`, which getAttributes() loses. */
function getAttributes(shared: Y.XmlElement): XmlElement["attributes"] {
  const attributes = Object.entries(shared.getAttributes()).map(([name, value]): [string, string] => [
    name,
    attributeText(value),
  ]);
  const hidden = shared.getAttribute("__proto__");
  return hidden === undefined ? attributes : [...attributes, ["__proto__", hidden]];
}

/** Returns the text of an attribute. Rich-text editors also write numbers, booleans and objects. */
function attributeText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(plainJson(value, () => ({ json: null }))) : String(value);
}

/** Changes a fragment. An element with the same name and `id`, or a text at the same place, stays and is changed. */
export function changeFragment(shared: Y.XmlFragment, to: XmlNode[], budget: DiffBudget): void {
  changeSequence(
    {
      items: getSharedNodes(shared),
      getToken: (node) => getToken(toNode(node)),
      delete: (index, count) => shared.delete(index, count),
      insert: (index, nodes) => fillAfter((filling) => shared.insert(index, toSharedAll(nodes, filling))),
    },
    { values: to, getToken, becomes: (item, node, areEqual) => becomes(item, node, areEqual, budget) },
    budget,
  );
}

/** Changes the content of a shared value. Returns false if it has to be replaced. */
function becomes(shared: SharedNode, node: XmlNode, areEqual: boolean, budget: DiffBudget): boolean {
  if (areEqual && getId(node) === undefined) return true;
  if (shared instanceof Y.XmlText) {
    if (typeof node !== "string") return false;
    changeText(shared, getText(shared), node, budget);
    return true;
  }
  if (typeof node === "string" || shared.nodeName !== node.name || shared.getAttribute("id") !== getId(node))
    return false;
  changeAttributes(shared, new Map(node.attributes));
  changeFragment(shared, node.children, budget);
  return true;
}

function changeAttributes(shared: Y.XmlElement, to: Map<string, string>): void {
  const before = new Map(getAttributes(shared));
  for (const name of before.keys()) if (!to.has(name)) shared.removeAttribute(name);
  for (const [name, value] of to) if (before.get(name) !== value) shared.setAttribute(name, value);
}

/** Returns a token of a node: the same for equal nodes, and for all elements with one name and `id`. */
function getToken(node: XmlNode): string {
  const id = getId(node);
  return typeof node === "string" || id === undefined ? toXml([node]) : `<${node.name} ${id}`;
}

function getId(node: XmlNode): string | undefined {
  return typeof node === "string" ? undefined : node.attributes.find(([name]) => name === "id")?.[1];
}
