import * as Y from "yjs";

const MIB = 1024 * 1024;
const MAX_UPDATE_BYTES = MIB;
const MAX_DOCUMENT_BYTES = 10 * MIB;
const MAX_VALUES = 250_000;

/** Reason with which an update is rejected. */
export type UpdateRejection = "update_invalid" | "update_too_large" | "document_too_large";

/** An update without content, which a client sends that has nothing new. */
const EMPTY_UPDATE_BYTES = 2;

export function isEmptyUpdate(update: Uint8Array): boolean {
  return update.length === EMPTY_UPDATE_BYTES && update.every((byte) => byte === 0);
}

/** Counts the values of structs. What was deleted does not count. */
function countValues(structs: readonly (Y.Item | Y.GC | Y.Skip)[]): number {
  let count = 0;
  for (const struct of structs) {
    if (!(struct instanceof Y.Item) || struct.deleted) continue;
    count += struct.content instanceof Y.ContentAny ? struct.content.arr.length : 1;
  }
  return count;
}

/**
 * Size of an open document: upper bounds, to which each update adds, and which are measured again only when they pass a
 * limit. Measuring takes as long as writing the whole document.
 */
export class DocumentSize {
  readonly #document: Y.Doc;
  #bytes = Number.POSITIVE_INFINITY;
  #values = Number.POSITIVE_INFINITY;

  constructor(document: Y.Doc) {
    this.#document = document;
  }

  /** Adds the size of an update, or returns the error if the document must not take it. */
  tryAdd(update: Uint8Array): UpdateRejection | undefined {
    if (update.length > MAX_UPDATE_BYTES) return "update_too_large";
    const values = countUpdateValues(update);
    if (values === undefined) return "update_invalid";
    if (this.#bytes + update.length > MAX_DOCUMENT_BYTES || this.#values + values > MAX_VALUES) this.#measure();
    if (this.#bytes + update.length > MAX_DOCUMENT_BYTES || this.#values + values > MAX_VALUES)
      return "document_too_large";
    this.#bytes += update.length;
    this.#values += values;
    return undefined;
  }

  /** Adds an update that another process has taken. */
  add(update: Uint8Array): void {
    this.#bytes += update.length;
    this.#values += countUpdateValues(update) ?? 0;
  }

  /** Forgets the size, because the document has taken a state, of which the size is not known. */
  forget(): void {
    this.#bytes = Number.POSITIVE_INFINITY;
    this.#values = Number.POSITIVE_INFINITY;
  }

  #measure(): void {
    this.#bytes = Y.encodeStateAsUpdate(this.#document).length;
    this.#values = 0;
    for (const structs of this.#document.store.clients.values()) this.#values += countValues(structs);
  }
}

/** Returns the number of values in an update, or undefined if Yjs cannot read it. */
function countUpdateValues(update: Uint8Array): number | undefined {
  try {
    return countValues(Y.decodeUpdate(update).structs);
  } catch {
    return undefined;
  }
}
