import Type, { type Static, type TObject, type TProperties } from "typebox";
import { type ItemResult, keyedById } from "../../contract/schema.ts";

const MAX_RECORD_BYTES = 64 * 1024;

/** An object of `properties` and any further fields, the metadata, which come back equal. */
export function withMetadata<Properties extends TProperties>(properties: Properties) {
  const open = Type.Object(properties, { additionalProperties: true });
  const bounded = Type.Refine(open, isWithinLimit, () => "must be at most 64 KiB as JSON text");
  return Type.Unsafe<Static<TObject<Properties>> & Record<string, unknown>>(bounded);
}

/** A copy without the fields that the service answers with itself. `__proto__` is a field like any other. */
export function withoutFields(record: object, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

/**
 * Puts the fields that were sent over those of the records found, which are JSON texts by id. What is not found, or
 * would grow past 64 KiB, fails alone. `noun` stands in the messages.
 */
export function mergeRecords(
  noun: string,
  updates: { id: string; fields: object }[],
  found: ReadonlyMap<string, string>,
): { merged: { id: string; record: string }[]; results: Record<string, ItemResult> } {
  const merged: { id: string; record: string }[] = [];
  function merge(id: string, fields: object): ItemResult {
    const before = found.get(id);
    if (before === undefined) return { success: false, message: `${noun} not found.` };
    const after = { ...JSON.parse(before), ...fields };
    if (!isWithinLimit(after)) return { success: false, message: `${noun} would be larger than 64 KiB as JSON text.` };
    merged.push({ id, record: JSON.stringify(after) });
    return { success: true, message: `${noun} updated.` };
  }
  const results = keyedById(updates.map(({ id, fields }) => [id, merge(id, fields)]));
  return { merged, results };
}

function isWithinLimit(record: object): boolean {
  return Buffer.byteLength(JSON.stringify(record)) <= MAX_RECORD_BYTES;
}
