/** Number of characters of the records that one statement writes: merging and encoding them takes some 20 ms. */
const PART_LENGTH = 1024 * 1024;

/**
 * Yields the rows in parts that end with the row that reaches `maxSize`, by default a mebibyte of text. A request may
 * change 500 stored records, each as large as a body may be: other requests are served between two parts.
 */
export function* splitIntoParts<Row>(
  rows: readonly Row[],
  getSize: (row: Row) => number,
  maxSize = PART_LENGTH,
): Generator<Row[]> {
  let part: Row[] = [];
  let size = 0;
  for (const row of rows) {
    part.push(row);
    size += getSize(row);
    if (size < maxSize) continue;
    yield part;
    part = [];
    size = 0;
  }
  if (part.length > 0) yield part;
}

/** Replaces the record of each row by its JSON text. */
export function withTexts<Row extends { record: object }>(
  rows: readonly Row[],
): (Omit<Row, "record"> & { record: string })[] {
  return rows.map((row) => ({ ...row, record: JSON.stringify(row.record) }));
}

/** Fields that are not stored. JSON texts have no fields that are undefined. */
export type OmittedFields = Readonly<Record<string, undefined>>;

/** Replaces fields of records, which are texts, and leaves out the omitted ones. */
export function mergeFields(
  updates: readonly { id: string; record: string; fields: object }[],
  omitted: OmittedFields = {},
): { id: string; record: string }[] {
  return updates.map(({ id, record, fields }) => ({
    id,
    record: JSON.stringify({ ...parseRecord(record), ...fields, ...omitted }),
  }));
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
export function getLength(value: unknown, limit = Infinity): number {
  if (typeof value === "string") return 1 + value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 1;
  for (const name in value) {
    length += (Array.isArray(value) ? 0 : name.length) + getLength(Reflect.get(value, name), limit - length);
    if (length > limit) break;
  }
  return length;
}
