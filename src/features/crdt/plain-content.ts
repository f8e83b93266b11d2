import { isObject } from "../../json/is-object.ts";
import { toJson } from "./read-json.ts";

/** Returns whether a value of a Yjs document is an object or array that is not shared. */
function isPlain(value: unknown): value is object {
  return Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
}

/** Returns whether a value that is not shared has this JSON. */
export function hasJson(value: unknown, json: unknown): boolean {
  return Object.is(mergePlain(value, json), value);
}

/**
 * Returns a plain value for `json` instead of a plain object or array, so that clients that wrote it can read it. What
 * the JSON does not change in it stays, such as bytes. Returns undefined if the value has to become a shared one.
 */
export function toPlain(value: unknown, json: unknown): object | undefined {
  if (!isPlain(value) || typeof json !== "object" || json === null) return undefined;
  // Yjs loses this key of plain objects.
  if (JSON.stringify(json).includes('"__proto__"')) return undefined;
  const merged = mergePlain(value, json);
  return isPlain(merged) ? merged : undefined;
}

/** Returns the value itself if it has this JSON, and otherwise the JSON with the values within it that have theirs. */
function mergePlain(value: unknown, json: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(json)) {
    const items = json.map((item, index) => (index < value.length ? mergePlain(value[index], item) : item));
    const isSame = items.length === value.length && items.every((item, index) => Object.is(item, value[index]));
    return isSame ? value : items;
  }
  if (isPlain(value) && isObject(json)) return mergeEntries(value, json);
  return isEqualScalar(value, json) ? value : json;
}

function mergeEntries(value: object, json: object): object {
  const before = new Map<string, unknown>(Object.entries(value));
  const after = Object.entries(json).map(([key, item]): [string, unknown] => [
    key,
    before.has(key) ? mergePlain(before.get(key), item) : item,
  ]);
  const isSame = after.length === before.size && after.every(([key, item]) => isEntry(before, key, item));
  return isSame ? value : Object.fromEntries(after);
}

function isEntry(entries: ReadonlyMap<string, unknown>, key: string, item: unknown): boolean {
  return entries.has(key) && Object.is(entries.get(key), item);
}

function isEqualScalar(value: unknown, json: unknown): boolean {
  if (typeof json === "object" && json !== null) return false;
  return value === json || (!isPlain(value) && JSON.stringify(toJson(value)) === JSON.stringify(json));
}
