/** Elements that begin and end a line, whatever their style. */
const BLOCKS = new Set(
  (
    "ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY BR BUTTON CAPTION DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE " +
    "FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL OPTION P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH " +
    "THEAD TR UL"
  ).split(" "),
);
/** Elements whose text is not read. */
const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA", "SELECT", "style"]);
/** Attribute of elements that this package adds, and of others whose text is not read. */
export const IGNORED_ATTRIBUTE = "data-colloquy-ignored";
const WHITE_SPACE = /[ \t\n\r\f]+/g;

/** A text node, and where its text begins. */
interface Chunk {
  node: Text;
  start: number;
  /** Length in the text, in which white space is one space. */
  length: number;
  /** Whether white space at its beginning is left out, because white space or a line break is before it. */
  isTrimmed: boolean;
}

/**
 * The text of an element in reading order, and where each part of it is in the DOM. White space is one space, and
 * blocks are separated by line breaks, so that the same words have the same text however the page is written.
 */
export class TextIndex {
  readonly text: string;
  readonly #chunks: Chunk[] = [];
  readonly #root: Element;

  constructor(root: Element) {
    this.#root = root;
    this.text = this.#read();
  }

  /** Returns the range of two offsets of the text, or undefined if there is no text between them. */
  toRange(start: number, end: number): Range | undefined {
    const first = this.#chunks[this.#findChunk(({ start: from, length }) => from + length > start)];
    const last = this.#chunks[this.#findChunk(({ start: from }) => from >= end) - 1];
    if (!first || !last || last.start < first.start) return undefined;
    const range = this.#root.ownerDocument.createRange();
    range.setStart(first.node, toNodeOffset(first, Math.max(0, start - first.start)));
    range.setEnd(last.node, toNodeOffset(last, Math.min(last.length, end - last.start)));
    return range;
  }

  /** Returns the offsets of a range, without text of it that is outside of the element. */
  toOffsets(range: Range): { start: number; end: number } {
    const start = this.#toOffset(range.startContainer, range.startOffset);
    return { start, end: Math.max(start, this.#toOffset(range.endContainer, range.endOffset)) };
  }

  /** Returns the offsets of the text of an element. */
  getSpan(element: Element): { start: number; end: number } {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    const { start, end } = this.toOffsets(range);
    return { start, end: this.text[end - 1] === "\n" ? Math.max(start, end - 1) : end };
  }

  #read(): string {
    const parts: string[] = [];
    let length = 0;
    let isAtSpace = true;
    let isAtBreak = true;
    const breakLine = () => {
      if (isAtBreak) return;
      const last = this.#chunks.at(-1);
      if (isAtSpace && last) {
        // White space at the end of a line is left out.
        parts.push(parts.pop()?.slice(0, -1) ?? "");
        [last.length, length] = [last.length - 1, length - 1];
      }
      parts.push("\n");
      length += 1;
      [isAtSpace, isAtBreak] = [true, true];
    };
    const visit = (parent: Node) => {
      for (let node = parent.firstChild; node; node = node.nextSibling) {
        if (isText(node)) {
          const text = normalize(node.data, isAtSpace);
          if (text === "") continue;
          this.#chunks.push({ node, start: length, length: text.length, isTrimmed: isAtSpace });
          parts.push(text);
          length += text.length;
          [isAtSpace, isAtBreak] = [text.endsWith(" "), false];
        } else if (isElement(node) && !SKIPPED.has(node.tagName) && !node.hasAttribute(IGNORED_ATTRIBUTE)) {
          const isBlock = BLOCKS.has(node.tagName);
          if (isBlock) breakLine();
          visit(node);
          if (isBlock) breakLine();
        }
      }
    };
    visit(this.#root);
    return parts.join("");
  }

  #toOffset(container: Node, offset: number): number {
    const point = this.#root.ownerDocument.createRange();
    point.setStart(container, offset);
    point.collapse(true);
    // A node of which the point is the end is not after it.
    const index = this.#findChunk(({ node }) => point.comparePoint(node, node.length) >= 0);
    const chunk = this.#chunks[index];
    if (!chunk) return this.text.length;
    if (chunk.node !== container) return chunk.start;
    return chunk.start + normalize(chunk.node.data.slice(0, offset), chunk.isTrimmed).length;
  }

  /** Returns the index of the first chunk that satisfies a condition, which all after it satisfy too. */
  #findChunk(isFound: (chunk: Chunk) => boolean): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const chunk = this.#chunks[middle];
      if (chunk && isFound(chunk)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function normalize(data: string, isTrimmed: boolean): string {
  const text = data.replace(WHITE_SPACE, " ");
  return isTrimmed && text.startsWith(" ") ? text.slice(1) : text;
}

/** Returns the offset in a text node of an offset in its normalized text. */
function toNodeOffset({ node: { data }, isTrimmed }: Chunk, offset: number): number {
  let index = 0;
  if (isTrimmed) while (isWhiteSpace(data[index])) index += 1;
  for (let count = 0; index < data.length && count < offset; count += 1) {
    if (isWhiteSpace(data[index])) while (isWhiteSpace(data[index + 1])) index += 1;
    index += 1;
  }
  return index;
}

function isWhiteSpace(character: string | undefined): boolean {
  return character !== undefined && " \t\n\r\f".includes(character);
}

function isText(node: Node): node is Text {
  return node.nodeType === Node.TEXT_NODE;
}

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}
