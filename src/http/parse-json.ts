import { isUtf8 } from "node:buffer";
import { type Issue, invalidFields, MAX_ISSUES, ServiceError } from "../contract/errors.ts";
import { pathText } from "../contract/path-text.ts";
import { isObject } from "../json/is-object.ts";
import type { JsonScanner } from "./json-scanner.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Parses a body that the scanner has accepted. `__proto__` is an ordinary key. Throws INVALID_ARGUMENT. */
export function parseJson(bytes: Buffer, { mayOverflow }: Pick<JsonScanner, "mayOverflow">): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ServiceError("body_invalid", "The body is not UTF-8.");
  if (BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte))
    throw new ServiceError("body_invalid", "The body begins with a byte order mark. Send UTF-8 without one.");
  const value = parse(bytes.toString());
  if (mayOverflow) rejectInfinities(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.split("\n", 1)[0] : "";
    throw new ServiceError("body_invalid", `The body is not JSON: ${reason}.`);
  }
}

/** Throws INVALID_ARGUMENT for numbers that JavaScript reads as Infinity, which would be returned as null. */
function rejectInfinities(value: unknown): void {
  const [first, ...others] = infinitiesIn(value, []).take(MAX_ISSUES);
  if (first) throw invalidFields(first, ...others);
}

function* infinitiesIn(value: unknown, path: (string | number)[]): Generator<Issue, undefined> {
  if (value === Infinity || value === -Infinity) {
    yield { path: pathText(path), message: "must be a number that a 64-bit float can hold" };
  }
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* infinitiesIn(item, [...path, index]);
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* infinitiesIn(item, [...path, key]);
}
