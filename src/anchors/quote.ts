/** Maximum number of UTF-16 units of a quoted passage. Of a longer one, its first and last characters are quoted. */
export const MAX_QUOTE_LENGTH = 2_000;
/** Number of UTF-16 units before and after a passage that its quote contains. */
export const QUOTE_CONTEXT_LENGTH = 32;

/** Stands for the middle of a passage that is too long to be quoted. */
const OMISSION = "…";
const MAX_HEAD_LENGTH = MAX_QUOTE_LENGTH / 2;

/** A passage with what is around it: a TextQuoteSelector of the W3C Web Annotation Data Model. */
export interface Quote {
  /** The passage; empty for a place between characters. */
  exact: string;
  /** Text before the passage. Shorter than 32 UTF-16 units only at the beginning of the text. */
  prefix?: string;
  /** Text after the passage. Shorter than 32 UTF-16 units only at the end of the text. */
  suffix?: string;
}

/** Quotes the text from `start` to `end`. Never cuts a surrogate pair. */
export function buildQuote(text: string, start: number, end: number): Required<Quote> {
  const [from, to] = [Math.max(0, start - QUOTE_CONTEXT_LENGTH), end + QUOTE_CONTEXT_LENGTH];
  return {
    exact: shortenQuote(text.slice(start, end)),
    prefix: text.slice(isWithinPair(text, from) ? from - 1 : from, start),
    suffix: text.slice(end, isWithinPair(text, to) ? to + 1 : to),
  };
}

/** Returns a passage as it is quoted: whole, or its beginning and end with `…` between them. */
export function shortenQuote(passage: string): string {
  if (passage.length <= MAX_QUOTE_LENGTH) return passage;
  const [head, tail] = [MAX_HEAD_LENGTH, passage.length - (MAX_HEAD_LENGTH - OMISSION.length)];
  return [
    passage.slice(0, isWithinPair(passage, head) ? head - 1 : head),
    passage.slice(isWithinPair(passage, tail) ? tail + 1 : tail),
  ].join(OMISSION);
}

/** Returns the beginning and end of a passage that was shortened, or undefined if it was not. */
export function splitShortened(exact: string): [head: string, tail: string] | undefined {
  if (exact.length < MAX_QUOTE_LENGTH - 2) return undefined;
  const place = [MAX_HEAD_LENGTH, MAX_HEAD_LENGTH - 1].find((index) => exact[index] === OMISSION);
  return place === undefined ? undefined : [exact.slice(0, place), exact.slice(place + 1)];
}

/** Returns whether the offset is within a surrogate pair. */
export function isWithinPair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}
