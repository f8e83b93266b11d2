import { SaxesParser } from "saxes";
import { REQUEST_LIMITS } from "../../config/limits.ts";
import { createDataError, XmlCount } from "./document-error.ts";
import { parseAttributes, type XmlAttribute } from "./xml-attributes.ts";

/** A node; a string is text, and adjacent texts are one. */
export type XmlNode = XmlElement | string;

export interface XmlElement {
  name: string;
  attributes: XmlAttribute[];
  children: XmlNode[];
}

const MAX_DEPTH = REQUEST_LIMITS.xmlDepth;

const SPACE = "[ \\t\\r\\n]";
const VERSION = `${SPACE}+version${SPACE}*=${SPACE}*(?:"1\\.0"|'1\\.0')`;
const ENCODING = `${SPACE}+encoding${SPACE}*=${SPACE}*(?:"[A-Za-z][\\w.-]*"|'[A-Za-z][\\w.-]*')`;
const STANDALONE = `${SPACE}+standalone${SPACE}*=${SPACE}*(?:"(?:yes|no)"|'(?:yes|no)')`;
/** An XML declaration, which is dropped: the parser rejects it when it accepts several roots. */
const DECLARATION = new RegExp(
  `^\\ufeff?(?:<\\?xml${VERSION}(?:${ENCODING})?(?:${STANDALONE})?${SPACE}*\\?>${SPACE}*)?`,
);

/**
 * Parses well-formed XML 1.0 with any number of roots and text between them. Throws DocumentError. Knows only the five
 * entities of XML itself, and rejects a DTD, which could declare others.
 */
export function parseXml(text: string): XmlNode[] {
  const roots: XmlNode[] = [];
  const open: XmlElement[] = [];
  const values = new XmlCount();
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

  const xml = text.replace(DECLARATION, "");
  const parser = new SaxesParser({ fragment: true, xmlns: false });
  parser.on("error", ({ message }) =>
    rejectXml(`must be well-formed XML without a DTD: ${findUnescaped(xml) ?? explain(message)}`),
  );
  parser.on("comment", () => rejectXml("must have no comments: a Yjs document cannot hold them"));
  parser.on("processinginstruction", () =>
    rejectXml("must have no processing instructions: a Yjs document cannot hold them"),
  );
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentag", ({ name, attributes: given }) => {
    const parsed = parseAttributes(Object.entries(given));
    if (typeof parsed === "string") rejectXml(parsed);
    const element: XmlElement = { name, attributes: parsed.attributes, children: [] };
    values.add(1 + parsed.count);
    siblings().push(element);
    if (open.push(element) > MAX_DEPTH) rejectXml(`must not be nested deeper than ${MAX_DEPTH} elements`);
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return roots;
}

/** A `&` that begins no reference, or a `<` that begins no tag. The parser names another place, such as the end. */
const UNESCAPED = /&(?!#?[\p{L}\p{N}_:][\p{L}\p{N}_:.-]*;)|<(?![\p{L}_:/!?])/u;

/** Returns the place of the first unescaped character and what to write, or undefined if there is none. */
function findUnescaped(xml: string): string | undefined {
  const checked = xml.replace(/<!\[CDATA\[.*?\]\]>/gs, (section) => section.replace(/[&<]/g, " "));
  const index = checked.search(UNESCAPED);
  if (index < 0) return undefined;
  const lines = xml.slice(0, index).split(/\r\n?|\n/);
  const found = xml.charAt(index);
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}: write ${found} as ${NAMED[found]}`;
}

function explain(message: string): string {
  return message.endsWith("undefined entity.") ? `${message} Write the character itself, or & as &amp;.` : message;
}

function rejectXml(message: string): never {
  throw createDataError("data.data", message);
}

/** Returns the XML that parses to these nodes. */
export function toXml(nodes: XmlNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? escapeText(node) : elementToXml(node))).join("");
}

function elementToXml({ name, attributes, children }: XmlElement): string {
  const start = `${name}${attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join("")}`;
  return children.length === 0 ? `<${start}/>` : `<${start}>${toXml(children)}</${name}>`;
}

/** Escapes text. A raw carriage return would be read as a line feed, and a leading byte order mark as nothing. */
function escapeText(text: string): string {
  return withReferences(text, /[&<>\r\ufeff]/g);
}

/** Escapes an attribute. Raw white space would be read as a space. */
function escapeAttribute(text: string): string {
  return withReferences(text, /[&<>"\t\n\r]/g);
}

const NAMED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function withReferences(text: string, characters: RegExp): string {
  return text.replace(characters, (found) => NAMED[found] ?? `&#${found.charCodeAt(0)};`);
}
