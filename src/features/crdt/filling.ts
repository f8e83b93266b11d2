/** Collects work to do once a shared value has its place in the document. */
export interface Filling {
  later(fill: () => void): void;
}

/**
 * Inserts shared values into a document and then fills them, level by level. Neighbors get consecutive clocks, so that
 * Yjs stores their tombstones as one piece: clearing an array of 80,000 objects was measured at 0.5 s, and at 55 s when
 * each object was filled before the next one.
 */
export function fillAfter(insert: (filling: Filling) => void): void {
  const fills: (() => void)[] = [];
  insert({ later: (fill) => void fills.push(fill) });
  // Filling adds more of them to the list.
  for (const fill of fills) fill();
}
