import { createDecoder, type Decoder, readVarString, readVarUint } from "lib0/decoding";
import { createEncoder, type Encoder, toUint8Array, writeVarString, writeVarUint } from "lib0/encoding";
import * as Y from "yjs";
import { type ClockRange, type ClockRanges, findValue } from "./comparison/clock-ranges.ts";

type Range = Omit<ClockRange<never>, "value">;

type Ranges = Map<number, Range[]>;

type Claims = ClockRanges<string | null>;

/** What one author inserted and deleted, by Yjs client. */
interface Written {
  inserted: Ranges;
  deleted: Ranges;
}

/** Who inserted and deleted what in a Yjs document. The first author of a value stays: nobody takes it over. */
export class Attributions {
  readonly #authors = new Map<string, Written>();
  /** Values that others have written than the author of the transaction that adds them; null if they have authors. */
  #others: Claims = new Map();
  /** Authors of deletions that wait for what they delete; null if unknown. */
  #deleters: Claims = new Map();

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
    const add = (transaction: Y.Transaction) => this.#add(authorId, transaction);
    document.on("afterTransaction", add);
    try {
      work();
    } finally {
      document.off("afterTransaction", add);
      this.claimPending(document, authorId);
    }
  }

  /**
   * Attributes what the document holds back, because earlier updates are missing, to its author; null if that is
   * unknown. Otherwise whoever sends the missing update would become the author.
   */
  claimPending({ store: { pendingStructs, pendingDs } }: Y.Doc, authorId: string | null): void {
    if (pendingStructs) {
      const { structs } = Y.decodeUpdateV2(pendingStructs.update);
      const held = structs.filter((struct) => !(struct instanceof Y.Skip));
      const ranges = held.map(({ id: { client, clock }, length }) => ({ client, clock, end: clock + length }));
      this.#others = claim(this.#others, ranges, authorId);
    }
    if (pendingDs) {
      const { clients } = Y.decodeUpdateV2(pendingDs).ds;
      const ranges = [...clients].flatMap(([client, items]) =>
        items.map(({ clock, len }) => ({ client, clock, end: clock + len })),
      );
      this.#deleters = claim(this.#deleters, ranges, authorId);
    }
  }

  /** Attributes the values that an undo has restored in a document to those who had inserted them. */
  inherit({ store }: Y.Doc): void {
    const inserted = this.list("inserted");
    const inherited = new Map<number, ClockRange<null>[]>();
    for (const struct of [...store.clients.values()].flat()) {
      if (!(struct instanceof Y.Item) || struct.redone === null) continue;
      const { id, redone, length } = struct;
      const restored = inherited.get(redone.client) ?? [];
      restored.push({ clock: redone.clock, end: redone.clock + length, value: null });
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
    this.#others = inherited;
  }

  #get(authorId: string): Written {
    const written = this.#authors.get(authorId) ?? { inserted: new Map(), deleted: new Map() };
    this.#authors.set(authorId, written);
    return written;
  }

  #add(authorId: string | null, { beforeState, afterState, deleteSet }: Y.Transaction): void {
    for (const [client, after] of afterState) {
      const range = { clock: beforeState.get(client) ?? 0, end: after };
      this.#addRange({ kind: "inserted", claims: this.#others, client, range }, authorId);
    }
    for (const [client, items] of deleteSet.clients) {
      for (const { clock, len } of items) {
        const range = { clock, end: clock + len };
        this.#addRange({ kind: "deleted", claims: this.#deleters, client, range }, authorId);
      }
    }
  }

  /** Attributes a range to those who have claimed parts of it, and the rest to the author. */
  #addRange(
    { kind, claims, client, range }: { kind: keyof Written; claims: Claims; client: number; range: Range },
    authorId: string | null,
  ): void {
    for (let { clock } = range; clock < range.end; ) {
      const { value = authorId, end } = findValue(claims, client, clock);
      const part = { clock, end: Math.min(end, range.end) };
      if (value !== null) addRange(this.#get(value)[kind], client, part);
      clock = part.end;
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

/** Returns the claims with those of an author to what nobody has claimed. */
function claim(claims: Claims, ranges: readonly (Range & { client: number })[], authorId: string | null): Claims {
  const all = new Map([...claims].map(([client, claimed]) => [client, [...claimed]]));
  for (const { client, clock: first, end: last } of ranges) {
    const claimed = all.get(client) ?? [];
    for (let clock = first; clock < last; ) {
      const { value, end } = findValue(claims, client, clock);
      const part = { clock, end: Math.min(end, last) };
      if (value === undefined) claimed.push({ ...part, value: authorId });
      clock = part.end;
    }
    all.set(client, claimed);
  }
  for (const claimed of all.values()) claimed.sort((one, other) => one.clock - other.clock);
  return all;
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
