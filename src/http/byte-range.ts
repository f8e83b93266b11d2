/** First and last byte of a part of a file. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the part of a file that a Range header asks for (RFC 9110, section 14). Returns the whole file if there is no
 * header, or one with several ranges, another unit or a mistake, and undefined if no byte of the file is in the range.
 */
export function findByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const whole = { start: 0, end: size - 1 };
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return whole;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? undefined : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(first), last === "" ? Infinity : Number(last)];
  if (end < start) return whole;
  return start < size ? { start, end: Math.min(end, size - 1) } : undefined;
}
