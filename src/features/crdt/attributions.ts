import { createDecoder, type Decoder, readVarString, readVarUint } from "lib0/decoding";
import { createEncoder, type Encoder, toUint8Array, writeVarString, writeVarUint } from "lib0/encoding";
import * as Y from "yjs";
import { type ClockRange, type ClockRanges, findValue } from "./comparison/clock-ranges.ts";

type Range = Omit<ClockRange<never>, "value">;

type Ranges = Map<number, Range[]>;

/** What one author inserted and deleted, by Yjs client. */
interface Written {
  inserted: Ranges;
  deleted: Ranges;
}

/** Who inserted and deleted what in a Yjs document. The first author of a value stays: nobody takes it over. */
export class Attributions {
  readonly #authors = new Map<string, Written>();
  /** Values that have their authors from the ones that they restore. */
  #inherited: ClockRanges<true> = new Map();

  constructor(encoded: Uint8Array | null | undefined) {
    if (!encoded) return;
    const decoder = createDecoder(encoded);
    for (let authors = readVarUint(decoder); authors > 0; authors--) {
      const authorId = readVarString(decoder);
      this.#authors.set(authorId, { inserted: readRanges(decoder), deleted: readRanges(decoder) });
    }
  }

  /** Runs work that changes a document, and attributes to the author what is new in it. */
  attribute(document: Y.Doc, authorId: string | null, work: () => void): void {
    const add = (transaction: Y.Transaction) => authorId !== null && this.#add(authorId, transaction);
    document.on("afterTransaction", add);
    try {
      work();
    } finally {
      document.off("afterTransaction", add);
    }
  }

  /** Attributes the values that an undo has restored in a document to those who had inserted them. */
  inherit({ store }: Y.Doc): void {
    const inserted = this.list("inserted");
    const inherited = new Map<number, ClockRange<true>[]>();
    for (const struct of [...store.clients.values()].flat()) {
      if (!(struct instanceof Y.Item) || struct.redone === null) continue;
      const { id, redone, length } = struct;
      const restored = inherited.get(redone.client) ?? [];
      restored.push({ clock: redone.clock, end: redone.clock + length, value: true });
      inherited.set(redone.client, restored);
      for (let offset = 0; offset < length; ) {
        const { value, end } = findValue(inserted, id.client, id.clock + offset);
        const next = Math.min(end - id.clock, length);
        const range = { clock: redone.clock + offset, end: redone.clock + next };
        if (value !== undefined) addRange(this.#get(value).inserted, redone.client, range);
        offset = next;
      }
    }
    for (const ranges of inherited.values()) ranges.sort((one, other) => one.clock - other.clock);
    this.#inherited = inherited;
  }

  #get(authorId: string): Written {
    const written = this.#authors.get(authorId) ?? { inserted: new Map(), deleted: new Map() };
    this.#authors.set(authorId, written);
    return written;
  }

  #add(authorId: string, { beforeState, afterState, deleteSet }: Y.Transaction): void {
    const { inserted, deleted } = this.#get(authorId);
    for (const [client, after] of afterState) {
      for (let clock = beforeState.get(client) ?? 0; clock < after; ) {
        const { value: isInherited, end } = findValue(this.#inherited, client, clock);
        const range = { clock, end: Math.min(end, after) };
        if (!isInherited) addRange(inserted, client, range);
        clock = range.end;
      }
    }
    for (const [client, items] of deleteSet.clients) {
      for (const { clock, len } of items) addRange(deleted, client, { clock, end: clock + len });
    }
  }

  /** Returns the attributions as bytes; null if there is none. */
  encode(): Uint8Array | null {
    if (this.#authors.size === 0) return null;
    const encoder = createEncoder();
    writeVarUint(encoder, this.#authors.size);
    for (const [authorId, { inserted, deleted }] of this.#authors) {
      writeVarString(encoder, authorId);
      writeRanges(encoder, inserted);
      writeRanges(encoder, deleted);
    }
    return toUint8Array(encoder);
  }

  /** Returns what was inserted or deleted by whom: for each client, ranges in the order of their clocks. */
  list(kind: keyof Written): ClockRanges<string> {
    const all = new Map<number, ClockRange<string>[]>();
    for (const [authorId, written] of this.#authors) {
      for (const [client, ranges] of written[kind]) {
        const attributed = all.get(client) ?? [];
        for (const range of ranges) attributed.push({ ...range, value: authorId });
        all.set(client, attributed);
      }
    }
    for (const ranges of all.values()) ranges.sort((one, other) => one.clock - other.clock);
    return all;
  }
}

function addRange(ranges: Ranges, client: number, range: Range): void {
  const known = ranges.get(client);
  const last = known?.at(-1);
  if (!known) ranges.set(client, [range]);
  else if (last?.end === range.clock) last.end = range.end;
  else known.push(range);
}

/** Sorts ranges and joins those that follow each other. */
function compact(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const { clock, end } of ranges.toSorted((one, other) => one.clock - other.clock)) {
    const last = joined.at(-1);
    if (last && clock <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ clock, end });
  }
  return joined;
}

function writeRanges(encoder: Encoder, all: Ranges): void {
  writeVarUint(encoder, all.size);
  for (const [client, ranges] of all) {
    const joined = compact(ranges);
    writeVarUint(encoder, client);
    writeVarUint(encoder, joined.length);
    let before = 0;
    for (const { clock, end } of joined) {
      writeVarUint(encoder, clock - before);
      writeVarUint(encoder, end - clock);
      before = end;
    }
  }
}

function readRanges(decoder: Decoder): Ranges {
  const all: Ranges = new Map();
  for (let clients = readVarUint(decoder); clients > 0; clients--) {
    const client = readVarUint(decoder);
    const ranges: Range[] = [];
    let before = 0;
    for (let count = readVarUint(decoder); count > 0; count--) {
      const clock = before + readVarUint(decoder);
      before = clock + readVarUint(decoder);
      ranges.push({ clock, end: before });
    }
    all.set(client, ranges);
  }
  return all;
}
