import { createDecoder, readVarUint } from "lib0/decoding";
import * as Y from "yjs";
import { findIdentities } from "../identity.ts";

/** Limits of one update. Applying one at a limit was measured at 20 to 50 ms of processor time. */
const MAX_CLIENTS = 1_000;
const MAX_STRUCTS = 10_000;
/** Looking for what of these a document has deleted already was measured at 50 ms. */
const MAX_DELETIONS = 100_000;
/** Maximum number of types or values within each other. Yjs walks to the root for each change. */
export const MAX_DEPTH = 100;

export type Struct = Y.Item | Y.GC | Y.Skip;

/** A struct of the document that is the parent of structs of an update, or a sibling with the same parent. */
export interface Anchor {
  id: Y.ID;
  is: "parent" | "sibling";
}

/** Types of an update below an anchor. */
interface Nesting {
  anchor: Anchor;
  /** Maximum number of types within each other, below the parent that the anchor stands for. */
  depth: number;
}

/** What an update consists of and needs, by which a document can tell whether to take it. */
export interface UpdateMeasure {
  structs: number;
  /** Whether the update adds nothing but deletions and what is deleted. */
  onlyDeletes: boolean;
  /** Number of values that are not deleted. */
  values: number;
  /** Clocks that each client has with the update, by client. */
  ends: ReadonlyMap<number, number>;
  /** Clocks that the document must have before it can apply the whole update, by client. */
  needs: ReadonlyMap<number, number>;
  /** Whether the document can apply the whole update once it has these clocks. */
  isOrdered: boolean;
  nestings: readonly Nesting[];
  /** Clocks at which new structs split structs of the document, unless these begin there, by client. */
  splits: ReadonlyMap<number, ReadonlySet<number>>;
  deletions: readonly Deletion[];
  /** Yjs clients of the service in the documents whose identity the update has. */
  identities: readonly number[];
}

/** Consecutive clocks of a client whose structs are deleted. */
export interface Deletion {
  client: number;
  clock: number;
  len: number;
}

/** Measures an update. Returns the reason if no document may take it. */
export function measureUpdate(update: Uint8Array): UpdateMeasure | "update_invalid" | "update_too_large" {
  try {
    if (readVarUint(createDecoder(update)) > MAX_CLIENTS) return "update_too_large";
    const { structs, ds } = Y.decodeUpdate(update);
    if (structs.length > MAX_STRUCTS) return "update_too_large";
    const values = countValues(structs);
    const sections = Section.list(structs);
    const placing = new Placing(sections);
    const isOrdered = placing.placeAll();
    if (values === undefined || placing.isTooDeep) return "update_too_large";
    const deletions = listDeletions(ds.clients);
    if (deletions.length > MAX_DELETIONS) return "update_too_large";
    for (const { client, clock, len } of deletions) placing.need(client, clock + len - 1);
    const ends = new Map([...sections].map(([client, { end }]) => [client, end]));
    const { needs, splits } = placing;
    const nestings = [...placing.nestings.values()];
    const identities = findIdentities(structs);
    const onlyDeletes = structs.every(isDeleted);
    return {
      structs: structs.length,
      onlyDeletes,
      values,
      ends,
      needs,
      isOrdered,
      nestings,
      splits,
      deletions,
      identities,
    };
  } catch {
    return "update_invalid";
  }
}

/** Returns the structs of an update in an order in which Yjs can apply them, or undefined if there is none. */
export function placeAll(structs: readonly Struct[]): Struct[] | undefined {
  const placing = new Placing(Section.list(structs));
  return placing.placeAll() ? placing.placed : undefined;
}

/** Lists the deletions of an update. Throws unless those of each client follow each other, as Yjs writes them. */
export function listDeletions(clients: ReadonlyMap<number, readonly { clock: number; len: number }[]>): Deletion[] {
  return [...clients].flatMap(([client, items]) => {
    let end = 0;
    return items.map(({ clock, len }) => {
      if (clock < end || len < 1) throw new Error("the deletions of a client overlap");
      end = clock + len;
      return { client, clock, len };
    });
  });
}

/** Returns whether a struct of an update has no content any more. */
function isDeleted(struct: Struct): boolean {
  return !(struct instanceof Y.Item) || struct.content instanceof Y.ContentDeleted;
}

/** Counts the values of structs, those within others too, except deleted ones. Returns undefined past the depth. */
export function countValues(structs: Iterable<Struct>): number | undefined {
  let count = 0;
  for (const struct of structs) {
    if (!(struct instanceof Y.Item) || struct.deleted) continue;
    for (const value of getValues(struct.content)) {
      const values = countNested(value, 0);
      if (values === undefined) return undefined;
      count += values;
    }
  }
  return count;
}

/** Returns the values of a content. One that holds none, such as a text, counts as one value. */
function getValues(content: Y.Item["content"]): readonly unknown[] {
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) return content.arr;
  if (content instanceof Y.ContentEmbed) return [content.embed];
  if (content instanceof Y.ContentFormat) return [content.value];
  return [null];
}

function countNested(value: unknown, depth: number): number | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return 1;
  if (depth === MAX_DEPTH) return undefined;
  let count = 1;
  for (const inner of Object.values(value)) {
    const values = countNested(inner, depth + 1);
    if (values === undefined) return undefined;
    count += values;
  }
  return count;
}

/** The structs of one client in an update, in the order of their clocks. */
class Section {
  readonly structs: Struct[] = [];
  readonly start: number;
  end: number;
  /** Index of the next struct to place. */
  next = 0;

  constructor(start: number) {
    this.start = start;
    this.end = start;
  }

  /** Returns the sections of an update by client. Throws if a client has two. */
  static list(structs: readonly Struct[]): Map<number, Section> {
    const sections = new Map<number, Section>();
    for (const struct of structs) {
      const { client, clock } = struct.id;
      const section = sections.get(client) ?? new Section(clock);
      if (section.end !== clock) throw new Error("the clocks of a client are not consecutive");
      section.structs.push(struct);
      section.end = clock + struct.length;
      sections.set(client, section);
    }
    return sections;
  }

  has(clock: number): boolean {
    return clock >= this.start && clock < this.end;
  }

  /** Returns the struct at a clock if it has been placed. */
  findPlaced(clock: number): Struct | undefined {
    const last = this.structs[this.next - 1];
    if (!last || clock < this.start || clock >= last.id.clock + last.length) return undefined;
    return this.structs[Y.findIndexSS(this.structs as (Y.Item | Y.GC)[], clock)];
  }
}

/** Number of types around a struct, up to an anchor or the root. */
interface Position {
  anchor: Anchor | undefined;
  depth: number;
}

const ROOT: Position = { anchor: undefined, depth: 0 };

/** Goes through the structs of an update in an order in which Yjs can apply them. */
class Placing {
  readonly placed: Struct[] = [];
  readonly needs = new Map<number, number>();
  readonly nestings = new Map<string, Nesting>();
  readonly splits = new Map<number, Set<number>>();
  isTooDeep = false;
  readonly #sections: ReadonlyMap<number, Section>;
  readonly #positions = new Map<Struct, Position>();

  constructor(sections: ReadonlyMap<number, Section>) {
    this.#sections = sections;
    for (const [client, { start }] of sections) if (start > 0) this.#raise(client, start);
  }

  /** Places all structs. Returns false if some wait for each other. */
  placeAll(): boolean {
    let waiting = [...this.#sections.values()];
    let isPlacing = true;
    while (isPlacing) {
      isPlacing = false;
      for (const section of waiting) {
        for (let struct = section.structs[section.next]; struct && this.#isReady(struct); ) {
          this.#place(struct);
          struct = section.structs[++section.next];
          isPlacing = true;
        }
      }
      waiting = waiting.filter(({ next, structs }) => next < structs.length);
    }
    return waiting.length === 0;
  }

  /** Records that the document must have a struct, unless the update has it. */
  need(client: number, clock: number): void {
    if (!this.#sections.get(client)?.has(clock)) this.#raise(client, clock + 1);
  }

  /** Records that a struct of the document is split at a clock, unless the update has it. */
  split(client: number, clock: number): void {
    if (this.#sections.get(client)?.has(clock)) return;
    const clocks = this.splits.get(client) ?? new Set();
    this.splits.set(client, clocks.add(clock));
  }

  #raise(client: number, clock: number): void {
    this.needs.set(client, Math.max(clock, this.needs.get(client) ?? 0));
  }

  #isReady(struct: Struct): boolean {
    if (!(struct instanceof Y.Item)) return true;
    return this.#isPlaced(struct.origin) && this.#isPlaced(struct.rightOrigin) && this.#isPlaced(getParentId(struct));
  }

  #isPlaced(id: Y.ID | null): boolean {
    const section = id === null ? undefined : this.#sections.get(id.client);
    if (id === null || !section?.has(id.clock)) return true;
    return section.findPlaced(id.clock) !== undefined;
  }

  #place(struct: Struct): void {
    this.placed.push(struct);
    if (struct instanceof Y.Skip) this.#raise(struct.id.client, struct.id.clock + struct.length);
    if (!(struct instanceof Y.Item)) return;
    for (const id of [struct.origin, struct.rightOrigin, getParentId(struct)]) if (id) this.need(id.client, id.clock);
    if (struct.origin) this.split(struct.origin.client, struct.origin.clock + 1);
    if (struct.rightOrigin) this.split(struct.rightOrigin.client, struct.rightOrigin.clock);
    const position = this.#findPosition(struct);
    this.#positions.set(struct, position);
    if (struct.content instanceof Y.ContentType) this.#addNesting(position.anchor, position.depth + 1);
  }

  #findPosition(struct: Y.Item): Position {
    if (typeof struct.parent === "string") return ROOT;
    const parentId = getParentId(struct);
    // Yjs writes the parent only of a struct without neighbours.
    const id = parentId ?? struct.origin ?? struct.rightOrigin;
    if (!id) return ROOT;
    const placed = this.#sections.get(id.client)?.findPlaced(id.clock);
    if (!placed) return { anchor: { id, is: parentId ? "parent" : "sibling" }, depth: 0 };
    const { anchor, depth } = this.#positions.get(placed) ?? ROOT;
    return { anchor, depth: parentId ? depth + 1 : depth };
  }

  #addNesting(anchor: Anchor | undefined, depth: number): void {
    if (depth > MAX_DEPTH) this.isTooDeep = true;
    if (!anchor) return;
    const key = `${anchor.is} ${anchor.id.client} ${anchor.id.clock}`;
    this.nestings.set(key, { anchor, depth: Math.max(depth, this.nestings.get(key)?.depth ?? 0) });
  }
}

function getParentId({ parent }: Y.Item): Y.ID | null {
  return parent instanceof Y.ID ? parent : null;
}
