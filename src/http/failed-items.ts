import type { Operation } from "../contract/operation.ts";
import { isObject } from "../json/is-object.ts";

/** Items of a response that failed. */
export interface FailedItems {
  /** Whether no item succeeded. */
  isEvery: boolean;
  /** Message of the first one, behind how many failed if it is not the only item. */
  message: string;
}

/** Returns the function that finds the failed items of the operation's responses; undefined if they have no items. */
export function failedItemsFinder({
  response,
}: Operation): ((response: unknown) => FailedItems | undefined) | undefined {
  const schema: unknown = response;
  if (!isObject(schema)) return undefined;
  if (isItem(schema)) return (item) => findFailed([item]);
  const patterns = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  if (!patterns.some(isItem)) return undefined;
  return (items) => findFailed(Object.values(Object(items)));
}

/** Returns the number of items, by ID, that succeeded. */
export function countSucceeded(items: unknown): number {
  return Object.values(Object(items)).filter((item) => isObject(item) && item.success === true).length;
}

function isItem(schema: unknown): boolean {
  return isObject(schema) && isObject(schema.properties) && "success" in schema.properties;
}

function findFailed(items: unknown[]): FailedItems | undefined {
  let failed = 0;
  let message = "";
  for (const item of items) {
    if (!isObject(item) || item.success !== false) continue;
    if (failed === 0) message = String(item.message ?? "");
    failed++;
  }
  if (failed === 0) return undefined;
  const all = items.length;
  return { isEvery: failed === all, message: all === 1 ? message : `${failed} of ${all} items failed: ${message}` };
}
