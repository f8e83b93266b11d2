import { isEscapedAt, wholeEnd } from "./escapes.ts";
import { nextTurn } from "./next-turn.ts";

/** Sizes at which a piece ends: 1,000 different keys take 1 ms. */
const PIECE: PieceSize = { bytes: 64 * 1024, values: 1_000 };
/** Number of bytes of a string after which searching its end natively is faster than a loop. */
const NEAR = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

interface PieceSize {
  bytes: number;
  values: number;
}

/**
 * Parses a large JSON text, in UTF-8, as JSON.parse does, in several turns of the event loop: 99,000 different keys
 * would hold it for 60 to 100 ms, 10 MB of escaped characters for 20 ms. Throws SyntaxError. A long key is parsed in
 * one turn.
 */
export async function parseInTurns(text: Buffer, size = PIECE): Promise<unknown> {
  const parser = new PieceParser(text, size);
  while (!parser.parsePiece()) await nextTurn();
  return parser.value;
}

/** An object or array whose end has not been reached. */
interface Level {
  isObject: boolean;
  /** The value with the members parsed so far; undefined while all of its text belongs to the current piece. */
  container: object | undefined;
  /** Position of the first byte that is not parsed. */
  start: number;
  /** Position of the current member. */
  memberStart: number;
  /** Whether a container that has its own level has just ended, so that a comma or the end of this one must follow. */
  isAfterChild: boolean;
}

/** A string that is longer than a piece, and its value up to `at`. */
interface LongString {
  level: Level;
  /** The object or array with the string as its only member. */
  member: object;
  at: number;
  end: number;
  values: string[];
}

/**
 * Cuts a text at commas and parses each piece with JSON.parse, as the members of the container that it belongs to. A
 * piece has balanced brackets, so it is valid alone exactly if it is valid in its place. A long string is parsed in
 * pieces too, and takes the place of an empty one.
 */
class PieceParser {
  readonly #text: Buffer;
  readonly #size: PieceSize;
  #at = 0;
  #isInString = false;
  #stringStart = 0;
  #longString: LongString | undefined;
  /** Position and number of values at which the current piece began. */
  #pieceStart = 0;
  #values = 0;
  readonly #root: unknown[] = [];
  /** The open containers. The outermost is an array around the text, whose only item is the value. */
  readonly #levels: Level[] = [levelAt(0, false, this.#root)];

  constructor(text: Buffer, size: PieceSize) {
    this.#text = text;
    this.#size = size;
  }

  get value(): unknown {
    return this.#root[0];
  }

  /** Parses the next piece, or scans a part of it if it is long. Returns whether the text has ended. */
  parsePiece(): boolean {
    if (this.#longString) {
      this.#parseLongString(this.#longString);
      return false;
    }
    const end = Math.min(this.#at + this.#size.bytes, this.#text.length);
    while (this.#at < end) {
      if (this.#isInString) {
        this.#scanString(end);
        if (!this.#isInString && this.#beginLongString()) return false;
      } else if (this.#scanOutside(end)) return false;
    }
    if (this.#at < this.#text.length) return false;
    const level = this.#innermost;
    if (this.#levels.length > 1) throw syntaxError(level.start, this.#at);
    this.#endLevel(level, this.#at);
    return true;
  }

  get #innermost(): Level {
    const level = this.#levels.at(-1);
    if (!level) throw syntaxError(this.#at - 1, this.#at);
    return level;
  }

  /** Scans to the end of the string, or to the given position. */
  #scanString(end: number): void {
    const text = this.#text;
    while (this.#at < end) {
      const near = Math.min(this.#at + NEAR, end);
      while (this.#at < near) {
        const code = text[this.#at++];
        if (code === BACKSLASH) this.#at++;
        else if (code === QUOTE) {
          this.#isInString = false;
          return;
        }
      }
      if (this.#at >= end) return;
      const quote = text.indexOf(QUOTE, this.#at);
      if (quote < 0) this.#at = text.length;
      else this.#at = isEscapedAt(text, quote, this.#at) ? quote + 1 : quote;
    }
  }

  /** Scans to the next string, or to the end of a piece. Returns whether a piece has ended. */
  #scanOutside(end: number): boolean {
    while (this.#at < end) {
      const code = this.#text[this.#at++];
      if (code === QUOTE) {
        this.#isInString = true;
        this.#stringStart = this.#at;
        return false;
      }
      if (code === COMMA) {
        this.#endMember();
        if (this.#isPieceFull()) {
          this.#endPiece();
          return true;
        }
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        this.#values++;
        this.#levels.push(levelAt(this.#at, code === OPEN_OBJECT));
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#close(code === CLOSE_OBJECT);
    }
    return false;
  }

  /** Ends the piece before the string that has just ended, if that is long and no key. Returns whether it is. */
  #beginLongString(): boolean {
    const [at, end, level] = [this.#stringStart, this.#at - 1, this.#innermost];
    if (end - at < this.#size.bytes) return false;
    if (level.isObject && isBlank(this.#textOf(level.memberStart, at - 1))) return false;
    this.#endPiece();
    const member = this.#parse({ ...level, container: undefined }, at - 1, '""');
    this.#longString = { level, member, at, end, values: [] };
    return true;
  }

  /** Parses the next slice of a long string. */
  #parseLongString(string: LongString): void {
    const { level, member, at, end, values } = string;
    string.at = Math.min(wholeEnd(this.#text, at + this.#size.bytes, at), end);
    values.push(String(parsed(`"${this.#textOf(at, string.at)}"`, at, string.at)));
    if (string.at < end) return;
    for (const name of Object.keys(member)) setField(member, name, values.join(""));
    addMembers(level.container, member);
    level.start = this.#at;
    level.isAfterChild = true;
    this.#longString = undefined;
  }

  #isPieceFull(): boolean {
    return this.#at - this.#pieceStart >= this.#size.bytes || this.#values >= this.#size.values;
  }

  /** Continues behind a comma. */
  #endMember(): void {
    const level = this.#innermost;
    if (this.#levels.length === 1) throw syntaxError(level.start, this.#at);
    this.#values++;
    if (level.isAfterChild) {
      this.#requireBlank(level.start, this.#at - 1);
      level.start = this.#at;
      level.isAfterChild = false;
    }
    level.memberStart = this.#at;
  }

  /** Ends a container. One without a level's own container is parsed with the current member of the outer one. */
  #close(isObject: boolean): void {
    const level = this.#innermost;
    if (level.isObject !== isObject || this.#levels.length === 1) throw syntaxError(level.start, this.#at);
    this.#levels.pop();
    if (!level.container) return;
    this.#endLevel(level, this.#at - 1);
    const outer = this.#innermost;
    outer.start = this.#at;
    outer.isAfterChild = true;
  }

  /** Parses the last members of a level, or requires that nothing is behind its last child. */
  #endLevel(level: Level, end: number): void {
    if (level.isAfterChild) this.#requireBlank(level.start, end);
    else this.#parse(level, end);
  }

  /** Parses all that precedes the current member of the innermost level, beginning with the outermost level. */
  #endPiece(): void {
    for (const [index, level] of this.#levels.entries()) {
      const child = this.#levels[index + 1];
      if (child?.container) continue;
      if (level.isAfterChild) throw syntaxError(level.start, this.#at);
      if (level.memberStart > level.start) {
        this.#parse(level, level.memberStart - 1);
        level.start = level.memberStart;
      }
      // The text to the child's opening bracket, with a closing one, is a member with an empty value: its container.
      if (child) [child.container] = Object.values(this.#parse(level, child.start, child.isObject ? "}" : "]"));
    }
    this.#pieceStart = this.#at;
    this.#values = 0;
  }

  /** Parses at least one member of a level and adds it to the level's container. */
  #parse({ isObject, container, start }: Level, end: number, closing = ""): object {
    const text = this.#textOf(start, end) + closing;
    const members = parsed(isObject ? `{${text}}` : `[${text}]`, start, end);
    if (Object.keys(members).length === 0) throw syntaxError(start, end);
    addMembers(container, members);
    return members;
  }

  #textOf(start: number, end: number): string {
    return this.#text.toString("utf8", start, end);
  }

  #requireBlank(start: number, end: number): void {
    if (!isBlank(this.#textOf(start, end))) throw syntaxError(start, end);
  }
}

function levelAt(start: number, isObject: boolean, container?: object): Level {
  return { isObject, container, start, memberStart: start, isAfterChild: false };
}

function parsed(text: string, start: number, end: number): object {
  try {
    return JSON.parse(text);
  } catch {
    throw syntaxError(start, end);
  }
}

function syntaxError(start: number, end: number): SyntaxError {
  return new SyntaxError(`Unexpected text between the bytes ${start + 1} and ${end + 1}`);
}

/** Adds items to an array, or fields to an object. A field that exists keeps its place. */
function addMembers(container: object | undefined, members: object): void {
  if (Array.isArray(container)) container.push(...Object.values(members));
  else if (container) for (const [name, value] of Object.entries(members)) setField(container, name, value);
}

/** Sets a field, also `__proto__`. */
function setField(target: object, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  else Reflect.set(target, name, value);
}

function isBlank(text: string): boolean {
  return !/[^ \t\n\r]/.test(text);
}
