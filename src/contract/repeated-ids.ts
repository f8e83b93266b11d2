import { invalidFields } from "./errors.ts";

/** Which of two items with one id would win, a caller cannot know. `list` and `idName` are the request's names. */
export function refuseRepeatedIds(ids: (string | undefined)[], list: string, idName: string): void {
  const seen = new Set<string>();
  const [first, ...others] = ids.flatMap((id, index) => {
    if (id === undefined) return [];
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated ? [{ path: `data.${list}[${index}].${idName}`, message: "stands in the call twice" }] : [];
  });
  if (first) throw invalidFields(first, ...others);
}
