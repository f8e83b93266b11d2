/** What is to be done once a shared value has its place in the document. */
export interface Filling {
  later(fill: () => void): void;
}

/**
 * Puts shared values into a document and then fills them, level by level. Neighbours are then numbered in a row, which
 * lets Yjs keep what is left of them, once deleted, as one piece: clearing an array of 80,000 objects was measured at
 * 0.5 s, and at 55 s where each object was filled before the next one.
 */
export function fillAfter(insert: (filling: Filling) => void): void {
  const fills: (() => void)[] = [];
  insert({ later: (fill) => void fills.push(fill) });
  // More are added while these run.
  for (const fill of fills) fill();
}
