import Squire from "squire-rte";
import { parseRichText, type RichNode, textToRich, toHtml } from "./rich-text.ts";

/** Formats of a text that the toolbar turns on and off. */
export type Format = "bold" | "italic" | "code" | "bullets" | "numbers" | "link";

/** A place in a text, before which the user has begun to write a mention. */
export interface MentionQuery {
  text: string;
  /** Place of the query in the viewport. */
  rect: DOMRect;
}

const MENTION = /(?:^|[\s(\u00a0])@([^\s@][^@\n]{0,40})?$/u;

/** Adds rich text to an editable element. */
export class RichEditor {
  readonly #squire: Squire;
  readonly #root: HTMLElement;

  /** `change` is called after each change of the content, `move` after each move of the cursor. */
  constructor(root: HTMLElement, { change, move }: { change: () => void; move: () => void }) {
    this.#root = root;
    // The user may have typed before this script was loaded.
    const typed = root.innerText.trim() === "" ? undefined : textToRich(root.innerText);
    const hadFocus = root === root.ownerDocument.activeElement;
    this.#squire = new Squire(root, {
      blockTag: "P",
      sanitizeToDOMFragment: sanitize,
      undo: { documentSizeThreshold: 50_000, undoLimit: 50 },
      didError: reportError,
    });
    const controlKey = /Mac|iP(ad|hone)/.test(navigator.platform) ? "Meta-" : "Ctrl-";
    // Keys of Squire for formats that comments do not have, and keys with which users scroll.
    for (const key of ["u", "Shift-5", "Shift-6", "Shift-7"]) this.#squire.setKeyHandler(controlKey + key, ignore);
    for (const key of ["PageUp", "PageDown"]) this.#squire.setKeyHandler(key, () => {});
    if (typed) this.setContent(typed);
    // Squire learns of the focus by events only, and this one came before it.
    if (hadFocus) this.#squire.fireEvent("focus").moveCursorToEnd();
    this.#squire.addEventListener("input", change);
    for (const event of ["pathChange", "cursor", "select"]) this.#squire.addEventListener(event, move);
  }

  destroy(): void {
    this.#squire.destroy();
  }

  getContent(): RichNode[] {
    return parseRichText(this.#squire.getHTML()) ?? textToRich(this.#root.innerText);
  }

  setContent(nodes: RichNode[]): void {
    this.#squire.setHTML(toHtml(nodes)).moveCursorToEnd();
  }

  focus(): void {
    this.#squire.focus();
  }

  /** Inserts a text at the cursor. */
  insert(text: string): void {
    this.#squire.insertHTML(toHtml([text])).focus();
  }

  /** Inserts the @ of a mention at the cursor. */
  startMention(): void {
    const { startContainer: node, startOffset } = this.#squire.focus().getSelection();
    const before = node instanceof Text ? node.data.slice(0, startOffset) : "";
    this.#squire.insertHTML(toHtml([/[^\s(]$/.test(before) ? "\u00a0@" : "@"]));
  }

  getFormats(): ReadonlySet<Format> {
    const squire = this.#squire;
    const formats: [Format, boolean][] = [
      ["bold", squire.hasFormat("B")],
      ["italic", squire.hasFormat("I")],
      ["code", squire.hasFormat("CODE") || squire.hasFormat("PRE")],
      ["link", squire.hasFormat("A")],
      ["bullets", squire.hasFormat("UL")],
      ["numbers", squire.hasFormat("OL")],
    ];
    return new Set(formats.filter(([, isOn]) => isOn).map(([format]) => format));
  }

  toggle(format: Exclude<Format, "link">): void {
    const squire = this.#squire;
    const isOn = this.getFormats().has(format);
    if (format === "bold") isOn ? squire.removeBold() : squire.bold();
    if (format === "italic") isOn ? squire.removeItalic() : squire.italic();
    if (format === "code") squire.toggleCode();
    if (format === "bullets") isOn ? squire.removeList() : squire.makeUnorderedList();
    if (format === "numbers") isOn ? squire.removeList() : squire.makeOrderedList();
    squire.focus();
  }

  /** Makes the selected text a link, or inserts the address if nothing is selected. */
  link(address: string): void {
    this.#squire.makeLink(address).focus();
  }

  unlink(): void {
    this.#squire.removeLink().focus();
  }

  /** Returns what the user has written after the @ before the cursor, if there is one. */
  getMentionQuery(): MentionQuery | undefined {
    const range = this.#squire.getSelection();
    const { startContainer: node, startOffset } = range;
    if (!range.collapsed || !(node instanceof Text) || this.getFormats().has("code")) return undefined;
    const match = MENTION.exec(node.data.slice(0, startOffset));
    if (!match) return undefined;
    const { 1: text = "" } = match;
    const start = range.cloneRange();
    start.setStart(node, startOffset - text.length - 1);
    return { text, rect: start.getBoundingClientRect() };
  }

  /** Replaces what the user has written of a mention by its text, followed by a space. */
  completeMention(typed: string, text: string): void {
    const range = this.#squire.getSelection();
    range.setStart(range.startContainer, range.startOffset - typed.length - 1);
    this.#squire.setSelection(range).insertHTML(toHtml([`${text}\u00a0`]));
  }
}

/** Returns what is inserted into the editor, of which the content of a single paragraph joins the line. */
function sanitize(html: string): DocumentFragment {
  const nodes = parseRichText(html) ?? textToRich(new DOMParser().parseFromString(html, "text/html").body.innerText);
  const [first] = nodes;
  const isLine = nodes.length === 1 && typeof first === "object" && first.tag === "p" && first.children.length > 0;
  const fragment = document.createDocumentFragment();
  fragment.append(...(isLine ? first.children : nodes).map(toNode));
  return fragment;
}

/** Tags by which Squire knows bold and italic texts. */
const SQUIRE_TAGS: Readonly<Record<string, string>> = { strong: "b", em: "i" };

function toNode(node: RichNode): Node {
  if (typeof node === "string") return document.createTextNode(node);
  const { tag, href, children } = node;
  const element = document.createElement(SQUIRE_TAGS[tag] ?? tag);
  if (href !== undefined) element.setAttribute("href", href);
  element.append(...children.map(toNode));
  return element;
}

function ignore(_: Squire, event: KeyboardEvent): void {
  event.preventDefault();
}
