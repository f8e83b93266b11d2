import * as Y from "yjs";
import type { Attributions } from "../attributions.ts";
import type { SharedType } from "../shared-type.ts";
import { type ClockRanges, findValue } from "./clock-ranges.ts";

/** Stands for an object in a text. */
const OBJECT = "\uFFFC";

type ChangeKind = "added" | "removed" | "unchanged";

/** A part of the content, in reading order; what was removed is before what was added in its place. */
export interface ContentChange {
  kind: ChangeKind;
  text: string;
  /** Who added or removed it; for an unchanged part, who wrote it. Null for nobody who is known. */
  authorId: string | null;
  /** Keys of the maps around a value, from the outermost one. */
  path?: string[];
}

/** A shared type, by its structs. */
type SharedSequence = Pick<Y.XmlFragment, "_start" | "_map">;

/** Two states of a document: the later one has everything of the earlier one. */
export interface ComparedStates {
  type: SharedType;
  contentKey: string;
  earlier: Uint8Array;
  later: Uint8Array;
}

/** Compares the texts and values in two states of a document, but no attributes. */
export function compareContents(states: ComparedStates, attributions: Attributions): ContentChange[] {
  const { type, contentKey, earlier, later } = states;
  // The document keeps what it deletes, so it has the content of both states.
  const document = new Y.Doc({ gc: false });
  Y.applyUpdate(document, earlier);
  const comparison = new Comparison(document, attributions);
  Y.applyUpdate(document, later);
  if (type === "xml") comparison.addBlocks(document.getXmlFragment(contentKey));
  else if (type === "text") comparison.addBlocks(document.getText(contentKey));
  else if (type === "array") comparison.addItems(document.getArray(contentKey), []);
  else comparison.addEntries(document.getMap(contentKey), []);
  return settlePlaces(comparison.changes);
}

/**
 * Returns the changes with what was removed from a place of a text before what was added to it. A place with what it
 * had before is unchanged, although a restore has deleted its values and added them again.
 */
function settlePlaces(changes: ContentChange[]): ContentChange[] {
  const settled: ContentChange[] = [];
  let place: ContentChange[] = [];
  const settle = () => {
    for (const change of settlePlace(place)) append(settled, change);
    place = [];
  };
  for (const change of changes) {
    if (change.kind === "unchanged" || String(change.path) !== String(place[0]?.path)) settle();
    if (change.kind === "unchanged") append(settled, change);
    else place.push(change);
  }
  settle();
  return settled;
}

function settlePlace(place: ContentChange[]): ContentChange[] {
  const removed = place.filter(({ kind }) => kind === "removed");
  const added = place.filter(({ kind }) => kind === "added");
  const separator = place[0]?.path ? "," : "";
  const [before, after] = [removed, added].map((changes) => changes.map(({ text }) => text).join(separator));
  if (before === after) return added.map((change) => ({ ...change, kind: "unchanged" }));
  return place[0]?.path ? place : [...removed, ...added];
}

/** Adds a change, to the last one if it is a text of the same kind and author. */
function append(changes: ContentChange[], change: ContentChange): void {
  const last = changes.at(-1);
  const isJoined = last && !last.path && !change.path && last.kind === change.kind && last.authorId === change.authorId;
  if (isJoined) last.text += change.text;
  else changes.push(change);
}

/** Part of a struct that has one kind and author. */
interface Part extends Pick<ContentChange, "kind" | "authorId"> {
  start: number;
  end: number;
}

class Comparison {
  readonly changes: ContentChange[] = [];
  /** Clocks that the earlier state has, by client. */
  readonly #known: Map<number, number>;
  readonly #deletedBefore: ClockRanges<true>;
  readonly #inserted: ClockRanges<string>;
  readonly #deleted: ClockRanges<string>;

  /** Takes the earlier state from a document. */
  constructor({ store }: Y.Doc, attributions: Attributions) {
    this.#known = new Map([...store.clients.keys()].map((client) => [client, Y.getState(store, client)]));
    const { clients } = Y.createDeleteSetFromStructStore(store);
    this.#deletedBefore = new Map(
      [...clients].map(([client, items]) => [
        client,
        items.map(({ clock, len }) => ({ clock, end: clock + len, value: true as const })),
      ]),
    );
    this.#inserted = attributions.list("inserted");
    this.#deleted = attributions.list("deleted");
  }

  /** Adds the texts in a sequence, with a line break after each block. */
  addBlocks(type: SharedSequence): void {
    const items = listItems(type);
    const around = { isText: type instanceof Y.XmlText, hasText: items.some(isText) };
    for (const item of items) {
      const { content } = item;
      if (content instanceof Y.ContentString) this.#addText(item, content.str);
      else if (content instanceof Y.ContentEmbed) this.#addEach(item, () => OBJECT);
      else if (content instanceof Y.ContentType) this.#addNested(item, content.type, around);
    }
  }

  /** Adds the values of an array. */
  addItems(type: SharedSequence, path: string[]): void {
    for (const item of listItems(type)) this.#addValues(item, path);
  }

  /** Adds the values of a map, in the order of their keys. */
  addEntries(type: SharedSequence, path: string[]): void {
    for (const [key, newest] of [...type._map].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const values: Y.Item[] = [];
      for (let item: Y.Item | null = newest; item; item = item.left) values.unshift(item);
      for (const item of values) this.#addValues(item, [...path, key]);
    }
  }

  #addNested(item: Y.Item, type: SharedSequence, around: { isText: boolean; hasText: boolean }): void {
    if (type instanceof Y.XmlElement || type instanceof Y.XmlText) {
      const children = listItems(type);
      const isBlock = type instanceof Y.XmlText ? around.isText : !around.hasText;
      if (type instanceof Y.XmlElement && around.hasText && children.length === 0) this.#addEach(item, () => OBJECT);
      this.addBlocks(type);
      if (isBlock && (children.length === 0 || children.some(isText))) this.#addEach(item, () => "\n");
    }
  }

  #addText(item: Y.Item, text: string): void {
    for (const { start, end, kind, authorId } of this.#split(item)) {
      append(this.changes, { kind, authorId, text: text.slice(start, end) });
    }
  }

  #addValues(item: Y.Item, path: string[]): void {
    const { content } = item;
    if (content instanceof Y.ContentType) {
      const { type } = content;
      if (type instanceof Y.Map) this.addEntries(type, path);
      else if (type instanceof Y.Array) this.addItems(type, path);
      else this.addBlocks(type);
    } else if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) {
      this.#addEach(item, (index) => JSON.stringify(content.arr[index]) ?? "null", path);
    }
  }

  /** Adds one part for each value of a struct. */
  #addEach(item: Y.Item, getText: (index: number) => string, path?: string[]): void {
    for (const { start, end, kind, authorId } of this.#split(item)) {
      for (let index = start; index < end; index++) {
        append(this.changes, { kind, authorId, text: getText(index), ...(path && { path }) });
      }
    }
  }

  /** Splits a struct into parts. Leaves out what neither state shows. */
  *#split({ id: { client, clock: first }, length, deleted }: Y.Item): Generator<Part> {
    const known = this.#known.get(client) ?? 0;
    for (let clock = first; clock < first + length; ) {
      const before = findValue(this.#deletedBefore, client, clock);
      const isOld = clock < known && !before.value;
      const authors = deleted ? this.#deleted : this.#inserted;
      const author = findValue(authors, client, clock);
      const end = Math.min(first + length, before.end, author.end, clock < known ? known : Number.POSITIVE_INFINITY);
      const kind = deleted ? "removed" : isOld ? "unchanged" : "added";
      const authorId = author.value ?? null;
      if (isOld || !deleted) yield { start: clock - first, end: end - first, kind, authorId };
      clock = end;
    }
  }
}

/** Returns the structs of a sequence, deleted ones included. */
function listItems(type: SharedSequence): Y.Item[] {
  const items: Y.Item[] = [];
  for (let item = type._start; item; item = item.right) items.push(item);
  return items;
}

function isText({ content }: Y.Item): boolean {
  return content instanceof Y.ContentString || (content instanceof Y.ContentType && content.type instanceof Y.XmlText);
}
