/** Why a document cannot be made what it is asked to be. Plain, so that it can come from another thread. */
export interface Fault {
  status: "INVALID_ARGUMENT" | "FAILED_PRECONDITION";
  /** Such as `data.data.items[3]`. */
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

/** For data that a Yjs document cannot hold, or cannot hold as it is. */
export function dataFault(path: string, message: string): DocumentFault {
  return new DocumentFault({ status: "INVALID_ARGUMENT", path, message });
}

const MAX_VALUES = 250_000;

/** Counts what Yjs keeps one by one: objects, arrays and the values in them, or XML elements, attributes and texts. */
export class ValueCount {
  #count = 0;

  add(count: number): void {
    this.#count += count;
    if (this.#count <= MAX_VALUES) return;
    const limit = MAX_VALUES.toLocaleString("en");
    throw dataFault("data.data", `must hold at most ${limit} values, or elements, attributes and texts`);
  }
}
