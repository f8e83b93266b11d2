import Type, { type Static, type TObject, type TProperties } from "typebox";
import { ItemResult, keyedById } from "../../contract/schema.ts";

const MAX_RECORD_BYTES = 64 * 1024;

/** Outcome of one organization, document or user. `code` says why it failed. */
export const RecordResult = Type.Interface([ItemResult], {
  id: Type.String({ description: "Key of the record, also if it failed." }),
  code: Type.Optional(Type.Enum(["not-found", "internal"], { description: "Why the item failed." })),
});
export type RecordResult = Static<typeof RecordResult>;

/**
 * Returns the schema of an object with `properties` and metadata: any further fields, which come back equal, except
 * `refused` ones, which would otherwise seem to have an effect.
 */
export function withMetadata<Properties extends TProperties>(properties: Properties, refused: string[] = []) {
  const patternProperties = Object.fromEntries(refused.map((name) => [`^${name}$`, false]));
  const open = Type.Object(properties, { additionalProperties: true, patternProperties });
  const bounded = Type.Refine(open, isWithinLimit, () => "must be at most 64 KiB as JSON text");
  return Type.Unsafe<Static<TObject<Properties>> & Record<string, unknown>>(bounded);
}

/** Returns a copy without the fields that the service adds itself. `__proto__` is a field like any other. */
export function withoutFields(record: object, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

/**
 * Merges the fields sent into the records found, which are JSON texts by id. A record that is not found, or would grow
 * past 64 KiB, fails alone. `noun` is used in the messages, and `keyOf` returns the key of an id for the results.
 */
export function mergeRecords(
  { noun, keyOf }: { noun: string; keyOf: (id: string) => string },
  updates: { id: string; fields: object }[],
  found: ReadonlyMap<string, string>,
): { merged: { id: string; record: string }[]; results: Record<string, RecordResult> } {
  const merged: { id: string; record: string }[] = [];
  function merge(id: string, fields: object): RecordResult {
    const key = keyOf(id);
    const before = found.get(id);
    if (before === undefined) return { success: false, id: key, code: "not-found", message: `${noun} not found.` };
    const after = { ...JSON.parse(before), ...fields };
    if (!isWithinLimit(after)) {
      return {
        success: false,
        id: key,
        code: "internal",
        message: `${noun} would be larger than 64 KiB as JSON text.`,
      };
    }
    merged.push({ id, record: JSON.stringify(after) });
    return { success: true, id: key, message: `${noun} updated.` };
  }
  const results = keyedById(updates.map(({ id, fields }) => [id, merge(id, fields)]));
  return { merged, results };
}

function isWithinLimit(record: object): boolean {
  return Buffer.byteLength(JSON.stringify(record)) <= MAX_RECORD_BYTES;
}
