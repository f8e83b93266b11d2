import type { PagePath } from "./api.generated.ts";
import { ColloquyError } from "./errors.ts";
import type { Path, RequestData } from "./request-data.ts";

const MIB = 1024 * 1024;
/** Maximum number of values in a body: objects, lists, strings, numbers, booleans and nulls. */
const MAX_VALUES = 100_000;
/** Number of items that every list of records may have. */
const MAX_ITEMS = 500;

/** A field of a request that is a list. */
export type ListField<P extends Path> = {
  [Field in keyof RequestData<P>]-?: NonNullable<RequestData<P>[Field]> extends readonly unknown[] ? Field : never;
}[keyof RequestData<P>];

/**
 * Splits a request with a long list into several. Each has as many of the next items as the size of a body allows, and
 * `maxItems` at most. An item that is too large gets a request of its own, whose call fails.
 */
export function splitRequest<P extends Path>(
  path: P,
  data: RequestData<P>,
  field: ListField<P>,
  maxItems?: number,
): RequestData<P>[];
export function splitRequest<P extends PagePath>(
  path: P,
  data: RequestData<P, "page">,
  field: ListField<P>,
  maxItems?: number,
): RequestData<P, "page">[];
export function splitRequest<P extends Path>(
  path: P,
  data: RequestData<P>,
  field: ListField<P>,
  maxItems: number = MAX_ITEMS,
): RequestData<P>[] {
  const rest = measure({ data: { ...data, [field]: [] } });
  const maxBytes = getMaxBytes(path) - rest.bytes;
  const maxValues = MAX_VALUES - rest.values;
  const parts: unknown[][] = [];
  let [bytes, values] = [0, 0];
  for (const item of getList(data, field)) {
    const size = measure(item);
    bytes += size.bytes + ",".length;
    values += size.values;
    const part = parts.at(-1);
    if (part && part.length < maxItems && bytes <= maxBytes && values <= maxValues) part.push(item);
    else {
      parts.push([item]);
      bytes = size.bytes;
      values = size.values;
    }
  }
  return parts.map((part) => ({ ...data, [field]: part }));
}

/** Throws the error of the service for a body beyond its limit, without the upload and with the remedy. */
export function assertBodySize(path: Path, body: string): void {
  const bytes = getByteLength(body);
  const maxBytes = getMaxBytes(path);
  if (bytes <= maxBytes) return;
  const message =
    `The body has ${bytes} bytes, and ${path} takes ${maxBytes / MIB} MiB at most. ` +
    "Split its list into several requests with `splitRequest`.";
  throw new ColloquyError("INVALID_ARGUMENT", { message, details: { reason: "body_too_large" } });
}

/** Returns the maximum size of a body. The service handles the content of collaborative documents in threads. */
function getMaxBytes(path: Path): number {
  return (path === "/v2/crdt/add" || path === "/v2/crdt/update" ? 10 : 2) * MIB;
}

/** Casts the value of a field that is a list by its type. */
function getList<P extends Path>(data: RequestData<P>, field: ListField<P>): readonly unknown[] {
  return (data[field] ?? []) as readonly unknown[];
}

/** Returns the size of a value as JSON, and the number of values in it. */
function measure(value: unknown): { bytes: number; values: number } {
  let values = 0;
  const text = JSON.stringify(value, (_, inner) => {
    values += 1;
    return inner;
  });
  return { bytes: getByteLength(text), values };
}

function getByteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
