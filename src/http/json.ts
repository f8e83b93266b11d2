import { isUtf8 } from "node:buffer";
import { type Issue, invalidFields, MAX_ISSUES, pathText, ServiceError } from "../contract/errors.ts";
import { isObject } from "../contract/is-object.ts";

const MAX_DEPTH = 64;
/** Matches texts that may contain a number out of range: an exponent of three digits, or 200 digits in a row. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Parses a request body. `__proto__` is an ordinary key. Throws INVALID_ARGUMENT. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ServiceError("body_invalid", "The body is not UTF-8.");
  if (isDeeperThan(bytes, MAX_DEPTH))
    throw new ServiceError("body_invalid", `The body is nested deeper than ${MAX_DEPTH} levels.`);
  const text = bytes.toString("utf8");
  if (text.startsWith("\ufeff")) throw new ServiceError("body_invalid", "the body begins with a byte order mark");
  const value = parse(text);
  if (MAY_OVERFLOW.test(text)) refuseInfinities(value);
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
function refuseInfinities(value: unknown): void {
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

/** Returns whether the JSON is nested too deeply, by counting its brackets before it is parsed. */
function isDeeperThan(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > limit) return true;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
    }
  }
  return false;
}
