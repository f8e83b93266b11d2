import { nextTurn } from "./next-turn.ts";

/** Number of characters of texts after which work yields to the event loop. Usual requests have fewer. */
const TURN_LENGTH = 256 * 1024;

/**
 * Replaces the record of each row by its JSON text. A request may change 500 stored records, each of which has as many
 * fields as a body may have, so other requests have a turn between large ones.
 */
export async function withTexts<Row extends { record: object }>(
  rows: readonly Row[],
): Promise<(Omit<Row, "record"> & { record: string })[]> {
  const written: (Omit<Row, "record"> & { record: string })[] = [];
  let length = 0;
  for (const row of rows) {
    if (length > TURN_LENGTH) {
      await nextTurn();
      length = 0;
    }
    const record = JSON.stringify(row.record);
    length += record.length;
    written.push({ ...row, record });
  }
  return written;
}

/** Fields that are not stored. JSON texts have no fields that are undefined. */
export type OmittedFields = Readonly<Record<string, undefined>>;

/** Replaces fields of records, which are texts, and leaves out the omitted ones. Large records are merged in turns. */
export async function mergeFields(
  updates: readonly { id: string; record: string; fields: object }[],
  omitted: OmittedFields = {},
): Promise<{ id: string; record: string }[]> {
  const merged: { id: string; record: string }[] = [];
  let length = 0;
  for (const { id, record, fields } of updates) {
    if (length > TURN_LENGTH) {
      await nextTurn();
      length = 0;
    }
    const text = JSON.stringify({ ...parseRecord(record), ...fields, ...omitted });
    length += record.length + text.length;
    merged.push({ id, record: text });
  }
  return merged;
}

/** Parses the text of a record. */
export function parseRecord(record: string): object {
  return JSON.parse(record);
}

/** Returns whether two JSON values are equal, in any order of their fields. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const names = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) => Object.hasOwn(other, name) && areEqual(Reflect.get(one, name), Reflect.get(other, name)),
  );
}

/** Returns the number of characters and values of a value. Stops counting above the limit. */
export function lengthOf(value: unknown, limit = Infinity): number {
  if (typeof value === "string") return 1 + value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 1;
  for (const name in value) {
    length += (Array.isArray(value) ? 0 : name.length) + lengthOf(Reflect.get(value, name), limit - length);
    if (length > limit) break;
  }
  return length;
}
