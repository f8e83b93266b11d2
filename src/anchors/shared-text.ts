import * as Y from "yjs";

/** Stands for what a text embeds, such as an image. */
const OBJECT_REPLACEMENT = "\ufffc";

/** Names of elements that break a line within a block, in Tiptap, ProseMirror and HTML. */
const LINE_BREAKS = new Set(["hardBreak", "hard_break", "br"]);

/** Any shared type of Yjs. Only texts and fragments have text. */
export type SharedType = Y.Text | Y.XmlFragment | Y.Array<unknown> | Y.Map<unknown>;

/** What a shared type has from `index` on, and where it is in the text. */
interface Piece {
  index: number;
  /** Number of values of the type. */
  count: number;
  offset: number;
  /** Number of characters in the text. If it is `count`, each value is a character. */
  length: number;
}

/** Characters of the text, one for each value of the type from `index` on. */
interface Run extends Piece {
  type: SharedType;
}

/**
 * The text of a shared Yjs type in reading order, as it is when the object is made: of a Y.Text or Y.XmlText, and of a
 * Y.XmlFragment as rich-text editors write it. Blocks, such as paragraphs and list items, have a line break between
 * them. What is neither text nor a line break is U+FFFC within a text, and nothing between blocks. Arrays and maps have
 * no text.
 */
export class SharedText {
  readonly text: string;
  readonly document: Y.Doc;
  readonly #pieces: ReadonlyMap<object, readonly Piece[]>;
  readonly #runs: readonly Run[];

  /** Throws if the type is not part of a document. */
  constructor(type: SharedType) {
    if (!type.doc) throw new Error("The shared type is not part of a Y.Doc.");
    this.document = type.doc;
    const reader = new Reader();
    reader.readChildren(type);
    this.text = reader.text;
    this.#pieces = reader.pieces;
    this.#runs = reader.runs;
  }

  /**
   * Returns the place of a relative position in the text. Returns undefined if it is unknown to the document or within
   * something that was deleted. Follows deletions that were undone in this Y.Doc.
   */
  toOffset(position: Y.RelativePosition): number | undefined {
    // Yjs would create a shared type with this name.
    if (position.tname !== null && !this.document.share.has(position.tname)) return undefined;
    const absolute = Y.createAbsolutePositionFromRelativePosition(position, this.document);
    const pieces = absolute ? (this.#pieces.get(absolute.type) ?? []) : [];
    if (!absolute || pieces.length === 0) return undefined;
    const { index, assoc } = absolute;
    // An end belongs to the value before it, so it is before a line break that follows.
    const value = assoc < 0 && index > 0 ? index - 1 : index;
    const piece = pieces[findLast(pieces, (each) => each.index <= value)];
    if (!piece) return undefined;
    const passed = Math.min(index - piece.index, piece.count);
    if (piece.count === piece.length) return piece.offset + passed;
    return piece.offset + (passed > 0 ? piece.length : 0);
  }

  /**
   * Returns a relative position that stays with the character after the offset (`start`) or before it (`end`), so that
   * what users type at the ends of a range does not become part of it. Returns undefined if there is no such character.
   */
  toPosition(offset: number, side: "start" | "end"): Y.RelativePosition | undefined {
    if (side === "end") {
      const run = this.#runs[findLast(this.#runs, (each) => each.offset < offset)];
      if (!run) return undefined;
      const passed = Math.min(offset - run.offset, run.length);
      return Y.createRelativePositionFromTypeIndex(run.type, run.index + passed, -1);
    }
    const run = this.#runs[findLast(this.#runs, (each) => each.offset + each.length <= offset) + 1];
    if (!run) return undefined;
    return Y.createRelativePositionFromTypeIndex(run.type, run.index + Math.max(0, offset - run.offset), 0);
  }
}

/** Returns the index of the last item for which the condition holds; it holds for no item after one that fails. */
function findLast<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A value of a shared type: characters, another type, or something embedded. */
type Value = string | SharedType | object;

class Reader {
  text = "";
  readonly pieces = new Map<object, Piece[]>();
  readonly runs: Run[] = [];

  /** Reads the values of a type. They are inline if one of them is text, and blocks otherwise. */
  readChildren(type: SharedType): void {
    const values = getValues(type);
    const isOfText = type instanceof Y.Text;
    const isInline = values.some((value) => isText(value, isOfText));
    const pieces: Piece[] = [];
    this.pieces.set(type, pieces);
    let index = 0;
    let isAfterBlock = false;
    for (const value of values) {
      const count = typeof value === "string" ? value.length : 1;
      const isBlock = !isInline && (value instanceof Y.XmlFragment || (isOfText && value instanceof Y.Text));
      if (isBlock && isAfterBlock) this.text += "\n";
      isAfterBlock ||= isBlock;
      const offset = this.text.length;
      const characters = isBlock ? undefined : toCharacters(value);
      if (characters === undefined) this.readChildren(value as SharedType);
      else this.text += characters;
      const piece = { index, count, offset, length: this.text.length - offset };
      pieces.push(piece);
      if (characters !== undefined && characters !== "") this.runs.push({ ...piece, type });
      index += count;
    }
    pieces.push({ index, count: 0, offset: this.text.length, length: 0 });
  }
}

function getValues(type: SharedType): Value[] {
  if (type instanceof Y.XmlFragment) return type.toArray();
  if (!(type instanceof Y.Text)) return [];
  const pieces: { insert: Value }[] = type.toDelta();
  return pieces.map(({ insert }) => insert);
}

/** Returns whether a value is text of its parent: a Y.XmlText in an element is, one in a text is a block of Lexical. */
function isText(value: Value, isOfText: boolean): boolean {
  return typeof value === "string" || (!isOfText && value instanceof Y.XmlText && value.length > 0);
}

/** Returns the characters of an inline value; undefined for a type whose values have them. */
function toCharacters(value: Value): string | undefined {
  if (typeof value === "string") return value;
  // Lexical has a map with the properties of each text before it.
  if (value instanceof Y.Map) return value.get("__type") === "linebreak" ? "\n" : "";
  if (value instanceof Y.XmlElement && value.length === 0) {
    return LINE_BREAKS.has(value.nodeName) ? "\n" : OBJECT_REPLACEMENT;
  }
  return value instanceof Y.Text || value instanceof Y.XmlFragment ? undefined : OBJECT_REPLACEMENT;
}
