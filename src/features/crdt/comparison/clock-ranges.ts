/** A value for consecutive clocks of a Yjs client, up to `end`. */
export interface ClockRange<Value> {
  clock: number;
  end: number;
  value: Value;
}

/** Values of clocks by Yjs client. The ranges of a client are in the order of their clocks. */
export type ClockRanges<Value> = ReadonlyMap<number, readonly ClockRange<Value>[]>;

/** Returns the value of a clock, and the clock at which the next one begins. */
export function findValue<Value>(
  ranges: ClockRanges<Value>,
  client: number,
  clock: number,
): { value: Value | undefined; end: number } {
  const all = ranges.get(client) ?? [];
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.end ?? 0) <= clock) low = middle + 1;
    else high = middle;
  }
  const range = all[low];
  if (!range) return { value: undefined, end: Number.POSITIVE_INFINITY };
  return range.clock <= clock ? { value: range.value, end: range.end } : { value: undefined, end: range.clock };
}
