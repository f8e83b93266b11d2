import { isObject } from "./is-object.ts";
import { LARGE_BODY_BYTES, nextTurn } from "./next-turn.ts";
import { parseInTurns } from "./parse-in-turns.ts";

/** Effort of one turn of the event loop: the number of characters, and VALUE_EFFORT for each value. */
const TURN_EFFORT = 64 * 1024;
const VALUE_EFFORT = 64;
/** Number of values that are compared in one turn. Measured: 0.8 ms for different keys. */
const TURN_VALUES = 1_000;

/**
 * Replaces the record of each row by its text, as JSON.stringify writes it. Much text is written in several turns of
 * the event loop: 98,000 different keys would hold it for 60 to 90 ms, 10 MB of escaped lone surrogates for 160 ms.
 */
export async function withTexts<Row extends { record: object }>(
  rows: readonly Row[],
  turnEffort = TURN_EFFORT,
): Promise<(Omit<Row, "record"> & { record: string })[]> {
  const written: (Omit<Row, "record"> & { record: string })[] = [];
  let done = 0;
  for (const row of rows) {
    const effort = effortOf(row.record, turnEffort);
    done += effort;
    if (done > turnEffort) {
      await nextTurn();
      done = effort;
    }
    const isSmall = effort <= turnEffort;
    const record = isSmall ? JSON.stringify(row.record) : await new JsonWriter(turnEffort).textOf(row.record);
    written.push({ ...row, record });
  }
  return written;
}

/** Fields that are not stored. JSON texts have no fields that are undefined. */
export type OmittedFields = Readonly<Record<string, undefined>>;

/**
 * Replaces fields of records, which are texts, and leaves out the omitted ones. Many or large records are merged in
 * several turns.
 */
export async function mergeFields(
  updates: readonly { id: string; record: string; fields: object }[],
  omitted: OmittedFields = {},
): Promise<{ id: string; record: string }[]> {
  const merged: { id: string; record: string }[] = [];
  let done = 0;
  for (const { id, record, fields } of updates) {
    const effort = record.length + effortOf(fields, TURN_EFFORT);
    done += effort;
    if (done > TURN_EFFORT) {
      await nextTurn();
      done = effort;
    }
    merged.push(...(await withTexts([{ id, record: { ...(await parseRecord(record)), ...fields, ...omitted } }])));
  }
  return merged;
}

/** Parses the text of a record, a large one in several turns. */
export async function parseRecord(record: string): Promise<object> {
  return record.length < LARGE_BODY_BYTES ? JSON.parse(record) : Object(await parseInTurns(Buffer.from(record)));
}

/** Returns whether two JSON values are equal, in any order of their fields. Compares large ones in several turns. */
export async function areEqual(one: unknown, other: unknown, progress = { values: 0 }): Promise<boolean> {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const names = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false;
  for (const name of names) {
    if (++progress.values % TURN_VALUES === 0) await nextTurn();
    if (!Object.hasOwn(other, name)) return false;
    const [item, otherItem]: unknown[] = [Reflect.get(one, name), Reflect.get(other, name)];
    if (item !== otherItem && !(await areEqual(item, otherItem, progress))) return false;
  }
  return true;
}

/** Returns the effort of a value: its characters, and a number for each value in it. Stops counting above the limit. */
function effortOf(value: unknown, limit: number, valueEffort = VALUE_EFFORT): number {
  if (typeof value === "string") return valueEffort + value.length;
  let effort = valueEffort;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && effort <= limit; index++)
      effort += effortOf(value[index], limit - effort, valueEffort);
  } else if (isObject(value)) {
    for (const name in value) {
      effort += name.length + effortOf(value[name], limit - effort, valueEffort);
      if (effort > limit) break;
    }
  }
  return effort;
}

/** Writes a large value member by member. */
class JsonWriter {
  readonly #turnEffort: number;
  #effort = 0;
  /** Text of each earlier turn, and the parts of the current one's. */
  readonly #written: string[] = [];
  #parts: string[] = [];

  constructor(turnEffort: number) {
    this.#turnEffort = turnEffort;
  }

  async textOf(value: unknown): Promise<string> {
    await this.#write(value);
    await this.#endTurn();
    return this.#written.join("");
  }

  async #write(value: unknown): Promise<void> {
    if (Array.isArray(value)) await this.#writeArray(value);
    else if (isObject(value)) await this.#writeObject(value);
    else if (typeof value === "string") await this.#writeString(value);
    else this.#parts.push(JSON.stringify(value) ?? "null");
    this.#effort += VALUE_EFFORT;
    if (this.#effort > this.#turnEffort) await this.#endTurn();
  }

  async #writeArray(items: unknown[]): Promise<void> {
    let separator = "[";
    for (const item of items) {
      this.#parts.push(separator);
      await this.#write(item);
      separator = ",";
    }
    this.#parts.push(separator === "[" ? "[]" : "]");
  }

  async #writeObject(fields: Record<string, unknown>): Promise<void> {
    let separator = "{";
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value === undefined) continue;
      this.#parts.push(separator);
      await this.#writeString(name);
      this.#parts.push(":");
      await this.#write(value);
      separator = ",";
    }
    this.#parts.push(separator === "{" ? "{}" : "}");
  }

  /** Writes a string in slices. None of them splits a surrogate pair, whose halves would be escaped. */
  async #writeString(value: string): Promise<void> {
    this.#parts.push('"');
    for (let start = 0; start < value.length; ) {
      let end = Math.min(start + this.#turnEffort, value.length);
      if (isLowSurrogate(value.charCodeAt(end))) end++;
      this.#parts.push(JSON.stringify(value.slice(start, end)).slice(1, -1));
      this.#effort += end - start;
      start = end;
      if (this.#effort > this.#turnEffort) await this.#endTurn();
    }
    this.#parts.push('"');
  }

  async #endTurn(): Promise<void> {
    this.#written.push(this.#parts.join(""));
    this.#parts = [];
    this.#effort = 0;
    await nextTurn();
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
