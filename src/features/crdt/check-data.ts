import { pathText } from "../../contract/path-text.ts";
import { createDataError } from "./document-error.ts";

const LONE_SURROGATE = "must not hold a lone surrogate: Yjs keeps texts as UTF-8";

/** Throws DocumentError for the first value that would not be read back equal. Does not check the rules of XML. */
export function checkData(data: unknown): void {
  const path: (string | number)[] = [];

  function check(value: unknown): void {
    if (typeof value === "string") requireWellFormed(value);
    if (typeof value !== "object" || value === null) return;
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      path.push(isList ? Number(key) : key);
      requireWellFormed(key);
      check(Reflect.get(value, key));
      path.pop();
    }
  }

  function requireWellFormed(text: string): void {
    if (!text.isWellFormed()) throw createDataError(pathText(["data", "data", ...path]), LONE_SURROGATE);
  }

  check(data);
}
