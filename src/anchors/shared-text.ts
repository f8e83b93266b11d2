import * as Y from "yjs";

/** Stands for what a text embeds, such as an image. */
const OBJECT_REPLACEMENT = "\ufffc";

/** Names of elements that break a line within a block, in Tiptap, ProseMirror and HTML. */
const LINE_BREAKS = new Set(["hardBreak", "hard_break", "br"]);

/** Any shared type of Yjs. Only texts and fragments have text. */
export type SharedType = Y.Text | Y.XmlFragment | Y.Array<unknown> | Y.Map<unknown>;

/** Place of an item of Yjs in the text. */
interface Place {
  offset: number;
  /** Number of characters: one for each value of a text, any number for another type. */
  length: number;
}

/** Characters of an item. */
interface Run extends Place {
  item: Y.Item;
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
  readonly #reader = new Reader();

  /** Throws if the type is not part of a document. */
  constructor(type: SharedType) {
    if (!type.doc) throw new Error("The shared type is not part of a Y.Doc.");
    this.document = type.doc;
    this.#reader.readChildren(type);
    this.text = this.#reader.text;
  }

  /**
   * Returns the place of a relative position in the text. Returns undefined if it is unknown to the document or within
   * something that was deleted. Follows deletions that were undone in this Y.Doc.
   */
  toOffset({ item: id, type: typeId, tname, assoc }: Y.RelativePosition): number | undefined {
    if (id) {
      const found = this.#findItem(id);
      const place = found && this.#reader.places.get(found.item);
      if (!place || found.item.deleted) return place?.offset;
      if (isCharacters(found.item)) return place.offset + found.passed + (assoc < 0 ? 1 : 0);
      return place.offset + (assoc < 0 ? place.length : 0);
    }
    const content = typeId && this.#findItem(typeId)?.item.content;
    const type = content instanceof Y.ContentType ? content.type : this.document.share.get(tname ?? "");
    const place = type && this.#reader.types.get(type);
    return place && place.offset + (assoc < 0 ? 0 : place.length);
  }

  /** Returns whether the value that a position stays with exists, or exists again by an undo in this Y.Doc. */
  isThere({ item: id }: Y.RelativePosition): boolean {
    return !id || this.#findItem(id)?.item.deleted === false;
  }

  /** Returns whether the value that a position stays with still exists, so that others find the position too. */
  isKept({ item: id }: Y.RelativePosition): boolean {
    const found = id && this.#findItem(id);
    return !id || (found?.item.deleted === false && Y.compareIDs(found.id, id));
  }

  /**
   * Returns a relative position that stays with the character after the offset (`start`) or before it (`end`), so that
   * what users type at the ends of a range does not become part of it. Returns undefined if there is no such character.
   */
  toPosition(offset: number, side: "start" | "end"): Y.RelativePosition | undefined {
    const { runs } = this.#reader;
    const isStart = side === "start";
    const index = isStart
      ? findLast(runs, (run) => run.offset + run.length <= offset) + 1
      : findLast(runs, (run) => run.offset < offset);
    const run = runs[index];
    if (!run) return undefined;
    const passed = isStart ? Math.max(0, offset - run.offset) : Math.min(offset - run.offset, run.length) - 1;
    const { client, clock } = run.item.id;
    const item = { client, clock: clock + passed };
    return Y.createRelativePositionFromJSON({ item, assoc: isStart ? 0 : -1 });
  }

  /** Returns the item with an ID, or the one that has replaced it by an undo, and how many of its values are before. */
  #findItem(given: Y.ID): { item: Y.Item; id: Y.ID; passed: number } | undefined {
    let id = given;
    for (;;) {
      if (Y.getState(this.document.store, id.client) <= id.clock) return undefined;
      const item = Y.getItem(this.document.store, id);
      if (!(item instanceof Y.Item)) return undefined;
      const passed = id.clock - item.id.clock;
      if (!item.redone) return { item, id, passed };
      id = Y.createID(item.redone.client, item.redone.clock + passed);
    }
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

type AnyType = Y.Item["parent"];

/**
 * Reads the items of shared types once. The functions of Yjs for relative positions read a type from its beginning for
 * each of them: 20 ms in a text of 1 MB with 40,000 items, where this needs 0.2 s for all.
 */
class Reader {
  text = "";
  readonly places = new Map<Y.Item, Place>();
  readonly types = new Map<AnyType, Place>();
  readonly runs: Run[] = [];

  /** Reads the values of a type. They are inline if one of them is text, and blocks otherwise. */
  readChildren(type: Y.ContentType["type"] | SharedType): void {
    const from = this.text.length;
    const isOfText = type instanceof Y.Text;
    const items = isOfText || type instanceof Y.XmlFragment ? getItems(type) : [];
    const isInline = items.some((item) => isText(item, isOfText));
    let isAfterBlock = false;
    for (const item of items) {
      const child = getChild(item);
      const isBlock = !isInline && (child instanceof Y.XmlFragment || (isOfText && child instanceof Y.Text));
      if (isBlock && isAfterBlock) this.text += "\n";
      isAfterBlock ||= isBlock;
      const offset = this.text.length;
      const characters = isBlock || item.deleted ? "" : toCharacters(item);
      if (child && !item.deleted && characters === "") this.readChildren(child);
      this.text += characters;
      const place = { offset, length: this.text.length - offset };
      this.places.set(item, place);
      if (characters !== "") this.runs.push({ ...place, item });
    }
    this.types.set(type, { offset: from, length: this.text.length - from });
  }
}

/** Returns all items of a type in their order, deleted ones too. */
function getItems(type: Y.Text | Y.XmlFragment): Y.Item[] {
  const items: Y.Item[] = [];
  for (let item = type._start; item !== null; item = item.right) items.push(item);
  return items;
}

/** Returns the shared type that is the value of an item. */
function getChild({ content, deleted }: Y.Item): Y.ContentType["type"] | undefined {
  return content instanceof Y.ContentType && !deleted ? content.type : undefined;
}

function isCharacters({ content }: Y.Item): boolean {
  return content instanceof Y.ContentString;
}

/** Returns whether an item is text of its type: a Y.XmlText in an element is, one in a text is a block of Lexical. */
function isText(item: Y.Item, isOfText: boolean): boolean {
  const child = getChild(item);
  return (isCharacters(item) && !item.deleted) || (!isOfText && child instanceof Y.XmlText && child.length > 0);
}

/** Returns the characters of an inline item that exists; none for a type whose values have them. */
function toCharacters(item: Y.Item): string {
  if (item.content instanceof Y.ContentString) return item.content.str;
  if (!item.countable) return "";
  const child = getChild(item);
  // Lexical has a map with the properties of each text before it.
  if (child instanceof Y.Map) return child.get("__type") === "linebreak" ? "\n" : "";
  if (child instanceof Y.XmlElement && child.length === 0) {
    return LINE_BREAKS.has(child.nodeName) ? "\n" : OBJECT_REPLACEMENT;
  }
  return child instanceof Y.Text || child instanceof Y.XmlFragment ? "" : OBJECT_REPLACEMENT;
}
