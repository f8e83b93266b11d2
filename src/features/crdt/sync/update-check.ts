import * as Y from "yjs";
import { ServiceError, unavailable } from "../../../contract/errors.ts";
import type { Member } from "../../../database/fair-semaphore.ts";
import { MAX_DOCUMENT_STRUCTS } from "../yjs-document.ts";
import { FairThread } from "./fair-thread.ts";
import { SyncError } from "./sync-caller.ts";
import {
  type Anchor,
  countValues,
  type Deletion,
  MAX_DEPTH,
  measureUpdate,
  type UpdateMeasure,
} from "./update-measure.ts";
import type { splitUpdate } from "./update-split.ts";

const MIB = 1024 * 1024;
const MAX_UPDATE_BYTES = MIB;
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
/** Memory limit of the thread that splits updates. */
const MAX_SPLIT_MEGABYTES = 512;

/** An update without content, which a client sends that has nothing new. */
const EMPTY_UPDATE_BYTES = 2;

const measuring = new FairThread<ReturnType<typeof measureUpdate>>("features/crdt/sync/update-measure-thread");

/** Splits what pages synchronize after long offline work. Has a limit, because it may be millions of structs. */
const splitting = new FairThread<ReturnType<typeof splitUpdate>>(
  "features/crdt/sync/update-split-thread",
  MAX_SPLIT_MEGABYTES,
);

export function isEmptyUpdate(update: Uint8Array): boolean {
  return update.length === EMPTY_UPDATE_BYTES && update.every((byte) => byte === 0);
}

/**
 * Measures an update of a client without blocking the event loop for long. Large ones take turns by sender. Throws
 * SyncError if it is too large.
 */
export async function measureWithoutBlocking(update: Uint8Array, sender: Member): Promise<UpdateMeasure> {
  if (update.length > MAX_UPDATE_BYTES) throw new SyncError("update_too_large");
  const measure = update.length <= MAX_INLINE_BYTES ? measureUpdate(update) : await measuring.run(update, sender);
  if (typeof measure === "string") throw new SyncError(measure);
  return measure;
}

export interface MeasuredUpdate {
  update: Uint8Array;
  measure: UpdateMeasure;
}

/** Splits an update without blocking the event loop for long. Throws SyncError if that is impossible. */
export async function splitWithoutBlocking(update: Uint8Array, sender: Member): Promise<MeasuredUpdate[]> {
  const parts = await splitting.run(update, sender).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error;
    return undefined;
  });
  if (!parts) throw new SyncError("update_too_large");
  const measured: MeasuredUpdate[] = [];
  for (const part of parts) measured.push({ update: part, measure: await measureWithoutBlocking(part, sender) });
  return measured;
}

/** Returns whether a document has all of an update. */
export function isKnown(document: Y.Doc, { ends, deletions }: UpdateMeasure): boolean {
  for (const [client, end] of ends) if (Y.getState(document.store, client) < end) return false;
  return findNewDeletions(document, deletions, 0).length === 0;
}

/** Numbers that are limited for a document. */
interface Size {
  bytes: number;
  values: number;
  structs: number;
  clients: number;
  deletions: number;
}

const MAX_SIZE: Size = {
  bytes: 10 * MIB,
  values: 250_000,
  structs: MAX_DOCUMENT_STRUCTS,
  // Each change takes 3 µs for each client that has ever written to the document.
  clients: 10_000,
  // Ranges of deleted values. Each page that opens the document sends those that it knows.
  deletions: 50_000,
};
const NUMBERS = ["bytes", "values", "structs", "clients", "deletions"] as const;
const NOTHING: Size = { bytes: 0, values: 0, structs: 0, clients: 0, deletions: 0 };

function sum(one: Size, other: Size): Size {
  const total = { ...one };
  for (const name of NUMBERS) total[name] += other[name];
  return total;
}

/** An update that was added to the size of a document, which has not applied it yet. */
export interface AddedUpdate {
  size: Size;
  /** Bytes that the document may hold back. */
  pendingBytes: number;
}

/**
 * Size of an open document: upper bounds, to which each update adds, and which are measured again only when they pass a
 * limit. Measuring takes as long as writing the whole document.
 */
export class DocumentSize {
  readonly #document: Y.Doc;
  /** Undefined if the document has taken what was not measured. */
  #size: Size | undefined;
  readonly #inProgress = new Set<AddedUpdate>();

  constructor(document: Y.Doc) {
    this.#document = document;
  }

  /**
   * Adds the size of an update. `end` must be called once the update is applied or has failed. Throws SyncError if the
   * document must not take it, or ServiceError if not yet.
   */
  add(update: Uint8Array, measure: UpdateMeasure): AddedUpdate {
    const deletions = findNewDeletions(this.#document, measure.deletions, MAX_NEW_DELETIONS);
    const isTooLarge = deletions.length > MAX_NEW_DELETIONS || this.#countMoved(measure, deletions) > MAX_MOVED_STRUCTS;
    if (isTooLarge || this.#isTooDeep(measure)) throw new SyncError("update_too_large");
    const pendingBytes = this.#isComplete(measure) ? 0 : this.#reservePending(update, measure);
    const size = this.#getSize(update, measure, deletions.length);
    const growth = measure.onlyDeletes ? this.#getGrowth(size, measure, deletions) : size;
    if (!this.#hasRoomFor(growth)) this.#measure();
    if (!this.#hasRoomFor(growth)) throw new SyncError("document_too_large");
    if (this.#size) this.#size = sum(this.#size, size);
    const added = { size, pendingBytes };
    this.#inProgress.add(added);
    return added;
  }

  end(added: AddedUpdate): void {
    this.#inProgress.delete(added);
  }

  /** Adds the size of an update from the log. */
  addLogged(update: Uint8Array): void {
    const measure = update.length <= MAX_INLINE_BYTES ? measureUpdate(update) : "update_too_large";
    if (typeof measure === "string" || !this.#size) this.invalidate();
    else this.#size = sum(this.#size, this.#getSize(update, measure, measure.deletions.length));
  }

  /** Forgets the size, because the document has taken what was not measured here. */
  invalidate(): void {
    this.#size = undefined;
  }

  #hasRoomFor(added: Size): boolean {
    const size = this.#size && sum(this.#size, added);
    // A page that has written before may go on, whatever the number of clients.
    return size !== undefined && NUMBERS.every((name) => size[name] <= MAX_SIZE[name] || added[name] === 0);
  }

  #getSize(update: Uint8Array, { values, structs, ends }: UpdateMeasure, deletions: number): Size {
    const clients = ends.keys().filter((client) => !this.#document.store.clients.has(client));
    // A deletion splits a struct into three at most.
    return {
      bytes: update.length,
      values,
      structs: structs + 2 * deletions,
      clients: [...clients].length,
      deletions,
    };
  }

  /** Returns by how much an update that only deletes makes a document larger, which may be full. */
  #getGrowth(size: Size, { structs }: UpdateMeasure, deletions: readonly Deletion[]): Size {
    const ranges = deletions.reduce((count, deletion) => count + countNewRanges(this.#document.store, deletion), 0);
    return { ...size, bytes: 0, values: 0, structs, deletions: Math.max(0, ranges) };
  }

  #measure(): void {
    const size = { ...NOTHING, bytes: Y.encodeStateAsUpdate(this.#document).length };
    for (const structs of this.#document.store.clients.values()) {
      size.values += countValues(structs) ?? Number.POSITIVE_INFINITY;
      size.structs += structs.length;
      size.clients++;
      let wasDeleted = false;
      for (const { deleted } of structs) {
        if (deleted && !wasDeleted) size.deletions++;
        wasDeleted = deleted;
      }
    }
    this.#size = this.#inProgress.values().reduce((total, added) => sum(total, added.size), size);
  }

  /** Returns the bytes of an update that the document will hold back. Throws if it must not. */
  #reservePending(update: Uint8Array, { nestings }: UpdateMeasure): number {
    const { store } = this.#document;
    const pending = (store.pendingStructs?.update.length ?? 0) + (store.pendingDs?.length ?? 0);
    const inProgress = this.#inProgress.values().reduce((bytes, { pendingBytes }) => bytes + pendingBytes, 0);
    // The types around what is missing cannot be counted.
    const hasUnknownDepth = nestings.some(({ anchor: { id } }) => Y.getState(store, id.client) <= id.clock);
    if (hasUnknownDepth || pending + inProgress + update.length > MAX_PENDING_BYTES) {
      throw unavailable("conflict", "Updates before this one are missing. Synchronize the document again.");
    }
    return update.length;
  }

  /** Counts the structs that are moved because others are split. */
  #countMoved({ splits }: UpdateMeasure, deletions: readonly Deletion[]): number {
    const { store } = this.#document;
    let count = 0;
    for (const [client, clocks] of splits) {
      const structs = store.clients.get(client) ?? [];
      const end = Y.getState(store, client);
      for (const clock of clocks) {
        if (clock < end && structs[Y.findIndexSS(structs, clock)]?.id.clock !== clock) count += structs.length;
      }
    }
    for (const { client } of deletions) count += 2 * (store.clients.get(client)?.length ?? 0);
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

/** Returns the ranges with something that the document has not deleted yet, up to one more than a maximum. */
function findNewDeletions({ store }: Y.Doc, deletions: readonly Deletion[], max: number): Deletion[] {
  const found: Deletion[] = [];
  for (const deletion of deletions) {
    if (!isDeleted(store, deletion)) found.push(deletion);
    if (found.length > max) break;
  }
  return found;
}

function isDeleted(store: Y.Doc["store"], { client, clock, len }: Deletion): boolean {
  const structs = store.clients.get(client);
  const end = clock + len;
  if (!structs || Y.getState(store, client) < end) return false;
  let index = Y.findIndexSS(structs, clock);
  while (structs[index]?.deleted && (structs[index + 1]?.id.clock ?? end) < end) index++;
  return structs[index]?.deleted ?? false;
}

/** Returns by how many the ranges of deleted values become more, or fewer if a deletion joins them. */
function countNewRanges(store: Y.Doc["store"], { client, clock, len }: Deletion): number {
  const structs = store.clients.get(client) ?? [];
  const before = Math.max(0, clock - 1);
  if (Y.getState(store, client) <= before) return 1;
  let joined = 0;
  let wasDeleted = false;
  for (let index = Y.findIndexSS(structs, before); ; index++) {
    const struct = structs[index];
    if (!struct || struct.id.clock > clock + len) return 1 - joined;
    if (struct.deleted && !wasDeleted) joined++;
    wasDeleted = struct.deleted;
  }
}
