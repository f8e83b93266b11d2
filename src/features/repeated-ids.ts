import { invalidArgument } from "../http/errors.ts";

/** Which of two items with one id would win, a caller cannot know. `list` and `idName` are the request's names. */
export function refuseRepeatedIds(ids: (string | undefined)[], list: string, idName: string): void {
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) throw invalidArgument(`data.${list}[${index}].${idName} stands in the call twice`);
    seen.add(id);
  }
}
