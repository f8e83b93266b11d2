import search from "approx-string-match";
import { isWithinPair, QUOTE_CONTEXT_LENGTH, type Quote, splitShortened } from "./quote.ts";

/** Place of a quote in a text. */
export interface QuoteMatch {
  start: number;
  end: number;
  /** Whether the passage is as quoted, and enough of its context too. */
  isExact: boolean;
}

// A match must be backed by characters, or it would be wild: a short word is found somewhere in most texts. Bytes of
// UTF-8 without white space are counted, since a character of a script with thousands of them says more than a letter.

/** Bytes that the passage and its context must share with the quote. */
const MIN_BYTES = 16;
/** Bytes that are enough for a passage that occurs once in the text. */
const MIN_BYTES_IF_UNIQUE = 8;
/** Bytes that a passage must have to be found with changes. */
const MIN_BYTES_IF_CHANGED = 8;
/** Bytes of the quoted context in which a passage is the same one, and not an equal one elsewhere. */
const MIN_BYTES_OF_CONTEXT = 8;
/** Bytes that an end of the text is worth, if the passage was as near to it when it was quoted. */
const BYTES_OF_END = 8;
/** Maximum share of changed UTF-16 units, and that of a passage after or before the quoted context. */
const MAX_CHANGED = 0.2;
const MAX_CHANGED_IN_CONTEXT = 0.4;
/** Number of occurrences of a passage that are compared, those nearest to the old place. */
const MAX_OCCURRENCES = 200;
/** Number of UTF-16 units that are searched at once before the old place. */
const WINDOW_LENGTH = 16 * 1024;
/** Length of a passage that is searched with changes at once. A longer one takes as long as several. */
const BLOCK_LENGTH = 32;
/** Cost of searching a passage as it is. One that has changed costs 1; both for each UTF-16 unit of the text. */
const COST_OF_EXACT = 0.008;
/** Cost of comparing the surroundings of an occurrence. */
const COST_OF_OCCURRENCE = 30;
/** Cost of a similar passage that is found, for each of its UTF-16 units: its start is searched. */
const COST_OF_SIMILAR = 80;
/** Cost in which a passage is searched that is the only one: 0.5 s. */
const DEFAULT_EFFORT = 100_000_000;
/** Length of the ends of a passage by which it is found with changes, if it is longer than both. */
const END_LENGTH = 96;

/**
 * Finds a quoted passage in a text: as it is, or else with changes. If there are several, prefers the one with the most
 * of the quoted context, and among equals the one nearest to `near`, the old place. Returns undefined rather than a
 * passage for which too little speaks.
 */
export function findQuote(
  text: string,
  quote: Quote,
  near = 0,
  effort: SearchEffort = new SearchEffort(DEFAULT_EFFORT),
): QuoteMatch | undefined {
  if (quote.exact === "") return undefined;
  return findExact(text, quote, near, effort) ?? findChanged(text, quote, near, effort);
}

/** Finds a quoted passage as it is, with enough of its context. */
export function findSame(text: string, quote: Quote, near: number, effort: SearchEffort): QuoteMatch | undefined {
  const found = quote.exact === "" ? undefined : findExact(text, quote, near, effort);
  return found?.isExact ? found : undefined;
}

/**
 * Limits the searches for many quotes in a text. Passages that have changed have a limit of their own, so that searches
 * for them, which a hostile quote makes long, leave the others to be found.
 */
export class SearchEffort {
  readonly #left: { exact: number; changed: number };

  /** Takes the number of UTF-16 units in which changed passages may be searched. */
  constructor(length: number) {
    this.#left = { exact: length, changed: length };
  }

  /** Returns whether a text of this length may be searched. If not, the effort is spent. */
  spend(kind: "exact" | "changed", length: number): boolean {
    const isEnough = this.#left[kind] >= length;
    this.#left[kind] = isEnough ? this.#left[kind] - length : 0;
    return isEnough;
  }
}

function findExact(text: string, quote: Quote, near: number, effort: SearchEffort): QuoteMatch | undefined {
  const [head, tail] = splitShortened(quote.exact) ?? [quote.exact];
  const starts = getPlaces(text, head, { quote, near, effort }).toSorted((one, other) => one - other);
  const bytes = countBytes(quote.exact);
  let found = 0;
  const matches = starts.flatMap((start) => {
    const from = start + head.length;
    if (tail !== undefined && found >= 0 && found < from) found = text.indexOf(tail, from);
    if (found < 0) return [];
    const end = tail === undefined ? from : found + tail.length;
    if (!hasSameBounds(text, start, end, quote)) return [];
    const context = measureContext(text, start, end, quote);
    return [{ start, end, isExact: context.bytes >= MIN_BYTES_OF_CONTEXT, bytes: bytes + context.bytes }];
  });
  const [best] = matches.toSorted((one, other) => other.bytes - one.bytes || compareDistance(one, other, near));
  if (!best) return undefined;
  const { bytes: shared, ...match } = best;
  return shared >= (matches.length === 1 ? MIN_BYTES_IF_UNIQUE : MIN_BYTES) ? match : undefined;
}

interface Search {
  quote: Quote;
  near: number;
  effort: SearchEffort;
}

/** Returns the places of a passage: those in all of the quoted context, if there are any. */
function getPlaces(text: string, passage: string, { quote, near, effort }: Search): number[] {
  const { prefix = "", suffix = "", exact } = quote;
  const whole = passage === exact ? getOccurrences(text, prefix + exact + suffix, near - prefix.length, effort) : [];
  return whole.length > 0 ? whole.map((start) => start + prefix.length) : getOccurrences(text, passage, near, effort);
}

/** Returns places of a passage before and after `near`, the nearest ones; none if the effort is spent. */
function getOccurrences(text: string, passage: string, near: number, effort: SearchEffort): number[] {
  if (!effort.spend("exact", text.length * COST_OF_EXACT)) return [];
  const after = findAll(text, passage, Math.max(0, near), MAX_OCCURRENCES / 2);
  const before: number[] = [];
  // lastIndexOf() is many times slower in V8.
  for (let end = near; end > 0 && before.length < MAX_OCCURRENCES / 2; end -= WINDOW_LENGTH) {
    const start = Math.max(0, end - WINDOW_LENGTH);
    const places = findAll(text.slice(start, end + passage.length - 1), passage, 0, WINDOW_LENGTH);
    before.push(...places.slice(before.length - MAX_OCCURRENCES / 2).map((place) => start + place));
  }
  effort.spend("exact", (before.length + after.length) * COST_OF_OCCURRENCE);
  return [...before, ...after];
}

function findAll(text: string, passage: string, from: number, limit: number): number[] {
  const places: number[] = [];
  for (let place = text.indexOf(passage, from); place >= 0 && places.length < limit; ) {
    places.push(place);
    place = text.indexOf(passage, place + 1);
  }
  return places;
}

function findChanged(text: string, quote: Quote, near: number, effort: SearchEffort): QuoteMatch | undefined {
  const { exact } = quote;
  if (countBytes(exact) < MIN_BYTES_IF_CHANGED) return undefined;
  const isShort = exact.length <= 2 * END_LENGTH;
  const found = isShort ? findSimilar(text, exact, effort) : findSimilarEnds(text, exact, near, effort);
  const matches = found.flatMap(({ start, end, changed }) => {
    const whole = widenToCharacters(text, start, end);
    const { before, after, bytes } = measureContext(text, whole.start, whole.end, quote);
    const isInContext = Math.max(countBytes(before), countBytes(after)) >= MIN_BYTES_OF_CONTEXT;
    if (changed > (isInContext ? MAX_CHANGED_IN_CONTEXT : MAX_CHANGED)) return [];
    return [{ ...whole, bytes: bytes + countBytes(exact) * (1 - changed) }];
  });
  const [best] = matches.toSorted((one, other) => other.bytes - one.bytes || compareDistance(one, other, near));
  return best && best.bytes >= MIN_BYTES ? { start: best.start, end: best.end, isExact: false } : undefined;
}

interface SimilarPassage {
  start: number;
  end: number;
  /** Share of changed UTF-16 units. */
  changed: number;
}

/** Finds the most similar passages, window by window, because a hostile one is found at each character. */
function findSimilar(text: string, passage: string, effort: SearchEffort): SimilarPassage[] {
  if (!effort.spend("changed", text.length * Math.ceil(passage.length / BLOCK_LENGTH))) return [];
  let maxErrors = Math.floor(passage.length * MAX_CHANGED_IN_CONTEXT);
  let found: SimilarPassage[] = [];
  for (let from = 0; from < text.length; from += WINDOW_LENGTH) {
    // A passage that ends in the window may begin before it.
    const first = Math.max(0, from - passage.length - maxErrors);
    const matches = search(text.slice(first, from + WINDOW_LENGTH), passage, maxErrors);
    const [{ errors } = { errors: maxErrors }] = matches;
    if (errors < maxErrors) found = [];
    maxErrors = errors;
    const ending = matches.filter(({ end }) => first + end > from);
    for (const { start, end } of ending.slice(0, MAX_OCCURRENCES - found.length)) {
      found.push({ start: first + start, end: first + end, changed: errors / passage.length });
    }
    if (!effort.spend("changed", matches.length * passage.length * COST_OF_SIMILAR)) break;
  }
  return found;
}

/** Finds a long passage by its ends, of which each is found with changes. */
function findSimilarEnds(text: string, exact: string, near: number, effort: SearchEffort): SimilarPassage[] {
  const nearest = (passages: SimilarPassage[]) => passages.toSorted((one, other) => compareDistance(one, other, near));
  const heads = nearest(findSimilar(text, exact.slice(0, END_LENGTH), effort));
  const tails = nearest(findSimilar(text, exact.slice(-END_LENGTH), effort));
  const isShortened = splitShortened(exact) !== undefined;
  return heads.flatMap((head) => {
    const tail = tails.find(({ end }) => {
      const length = end - head.start;
      return length >= exact.length / 2 && (isShortened || length <= exact.length * 2);
    });
    return tail ? [{ start: head.start, end: tail.end, changed: Math.max(head.changed, tail.changed) }] : [];
  });
}

function compareDistance(one: { start: number }, other: { start: number }, near: number): number {
  return Math.abs(one.start - near) - Math.abs(other.start - near);
}

/** Returns the context of a passage that is as quoted, and its bytes. */
function measureContext(text: string, start: number, end: number, { prefix, suffix }: Quote) {
  let [before, after] = [0, 0];
  while (before < start && isSame(prefix?.at(-1 - before), text[start - 1 - before])) before++;
  while (isSame(suffix?.[after], text[end + after])) after++;
  const [left, right] = [prefix?.slice(prefix.length - before) ?? "", suffix?.slice(0, after) ?? ""];
  const isShort = (context: string | undefined) => context !== undefined && context.length < QUOTE_CONTEXT_LENGTH;
  const isAtStart = isShort(prefix) && left === prefix && start === before;
  const isAtEnd = isShort(suffix) && right === suffix && text.length === end + after;
  const bytes = countBytes(left) + countBytes(right) + (isAtStart ? BYTES_OF_END : 0) + (isAtEnd ? BYTES_OF_END : 0);
  return { before: left, after: right, bytes };
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

/** Returns whether a passage begins and ends within words only if the quoted one does, and cuts no character. */
function hasSameBounds(text: string, start: number, end: number, { exact, prefix = "", suffix = "" }: Quote): boolean {
  if (isWithinPair(text, start) || isWithinPair(text, end)) return false;
  const isWithinWord = (before: string, after: string) => /[\p{L}\p{M}\p{N}]$/u.test(before) && STARTS_WORD.test(after);
  const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 2)];
  const [first, last] = [exact.slice(0, 2), exact.slice(-2)];
  return (
    (!isWithinWord(before, first) || isWithinWord(prefix, first)) &&
    (!isWithinWord(last, after) || isWithinWord(last, suffix)) &&
    (!JOINS.test(after) || JOINS.test(suffix))
  );
}

const STARTS_WORD = /^[\p{L}\p{M}\p{N}]/u;
/** Begins with what joins the character before it: a combining mark, variation selector, joiner or skin tone. */
const JOINS = /^(?:[\p{M}\u200d]|\p{Emoji_Modifier})/u;

/** Widens a passage that would begin or end within a character. */
function widenToCharacters(text: string, from: number, to: number): { start: number; end: number } {
  let [start, end] = [from, to];
  while (start > 0 && (isWithinPair(text, start) || JOINS.test(text.slice(start, start + 2)))) start--;
  while (end < text.length && (isWithinPair(text, end) || JOINS.test(text.slice(end, end + 2)))) end++;
  return { start, end };
}

/** Returns the number of bytes of UTF-8 without those of white space. */
function countBytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0x20 || /\s/u.test(character)) continue;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
