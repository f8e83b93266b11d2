import { invalidFields } from "./errors.ts";

/** Throws INVALID_ARGUMENT if an ID is repeated in this request. `list` and `idName` name the fields. */
export function rejectRepeatedIds(ids: (string | number | undefined)[], list: string, idName: string): void {
  const seen = new Set<string | number>();
  const [first, ...others] = ids.flatMap((id, index) => {
    if (id === undefined) return [];
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated ? [{ path: `data.${list}[${index}].${idName}`, message: "is repeated in this request" }] : [];
  });
  if (first) throw invalidFields(first, ...others);
}
