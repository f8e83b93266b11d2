import Type, { type Static, type TObject, type TProperties } from "typebox";
import { formatBytes } from "../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../config/limits.ts";
import { ItemResult, keyedById, openExcept } from "../../contract/schema.ts";
import type { OrganizationKey, RecordKey, UserKey } from "../../database/keys.ts";
import { mergeFields, type OmittedFields, splitIntoParts } from "../../json/record-texts.ts";

const MAX_RECORD_BYTES = RECORD_LIMITS.recordBytes;

/** Outcome of one record, with its key. */
export const IdentifiedResult = Type.Interface(
  [ItemResult],
  {
    id: Type.String({
      description: "Key of the record, also if it failed.",
      examples: ["fdee430d40bd57deeac186cd9790033d"],
    }),
  },
  { title: "IdentifiedResult" },
);

/** Outcome of changing one organization, document or user. `code` says why it failed. */
export const RecordResult = Type.Interface(
  [IdentifiedResult],
  { code: Type.Optional(Type.Enum(["not-found", "internal"], { description: "Why the item failed." })) },
  { title: "RecordResult" },
);
export type RecordResult = Static<typeof RecordResult>;

/**
 * Returns the schema of an object with `properties` and metadata: any further fields, which come back equal, except
 * `rejected` ones, which would otherwise seem to have an effect.
 */
export function withMetadata<Properties extends TProperties>(properties: Properties, rejected: string[] = []) {
  const open = Type.Object(properties, openExcept(rejected, properties));
  const bounded = Type.Refine(
    open,
    (record) => !isRecordTooLarge(JSON.stringify(record)),
    () => "must be at most 64 KiB as JSON text",
  );
  return Type.Unsafe<Static<TObject<Properties>> & Record<string, unknown>>(bounded);
}

/**
 * Merges the fields sent, except the omitted ones, into the records found, which are JSON texts by id, and calls
 * `write` with each part of them. A record that is not found, or would grow past 64 KiB, fails alone. `noun` is used in
 * the messages, and `getKey` returns the key of an id for the results. Returns the results and the ids that were
 * written.
 */
export async function mergeRecords(
  {
    noun,
    getKey,
    omitted,
  }: { noun: string; getKey: (id: string) => OrganizationKey | RecordKey | UserKey; omitted?: OmittedFields },
  updates: { id: string; fields: object }[],
  found: ReadonlyMap<string, string>,
  write: (merged: { id: string; record: string }[]) => Promise<void>,
): Promise<{ mergedIds: string[]; results: Record<string, RecordResult> }> {
  const existing = updates.flatMap(({ id, fields }) => {
    const record = found.get(id);
    return record === undefined ? [] : [{ id, record, fields }];
  });
  const mergedIds = new Set<string>();
  for (const part of splitIntoParts(existing, ({ record }) => record.length)) {
    const merged = mergeFields(part, omitted).filter(({ record }) => !isRecordTooLarge(record));
    await write(merged);
    for (const { id } of merged) mergedIds.add(id);
  }
  function getResult(id: string): RecordResult {
    const key = getKey(id);
    if (mergedIds.has(id)) return { success: true, id: key, message: `${noun} updated.` };
    if (!found.has(id)) return { success: false, id: key, code: "not-found", message: `${noun} not found.` };
    const message = `${noun} would be larger than ${formatBytes(MAX_RECORD_BYTES)} as JSON text.`;
    return { success: false, id: key, code: "internal", message };
  }
  return { mergedIds: [...mergedIds], results: keyedById(updates.map(({ id }) => [id, getResult(id)])) };
}

/** Returns the results of a deletion: the records found are deleted, and the others fail alone. */
export function deletionResults(
  { noun, getKey }: { noun: string; getKey: (id: string) => OrganizationKey | RecordKey | UserKey },
  ids: string[],
  found: { has: (id: string) => boolean },
): Record<string, RecordResult> {
  return keyedById(ids.map((id) => [id, { id: getKey(id), ...deletionResult(noun, found.has(id)) }]));
}

function deletionResult(noun: string, isFound: boolean): Omit<RecordResult, "id"> {
  if (isFound) return { success: true, message: `${noun} deleted.` };
  return { success: false, code: "not-found", message: `${noun} not found.` };
}

/** Returns whether the JSON text of a record has more than 64 KiB. */
export function isRecordTooLarge(text: string): boolean {
  return Buffer.byteLength(text) > MAX_RECORD_BYTES;
}
