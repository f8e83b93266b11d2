/** Yields the parts of a list, in order, each of at most `size` items. */
export function* splitIntoChunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
