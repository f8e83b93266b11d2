const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Time after which a worker that ends does not count as failing again. */
const STABLE_MS = 60_000;

/** Returns the number of workers in a row that ended soon, this one included; 1 if it was stable. */
export function countFailures(failuresBefore: number, ranMs: number): number {
  return ranMs > STABLE_MS ? 1 : failuresBefore + 1;
}

/** Returns the time until the next worker starts: it doubles with each failure in a row. */
export function pauseMsAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}
