/** An element or a text of a comment. */
export type RichNode = string | RichElement;

interface RichElement {
  tag: RichTag;
  /** Address of a link. */
  href?: string | undefined;
  children: RichNode[];
}

/** Tags that a comment may have. Others are left out, with or without what they contain. */
type RichTag = "p" | "br" | "strong" | "em" | "a" | "ul" | "ol" | "li" | "code" | "pre" | "blockquote";

const INLINE_TAGS: Readonly<Record<string, RichTag>> = {
  ...{ STRONG: "strong", B: "strong", EM: "em", I: "em", CODE: "code", TT: "code", KBD: "code", SAMP: "code", A: "a" },
};
const BLOCKS =
  "p,div,h1,h2,h3,h4,h5,h6,ul,ol,li,pre,blockquote,table,tr,td,th,dl,dt,dd," +
  "section,article,header,footer,main,figure,hr";
/** Elements that are left out with what they contain. */
const WITHOUT_TEXT =
  "script,style,template,noscript,title,iframe,object,embed,svg,math,textarea,select,audio,video,canvas";
/** Depth at which elements end, and only their text is read. */
const MAX_DEPTH = 24;
/** Length of HTML above which a comment is shown as plain text. */
const MAX_LENGTH = 100_000;
/** Number of tags above which it is. Browsers need 20 s for 100 kB of tags that are nested wrongly. */
const MAX_TAGS = 3_000;
const PROTOCOLS = ["http:", "https:", "mailto:"];

/** Returns an address if a link may open it. */
export function getSafeHref(address: string): string | undefined {
  try {
    const { protocol, href } = new URL(address);
    return PROTOCOLS.includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads HTML of a comment, or what a user pastes, with the permitted tags only. Returns undefined if it is too long.
 * The document in which it is parsed is inert: it runs no script and loads no file.
 */
export function parseRichText(html: string): RichNode[] | undefined {
  if (html.length > MAX_LENGTH || html.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1) return undefined;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll(WITHOUT_TEXT)) element.remove();
  return readBlocks(body, 0);
}

/** Reads the blocks of an element. Texts and inline elements between them become paragraphs. */
function readBlocks(parent: Element, depth: number): RichElement[] {
  const blocks: RichElement[] = [];
  let line: RichNode[] = [];
  function endLine(): void {
    const children = trimLine(line);
    if (children.length > 0) blocks.push({ tag: "p", children });
    line = [];
  }
  if (depth > MAX_DEPTH) return parent.textContent ? [{ tag: "p", children: [parent.textContent] }] : [];
  for (const child of parent.childNodes) {
    if (!(child instanceof Element) || !(child.matches(BLOCKS) || child.querySelector(BLOCKS))) {
      line.push(...readInline(child, depth + 1));
      continue;
    }
    endLine();
    if (!pushListItemOfWord(blocks, child, depth)) blocks.push(...readBlock(child, depth + 1));
  }
  endLine();
  return blocks;
}

function readBlock(element: Element, depth: number): RichElement[] {
  switch (element.tagName) {
    case "UL":
    case "OL": {
      const children = readItems(element, depth);
      return children.length > 0 ? [{ tag: element.tagName === "UL" ? "ul" : "ol", children }] : [];
    }
    case "PRE":
      return [{ tag: "pre", children: [element.textContent ?? ""] }];
    case "BLOCKQUOTE":
      return [{ tag: "blockquote", children: readBlocks(element, depth) }];
    case "HR":
      return [];
    default: {
      const blocks = readBlocks(element, depth);
      // A paragraph with a line break alone is an empty line.
      return blocks.length > 0 || !element.querySelector("br") ? blocks : [{ tag: "p", children: [] }];
    }
  }
}

function readItems(list: Element, depth: number): RichElement[] {
  return [...list.children].flatMap((child): RichElement[] => {
    const blocks = child.tagName === "LI" ? readBlocks(child, depth + 1) : readBlock(child, depth + 1);
    return blocks.length > 0 ? [toItem(blocks)] : [];
  });
}

/** Returns a list item with the text of its first paragraph directly inside of it. */
function toItem([first, ...others]: RichElement[]): RichElement {
  if (!first) return { tag: "li", children: [] };
  return { tag: "li", children: [...(first.tag === "p" ? first.children : [first]), ...others] };
}

/** Adds an item of a list of Word, which is a paragraph with a marker. Returns false for other elements. */
function pushListItemOfWord(blocks: RichElement[], element: Element, depth: number): boolean {
  const marker = /^MsoListParagraph/.test(element.className) && element.querySelector('[style*="mso-list:"]');
  if (!marker) return false;
  const tag = /^\s*(\d|[a-z]{1,3}[.)])/i.test(marker.textContent ?? "") ? "ol" : "ul";
  marker.remove();
  const item = toItem(readBlocks(element, depth + 1));
  const last = blocks.at(-1);
  if (last?.tag === tag) last.children.push(item);
  else blocks.push({ tag, children: [item] });
  return true;
}

function readInline(node: Node, depth: number): RichNode[] {
  if (node.nodeType === Node.TEXT_NODE) return [(node.nodeValue ?? "").replaceAll(/[ \t\r\n\f\u200b]+/g, " ")];
  if (!(node instanceof HTMLElement)) return [];
  if (depth > MAX_DEPTH) return node.textContent ? [node.textContent] : [];
  if (node.tagName === "BR") return [{ tag: "br", children: [] }];
  let children = [...node.childNodes].flatMap((child) => readInline(child, depth + 1));
  if (children.length === 0) return [];
  const { fontWeight, fontStyle } = node.style;
  const tag = INLINE_TAGS[node.tagName];
  if (tag === "a") {
    const href = getSafeHref(node.getAttribute("href") ?? "");
    return href === undefined ? children : [{ tag, href, children: children.map(unlink) }];
  }
  // Google Docs writes bold and italic texts as styles, and wraps everything in a bold element that is not bold.
  if (tag !== "strong" && /^(bold|[6-9]00)/.test(fontWeight)) children = [{ tag: "strong", children }];
  if (tag !== "em" && fontStyle === "italic") children = [{ tag: "em", children }];
  return tag === undefined || fontWeight === "normal" || fontWeight === "400" ? children : [{ tag, children }];
}

/** Returns a node without links in it. */
function unlink(node: RichNode): RichNode {
  if (typeof node === "string") return node;
  const children = node.children.map(unlink);
  return node.tag === "a" ? { tag: "em", children } : { ...node, children };
}

/** Returns the nodes of a line without spaces at its ends, and without the line break that ends it. */
function trimLine(nodes: RichNode[]): RichNode[] {
  const last = nodes.at(-1);
  const line = typeof last === "object" && last.tag === "br" ? nodes.slice(0, -1) : nodes;
  if (line.every((node) => typeof node === "string" && node.trim() === "" && !node.includes("\u00a0"))) return [];
  return line.map((node, index) => {
    if (typeof node !== "string") return node;
    const start = index === 0 ? node.replace(/^ +/, "") : node;
    return index === line.length - 1 ? start.replace(/ +$/, "") : start;
  });
}

/** Returns a text as one paragraph for each of its lines. */
export function textToRich(text: string): RichNode[] {
  return text.split(/\r?\n/).map((line) => ({ tag: "p", children: line === "" ? [] : [line] }));
}

/** Returns nodes without empty paragraphs at the beginning and the end. */
export function trimRich(nodes: RichNode[]): RichNode[] {
  const isBlank = (node: RichNode | undefined) =>
    typeof node === "object" && node.tag === "p" && toText([node]).trim() === "";
  let [start, end] = [0, nodes.length];
  while (start < end && isBlank(nodes[start])) start += 1;
  while (end > start && isBlank(nodes[end - 1])) end -= 1;
  return nodes.slice(start, end);
}

/** Returns whether the plain text says all: nodes without anything but paragraphs and line breaks. */
export function isPlain(nodes: RichNode[]): boolean {
  return nodes.every(
    (node) => typeof node === "string" || ((node.tag === "p" || node.tag === "br") && isPlain(node.children)),
  );
}

/** Returns the plain text of nodes, with the markers of lists and quotations. */
export function toText(nodes: RichNode[]): string {
  const lines = joinTexts(nodes).replaceAll("\u00a0", " ").split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}

function joinTexts(nodes: RichNode[]): string {
  const texts = nodes.map((node, index) => {
    const before = index > 0 && (isBlock(node) || isBlock(nodes[index - 1])) ? "\n" : "";
    return before + nodeToText(node);
  });
  return texts.join("");
}

function isBlock(node: RichNode | undefined): boolean {
  return typeof node === "object" && ["p", "ul", "ol", "li", "pre", "blockquote"].includes(node.tag);
}

function nodeToText(node: RichNode): string {
  if (typeof node === "string") return node;
  const { tag, href, children } = node;
  const text = joinTexts(children);
  switch (tag) {
    case "br":
      return "\n";
    case "a":
      return href === undefined || toShortAddress(href) === toShortAddress(text) ? text : `${text} (${href})`;
    case "blockquote":
      return text.replaceAll(/^/gm, "> ");
    case "ul":
    case "ol":
      return children
        .map((item, index) => `${tag === "ul" ? "-" : `${index + 1}.`} ${nodeToText(item).replaceAll("\n", "\n  ")}`)
        .join("\n");
    default:
      return text;
  }
}

/** Returns an address without what its text often leaves out. */
function toShortAddress(address: string): string {
  return address
    .trim()
    .replace(/^(https?:\/\/|mailto:)/, "")
    .replace(/\/$/, "");
}

/** Returns the HTML of nodes. */
export function toHtml(nodes: RichNode[]): string {
  return nodes.map(nodeToHtml).join("");
}

function nodeToHtml(node: RichNode): string {
  if (typeof node === "string") return escapeHtml(node);
  const { tag, href, children } = node;
  if (tag === "br") return "<br>";
  const attributes = href === undefined ? "" : ` href="${escapeHtml(href)}"`;
  return `<${tag}${attributes}>${toHtml(children) || (tag === "p" ? "<br>" : "")}</${tag}>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\u00a0", "&nbsp;");
}
