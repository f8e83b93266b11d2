import { formatCount } from "../../config/format-limit.ts";
import { REQUEST_LIMITS } from "../../config/limits.ts";

/** Reason why a Yjs document cannot take the data. A plain object, so that it can come from another thread. */
export interface DocumentErrorDetails {
  reason: "field_invalid" | "document_too_large" | "state_mismatch";
  /** Path of the value, such as `data.data.items[3]`. */
  path: string;
  message: string;
}

export class DocumentError extends Error {
  readonly error: DocumentErrorDetails;

  constructor(error: DocumentErrorDetails) {
    super(`${error.path} ${error.message}`);
    this.error = error;
  }
}

/** Returns the error for data that a Yjs document cannot hold unchanged. */
export function createDataError(path: string, message: string): DocumentError {
  return new DocumentError({ reason: "field_invalid", path, message });
}

const MAX_XML_VALUES = REQUEST_LIMITS.xmlValues;

/** Counts the elements, attributes and texts of XML. The body of a request limits the values of other data. */
export class XmlCount {
  #count = 0;

  add(count: number): void {
    this.#count += count;
    if (this.#count <= MAX_XML_VALUES) return;
    const limit = formatCount(MAX_XML_VALUES);
    throw createDataError("data.data", `must hold at most ${limit} elements, attributes and texts`);
  }
}
