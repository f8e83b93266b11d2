/** Reason why a document cannot take the data. A plain object, so that it can come from another thread. */
export interface Fault {
  reason: "field_invalid" | "document_too_large";
  /** Path of the value, such as `data.data.items[3]`. */
  path: string;
  message: string;
}

export class DocumentFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`${fault.path} ${fault.message}`);
    this.fault = fault;
  }
}

/** Returns the fault of data that a Yjs document cannot hold unchanged. */
export function dataFault(path: string, message: string): DocumentFault {
  return new DocumentFault({ reason: "field_invalid", path, message });
}

const MAX_VALUES = 250_000;

/** Counts what Yjs stores separately: objects, arrays and their values, or XML elements, attributes and texts. */
export class ValueCount {
  #count = 0;

  add(count: number): void {
    this.#count += count;
    if (this.#count <= MAX_VALUES) return;
    const limit = MAX_VALUES.toLocaleString("en");
    throw dataFault("data.data", `must hold at most ${limit} values, or elements, attributes and texts`);
  }
}
