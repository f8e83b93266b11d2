import { Piscina } from "piscina";
import * as Y from "yjs";
import { unavailable } from "../../../contract/errors.ts";
import { MAX_DOCUMENT_STRUCTS } from "../yjs-document.ts";
import { SyncError } from "./sync-caller.ts";
import { type Anchor, countValues, MAX_DEPTH, measureUpdate, type UpdateMeasure } from "./update-measure.ts";

const MIB = 1024 * 1024;
const MAX_UPDATE_BYTES = MIB;
const MAX_DOCUMENT_BYTES = 10 * MIB;
const MAX_VALUES = 250_000;
/** Each change of a document takes 3 µs for each client that has ever written to it. */
const MAX_CLIENTS = 10_000;
/** Maximum number of pieces that one update may delete, at 10 µs each. */
const MAX_NEW_DELETIONS = 5_000;
/** Maximum number of structs that one update may move, at 0.2 ns each. Splitting one moves those after it. */
const MAX_MOVED_STRUCTS = 100_000_000;
/**
 * Maximum size of what a document holds back because earlier updates are missing. A page that was offline may send what
 * its user types before the rest.
 */
const MAX_PENDING_BYTES = 64 * 1024;

/** Maximum size of an update that is measured without a thread: 5 ms at most. */
const MAX_INLINE_BYTES = 4 * 1024;
const THREAD_IDLE_MS = 60_000;

/** An update without content, which a client sends that has nothing new. */
const EMPTY_UPDATE_BYTES = 2;

const threads = new Piscina<Uint8Array, ReturnType<typeof measureUpdate>>({
  filename: new URL("./update-measure-thread.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: THREAD_IDLE_MS,
});

export function isEmptyUpdate(update: Uint8Array): boolean {
  return update.length === EMPTY_UPDATE_BYTES && update.every((byte) => byte === 0);
}

/** Measures an update of a client without blocking the event loop for long. Throws SyncError if it is too large. */
export async function measureWithoutBlocking(update: Uint8Array): Promise<UpdateMeasure> {
  if (update.length > MAX_UPDATE_BYTES) throw new SyncError("update_too_large");
  const measure = update.length <= MAX_INLINE_BYTES ? measureUpdate(update) : await threads.run(update);
  if (typeof measure === "string") throw new SyncError(measure);
  return measure;
}

/** Returns whether a document has all of an update. */
export function isKnown(document: Y.Doc, { ends, deletions }: UpdateMeasure): boolean {
  for (const [client, end] of ends) if (Y.getState(document.store, client) < end) return false;
  return countNewDeletions(document, deletions, 1) === 0;
}

/**
 * Size of an open document: upper bounds, to which each update adds, and which are measured again only when they pass a
 * limit. Measuring takes as long as writing the whole document.
 */
export class DocumentSize {
  readonly #document: Y.Doc;
  #bytes = Number.POSITIVE_INFINITY;
  #values = Number.POSITIVE_INFINITY;
  #structs = Number.POSITIVE_INFINITY;

  constructor(document: Y.Doc) {
    this.#document = document;
  }

  /** Adds the size of an update. Throws SyncError if the document must not take it, or ServiceError if not yet. */
  add(update: Uint8Array, measure: UpdateMeasure): void {
    const deletions = countNewDeletions(this.#document, measure.deletions, MAX_NEW_DELETIONS);
    if (deletions > MAX_NEW_DELETIONS || this.#countMoved(measure) > MAX_MOVED_STRUCTS || this.#isTooDeep(measure)) {
      throw new SyncError("update_too_large");
    }
    if (!this.#isComplete(measure) && getPendingBytes(this.#document) + update.length > MAX_PENDING_BYTES) {
      throw unavailable("conflict", "Updates before this one are missing. Synchronize the document again.");
    }
    // A deletion splits a struct into three at most.
    const added = { bytes: update.length, values: measure.values, structs: measure.structs + 2 * deletions };
    if (!this.#fits(added)) this.#measure();
    if (!this.#fits(added) || this.#countClients(measure) > MAX_CLIENTS) throw new SyncError("document_too_large");
    this.#bytes += added.bytes;
    this.#values += added.values;
    this.#structs += added.structs;
  }

  /** Adds the size of an update that the document has taken from others. */
  addTaken(update: Uint8Array): void {
    const measure = update.length <= MAX_INLINE_BYTES ? measureUpdate(update) : "update_too_large";
    if (typeof measure === "string") this.forget();
    else {
      this.#bytes += update.length;
      this.#values += measure.values;
      this.#structs += measure.structs + 2 * measure.deletions.length;
    }
  }

  /** Forgets the size, because the document has taken what was not measured here. */
  forget(): void {
    this.#bytes = Number.POSITIVE_INFINITY;
    this.#values = Number.POSITIVE_INFINITY;
    this.#structs = Number.POSITIVE_INFINITY;
  }

  #fits({ bytes, values, structs }: { bytes: number; values: number; structs: number }): boolean {
    if (this.#bytes + bytes > MAX_DOCUMENT_BYTES || this.#values + values > MAX_VALUES) return false;
    return this.#structs + structs <= MAX_DOCUMENT_STRUCTS;
  }

  #measure(): void {
    this.#bytes = Y.encodeStateAsUpdate(this.#document).length;
    this.#values = 0;
    this.#structs = 0;
    for (const structs of this.#document.store.clients.values()) {
      this.#values += countValues(structs) ?? Number.POSITIVE_INFINITY;
      this.#structs += structs.length;
    }
  }

  #countClients({ ends }: UpdateMeasure): number {
    const { clients } = this.#document.store;
    let added = 0;
    for (const client of ends.keys()) if (!clients.has(client)) added++;
    return added === 0 ? 0 : clients.size + added;
  }

  /** Counts the structs that are moved because others are split. */
  #countMoved({ splits }: UpdateMeasure): number {
    let count = 0;
    for (const [client, clocks] of splits) {
      const structs = this.#document.store.clients.get(client) ?? [];
      const end = Y.getState(this.#document.store, client);
      for (const clock of clocks) {
        if (clock < end && structs[Y.findIndexSS(structs, clock)]?.id.clock !== clock) count += structs.length;
      }
    }
    return count;
  }

  /** Returns whether the document has everything that the update builds on. */
  #isComplete({ needs, isOrdered }: UpdateMeasure): boolean {
    for (const [client, clock] of needs) if (Y.getState(this.#document.store, client) < clock) return false;
    return isOrdered;
  }

  #isTooDeep({ nestings }: UpdateMeasure): boolean {
    return nestings.some(({ anchor, depth }) => this.#countTypesAround(anchor) + depth > MAX_DEPTH);
  }

  /** Counts the types around structs that an anchor stands for. */
  #countTypesAround({ id, is }: Anchor): number {
    const { store } = this.#document;
    if (Y.getState(store, id.client) <= id.clock) return 0;
    const item: unknown = Y.getItem(store, id);
    if (!(item instanceof Y.Item)) return 0;
    let count = is === "parent" ? 1 : 0;
    let around: unknown = item.parent;
    while (around instanceof Y.AbstractType && around._item) {
      count++;
      around = around._item.parent;
    }
    return count;
  }
}

function getPendingBytes({ store }: Y.Doc): number {
  return (store.pendingStructs?.update.length ?? 0) + (store.pendingDs?.length ?? 0);
}

/** Counts the ranges with something that the document has not deleted yet, up to one more than a maximum. */
function countNewDeletions({ store }: Y.Doc, deletions: UpdateMeasure["deletions"], max: number): number {
  let count = 0;
  for (const { client, clock, len } of deletions) {
    const structs = store.clients.get(client);
    const end = clock + len;
    if (!structs || Y.getState(store, client) < end) count++;
    else {
      let index = Y.findIndexSS(structs, clock);
      while (structs[index]?.deleted && (structs[index + 1]?.id.clock ?? end) < end) index++;
      if (!structs[index]?.deleted) count++;
    }
    if (count > max) break;
  }
  return count;
}
