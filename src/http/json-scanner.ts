import { formatCount } from "../config/format-limit.ts";
import { REQUEST_LIMITS } from "../config/limits.ts";
import { ServiceError } from "../contract/errors.ts";

/** Maximum number of levels of objects and arrays in a body. */
export const MAX_DEPTH = REQUEST_LIMITS.depth;
/** Maximum number of values in a body. */
export const MAX_VALUES = REQUEST_LIMITS.values;
/** Number of digits in a row from which a number may exceed a 64-bit float. */
const MANY_DIGITS = 200;
/** Number of digits in an exponent from which a number may exceed a 64-bit float. */
const MANY_EXPONENT_DIGITS = 3;

const [QUOTE, BACKSLASH, COMMA, PLUS, POINT] = [0x22, 0x5c, 0x2c, 0x2b, 0x2e];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, UPPER_E, LOWER_E, SPACE] = [0x30, 0x39, 0x45, 0x65, 0x20];

/**
 * Counts levels and values of a JSON text while it arrives, so that a body which costs too much is rejected
 * before it is complete and before it is parsed. Accepts other texts; the parser rejects them.
 */
export class JsonScanner {
  #depth = 0;
  #deepest = 0;
  #values = 1;
  #isInString = false;
  #isEscaped = false;
  /** Whether the last character was an opening bracket. */
  #isOpened = false;
  #digits = 0;
  #isExponent = false;
  #mayOverflow = false;

  /** Whether the text may contain a number that exceeds a 64-bit float. */
  get mayOverflow(): boolean {
    return this.#mayOverflow;
  }

  /** Scans the next part of the text. Throws INVALID_ARGUMENT when a limit is exceeded. */
  scan(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at = this.#isInString ? this.#scanString(bytes, at) : this.#scanOutside(bytes, at);
    if (this.#deepest > MAX_DEPTH)
      throw new ServiceError("body_invalid", `The body is nested deeper than ${MAX_DEPTH} levels.`);
    // An open bracket was counted as if it had a value; it may still turn out empty.
    if (this.#values - (this.#isOpened ? 1 : 0) > MAX_VALUES) throw tooManyValues();
  }

  /** Returns the position behind the string, or behind the bytes. */
  #scanString(bytes: Buffer, start: number): number {
    let isEscaped = this.#isEscaped;
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        this.#isEscaped = false;
        return at + 1;
      }
    }
    this.#isEscaped = isEscaped;
    return bytes.length;
  }

  /** Returns the position of the next string's content, or behind the bytes. */
  #scanOutside(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) {
        if (++this.#digits >= MANY_EXPONENT_DIGITS && (this.#isExponent || this.#digits >= MANY_DIGITS))
          this.#mayOverflow = true;
        this.#isOpened = false;
        continue;
      }
      if (byte === POINT || byte === PLUS) continue;
      this.#isExponent = (byte === LOWER_E || byte === UPPER_E) && this.#digits > 0;
      this.#digits = 0;
      if (byte <= SPACE) continue;
      if (byte === QUOTE) {
        this.#isOpened = false;
        this.#isInString = true;
        return at + 1;
      }
      this.#count(byte);
    }
    return bytes.length;
  }

  #count(byte: number): void {
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++this.#depth > this.#deepest) this.#deepest = this.#depth;
      this.#values++;
      this.#isOpened = true;
      return;
    }
    if (byte === COMMA) this.#values++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#depth--;
      if (this.#isOpened) this.#values--;
    }
    this.#isOpened = false;
  }
}

function tooManyValues(): ServiceError {
  const limit = formatCount(MAX_VALUES);
  return new ServiceError("body_invalid", `The body has more than ${limit} values. Send several requests.`);
}
