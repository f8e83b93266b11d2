import { SaxesParser } from "saxes";
import { dataFault, ValueCount } from "./document-fault.ts";

/** A string is text; neighbouring texts are one. */
export type XmlNode = XmlElement | string;

export interface XmlElement {
  name: string;
  attributes: [name: string, value: string][];
  children: XmlNode[];
}

/** Yjs and its clients go down the tree by recursion. */
const MAX_DEPTH = 256;

const SPACE = "[ \\t\\r\\n]";
const VERSION = `${SPACE}+version${SPACE}*=${SPACE}*(?:"1\\.0"|'1\\.0')`;
const ENCODING = `${SPACE}+encoding${SPACE}*=${SPACE}*(?:"[A-Za-z][\\w.-]*"|'[A-Za-z][\\w.-]*')`;
const STANDALONE = `${SPACE}+standalone${SPACE}*=${SPACE}*(?:"(?:yes|no)"|'(?:yes|no)')`;
/** Says nothing about the content; and the parser knows no declaration, as it is told to accept several roots. */
const DECLARATION = new RegExp(
  `^\\ufeff?(?:<\\?xml${VERSION}(?:${ENCODING})?(?:${STANDALONE})?${SPACE}*\\?>${SPACE}*)?`,
);

/**
 * Well-formed XML 1.0 with any number of roots, and text beside them. Throws DocumentFault. There are no entities but
 * the five of XML itself: what could declare others, a DTD, is refused.
 */
export function parseXml(text: string): XmlNode[] {
  const roots: XmlNode[] = [];
  const open: XmlElement[] = [];
  const values = new ValueCount();
  const siblings = () => open.at(-1)?.children ?? roots;

  function addText(added: string): void {
    const nodes = siblings();
    const last = nodes.at(-1);
    if (typeof last === "string") nodes[nodes.length - 1] = last + added;
    else if (added !== "") {
      values.add(1);
      nodes.push(added);
    }
  }

  const parser = new SaxesParser({ fragment: true, xmlns: false });
  parser.on("error", (error) => refuse(`must be well-formed XML without a DTD: ${error.message}`));
  parser.on("comment", () => refuse("must have no comments: a Yjs document cannot hold them"));
  parser.on("processinginstruction", () =>
    refuse("must have no processing instructions: a Yjs document cannot hold them"),
  );
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentag", ({ name, attributes }) => {
    const element: XmlElement = { name, attributes: Object.entries(attributes), children: [] };
    values.add(1 + element.attributes.length);
    siblings().push(element);
    if (open.push(element) > MAX_DEPTH) refuse(`must not be nested deeper than ${MAX_DEPTH} elements`);
  });
  parser.on("closetag", () => void open.pop());
  parser.write(text.replace(DECLARATION, "")).close();
  return roots;
}

function refuse(message: string): never {
  throw dataFault("data.data", message);
}

/** The XML that parses to these nodes. */
export function xmlOf(nodes: XmlNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? escapeText(node) : xmlOfElement(node))).join("");
}

function xmlOfElement({ name, attributes, children }: XmlElement): string {
  const start = `${name}${attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join("")}`;
  return children.length === 0 ? `<${start}/>` : `<${start}>${xmlOf(children)}</${name}>`;
}

/** As they are, a carriage return would be read as a line feed, and a byte order mark in front of it all as nothing. */
function escapeText(text: string): string {
  return withReferences(text, /[&<>\r\ufeff]/g);
}

/** As it is, any white space would be read as a space. */
function escapeAttribute(text: string): string {
  return withReferences(text, /[&<>"\t\n\r]/g);
}

const NAMED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function withReferences(text: string, characters: RegExp): string {
  return text.replace(characters, (found) => NAMED[found] ?? `&#${found.charCodeAt(0)};`);
}
