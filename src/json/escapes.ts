const [BACKSLASH, LOWER_U] = [0x5c, 0x75];
/** Lengths of the longest escape sequence, such as `\ud800`, and of the others. */
const [LONG_ESCAPE, SHORT_ESCAPE] = [6, 2];

/** Returns whether an odd number of backslashes precedes a position in a string, not counting those before `start`. */
export function isEscapedAt(bytes: Buffer, position: number, start: number): boolean {
  let first = position;
  while (first > start && bytes[first - 1] === BACKSLASH) first--;
  return (position - first) % 2 === 1;
}

/**
 * Returns a position in a JSON string or, if a character or an escape sequence contains it, the end of that. `start` is
 * an earlier position that none contains.
 */
export function wholeEnd(bytes: Buffer, position: number, start: number): number {
  for (let at = Math.max(start, position - LONG_ESCAPE + 1); at < position; at++) {
    if (bytes[at] !== BACKSLASH || isEscapedAt(bytes, at, start)) continue;
    const end = at + (bytes[at + 1] === LOWER_U ? LONG_ESCAPE : SHORT_ESCAPE);
    if (end > position) return end;
  }
  let end = position;
  while (isContinuation(bytes[end])) end++;
  return end;
}

/** Returns whether a byte continues a character of several bytes. */
function isContinuation(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
