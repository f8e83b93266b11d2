import { JsonText } from "../../contract/operation.ts";

/** Appends `null` to the JSON text of an array for each of the different IDs that does not exist. */
export function withNulls(array: string, ids: readonly (string | number)[], existing: number): JsonText {
  const missing = new Set(ids).size - existing;
  if (missing <= 0) return new JsonText(array);
  const nulls = Array<string>(missing).fill("null").join(",");
  return new JsonText(array === "[]" ? `[${nulls}]` : `${array.slice(0, -1)},${nulls}]`);
}
