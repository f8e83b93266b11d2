import * as Y from "yjs";
import { isObject } from "../../json/is-object.ts";
import { type Filling, fillAfter } from "./filling.ts";
import { hasJson, toPlain } from "./plain-content.ts";
import { toJson } from "./read-json.ts";
import type { DiffBudget } from "./sequence-changes.ts";
import { changeSequence } from "./shared-sequence.ts";
import { changeText } from "./text-changes.ts";
import { getText } from "./text-content.ts";
import { changeXml } from "./xml-content.ts";

/** Converts objects to Y.Map and arrays to Y.Array at every depth. They stay empty until `filling` fills them. */
function toShared(value: unknown, filling: Filling): unknown {
  if (Array.isArray(value)) {
    const array = new Y.Array<unknown>();
    filling.later(() => array.insert(0, toSharedAll(value, filling)));
    return array;
  }
  if (!isObject(value)) return value;
  const map = new Y.Map<unknown>();
  filling.later(() => {
    for (const [key, item] of Object.entries(value)) map.set(key, toShared(item, filling));
  });
  return map;
}

function toSharedAll(values: unknown[], filling: Filling): unknown[] {
  return values.map((value) => toShared(value, filling));
}

/**
 * Changes a map key by key. A value whose JSON is the same stays, whatever its type is. Shared values stay and their
 * content changes.
 */
export function changeMap(shared: Y.Map<unknown>, to: object, budget: DiffBudget): void {
  for (const key of [...shared.keys()]) if (!Object.hasOwn(to, key)) shared.delete(key);
  for (const [key, value] of Object.entries(to)) {
    const before = shared.get(key);
    if (shared.has(key) && becomes(before, value, budget)) continue;
    fillAfter((filling) => shared.set(key, toPlain(before, value) ?? toShared(value, filling)));
  }
}

/** Changes an array. An item with the same `id`, or without `id` at the same place, stays and its content changes. */
export function changeArray(shared: Y.Array<unknown>, to: unknown[], budget: DiffBudget): void {
  /** Plain values that replace plain items, by what they are to be. */
  const plain = new Map<unknown, object>();
  changeSequence(
    {
      items: shared.toArray(),
      getToken,
      replace(index, removed, values) {
        if (values.length > 0) {
          const insert = (filling: Filling) => values.map((value) => plain.get(value) ?? toShared(value, filling));
          fillAfter((filling) => shared.insert(index, insert(filling)));
        }
        if (removed > 0) shared.delete(index + values.length, removed);
      },
    },
    {
      values: to,
      getToken,
      becomes(item, value, areEqual) {
        const id = getId(value);
        if (areEqual && id === undefined) return true;
        if (getId(item) !== id) return false;
        if (becomes(item, value, budget)) return true;
        const replacement = toPlain(item, value);
        if (replacement) plain.set(value, replacement);
        return false;
      },
    },
    budget,
  );
}

/** Changes the content of a value to have this JSON. Returns false if it has to be replaced. */
function becomes(shared: unknown, value: unknown, budget: DiffBudget): boolean {
  if (shared instanceof Y.Map && isObject(value)) changeMap(shared, value, budget);
  else if (shared instanceof Y.Array && Array.isArray(value)) changeArray(shared, value, budget);
  else if (shared instanceof Y.Text && typeof value === "string") changeText(shared, getText(shared), value, budget);
  else if (shared instanceof Y.XmlFragment && typeof value === "string") return changeXml(shared, value, budget);
  else return !(shared instanceof Y.AbstractType) && hasJson(shared, value);
  return true;
}

/** Returns a token of a value: the same for equal values, and for all objects with one `id`. */
function getToken(value: unknown): string {
  const id = getId(value);
  return id === undefined ? JSON.stringify(toJson(value), withSortedKeys) : `id ${id}`;
}

function getId(value: unknown): string | undefined {
  const id = value instanceof Y.Map ? value.get("id") : isObject(value) && Object.hasOwn(value, "id") && value.id;
  return typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
