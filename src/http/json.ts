import { isUtf8 } from "node:buffer";
import { invalidArgument } from "./errors.ts";

const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The value of a request body; `__proto__` is a key like any other. Throws INVALID_ARGUMENT. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalidArgument("the body is not UTF-8");
  if (isDeeperThan(bytes, MAX_DEPTH)) throw invalidArgument(`the body is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.split("\n", 1)[0] : "";
    throw invalidArgument(`the body is not JSON: ${reason}`);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Counts brackets outside of strings before anything is built, in one pass over the bytes. */
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
