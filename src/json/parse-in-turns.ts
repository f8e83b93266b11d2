import { nextTurn } from "./next-turn.ts";

/** Sizes at which a piece ends: 1,000 different keys take 1 ms. */
const PIECE: PieceSize = { characters: 64 * 1024, values: 1_000 };
/** Number of characters of a string after which searching its end natively is faster than a loop. */
const NEAR = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

interface PieceSize {
  characters: number;
  values: number;
}

/**
 * Parses a large JSON text as JSON.parse does, in several turns of the event loop: 99,000 different keys would hold it
 * for 60 to 100 ms. Throws SyntaxError. One long string is parsed in one turn.
 */
export async function parseInTurns(text: string, size = PIECE): Promise<unknown> {
  const parser = new PieceParser(text, size);
  while (!parser.parsePiece()) await nextTurn();
  return parser.value;
}

/** An object or array whose end has not been reached. */
interface Level {
  isObject: boolean;
  /** The value with the members parsed so far; undefined while all of its text belongs to the current piece. */
  container: object | undefined;
  /** Position of the first character that is not parsed. */
  start: number;
  /** Position of the current member. */
  memberStart: number;
  /** Whether a container that has its own level has just ended, so that a comma or the end of this one must follow. */
  isAfterChild: boolean;
}

/**
 * Cuts a text at commas and parses each piece with JSON.parse, as the members of the container that it belongs to. A
 * piece has balanced brackets, so it is valid by itself exactly if it is valid in its place.
 */
class PieceParser {
  readonly #text: string;
  readonly #size: PieceSize;
  #at = 0;
  #isInString = false;
  /** Position and number of values at which the current piece began. */
  #pieceStart = 0;
  #values = 0;
  readonly #root: unknown[] = [];
  /** The open containers. The outermost is an array around the text, whose only item is the value. */
  readonly #levels: Level[] = [levelAt(0, false, this.#root)];

  constructor(text: string, size: PieceSize) {
    this.#text = text;
    this.#size = size;
  }

  get value(): unknown {
    return this.#root[0];
  }

  /** Parses the next piece, or scans a part of it if it is long. Returns whether the text has ended. */
  parsePiece(): boolean {
    const end = Math.min(this.#at + this.#size.characters, this.#text.length);
    while (this.#at < end) {
      if (this.#isInString) this.#scanString(end);
      else if (this.#scanOutside(end)) return false;
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
        const code = text.charCodeAt(this.#at++);
        if (code === BACKSLASH) this.#at++;
        else if (code === QUOTE) {
          this.#isInString = false;
          return;
        }
      }
      if (this.#at >= end) return;
      const quote = text.indexOf('"', this.#at);
      if (quote < 0) this.#at = text.length;
      else this.#at = isEscapedAt(text, quote, this.#at) ? quote + 1 : quote;
    }
  }

  /** Scans to the next string, or to the end of a piece. Returns whether a piece has ended. */
  #scanOutside(end: number): boolean {
    while (this.#at < end) {
      const code = this.#text.charCodeAt(this.#at++);
      if (code === QUOTE) {
        this.#isInString = true;
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

  #isPieceFull(): boolean {
    return this.#at - this.#pieceStart >= this.#size.characters || this.#values >= this.#size.values;
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
    const text = this.#text.slice(start, end) + closing;
    const members = parsed(isObject ? `{${text}}` : `[${text}]`, start, end);
    if (Object.keys(members).length === 0) throw syntaxError(start, end);
    if (Array.isArray(container)) container.push(...Object.values(members));
    else if (container) addFields(container, members);
    return members;
  }

  #requireBlank(start: number, end: number): void {
    if (/[^ \t\n\r]/.test(this.#text.slice(start, end))) throw syntaxError(start, end);
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
  return new SyntaxError(`Unexpected text between the characters ${start + 1} and ${end + 1}`);
}

/** Adds fields, also `__proto__`. A field that exists keeps its place. */
function addFields(target: object, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    if (name === "__proto__")
      Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    else Reflect.set(target, name, value);
  }
}

/** Returns whether an odd number of backslashes precedes a position, not counting those before `start`. */
function isEscapedAt(text: string, position: number, start: number): boolean {
  let first = position;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (position - first) % 2 === 1;
}
