import { isObject } from "../../json/is-object.ts";

/** Maximum depth that is read: JSON texts are read and written by recursion. */
const MAX_DEPTH = 256;

/** Returns what a shared value holds as an array or as entries, its JSON, or undefined if the value is not shared. */
export type ReadShared = (value: object) => { items: unknown[] } | { entries: [string, unknown][] } | { json: unknown };

/**
 * Converts a value to JSON. Clients may also write what JSON cannot hold: bytes become Base64, large integers strings,
 * and deeper values null. `readShared` reads objects of other classes.
 */
export function plainJson(value: unknown, readShared: ReadShared, depth = 0): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (depth === MAX_DEPTH) return null;
  const convert = (item: unknown) => plainJson(item, readShared, depth + 1);
  if (Array.isArray(value)) return value.map(convert);
  const isPlain = Object.getPrototypeOf(value) === Object.prototype && isObject(value);
  const read = isPlain ? { entries: Object.entries(value) } : readShared(value);
  if ("json" in read) return read.json;
  if ("items" in read) return read.items.map(convert);
  return Object.fromEntries(read.entries.map(([key, item]) => [key, convert(item)]));
}
