import { pathText } from "../../contract/errors.ts";
import { dataFault } from "./document-fault.ts";

const LONE_SURROGATE = "must not hold a lone surrogate: Yjs keeps texts as UTF-8";

/** Throws DocumentFault for the first value that would not come back equal. Does not check what only XML forbids. */
export function checkData(data: unknown): void {
  const path: (string | number)[] = [];

  function check(value: unknown): void {
    if (typeof value === "string" && !value.isWellFormed()) throw dataFault(pathOf(path), LONE_SURROGATE);
    if (Array.isArray(value)) for (const [index, item] of value.entries()) checkAt(index, item);
    else if (typeof value === "object" && value !== null)
      for (const key of Object.keys(value)) checkField(key, Reflect.get(value, key));
  }

  function checkField(key: string, item: unknown): void {
    if (!key.isWellFormed()) throw dataFault(pathOf([...path, key]), LONE_SURROGATE);
    checkAt(key, item);
  }

  function checkAt(step: string | number, item: unknown): void {
    path.push(step);
    check(item);
    path.pop();
  }

  check(data);
}

function pathOf(path: (string | number)[]): string {
  return pathText(["data", "data", ...path]);
}
