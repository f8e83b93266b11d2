/** Size from which the steps of a request take turns with other requests, because one step may take 20 ms. */
export const LARGE_BODY_BYTES = 256 * 1024;

const waiting: (() => void)[] = [];

/**
 * Resolves when the other requests that are ready have had their turn of the event loop. Each iteration of the loop
 * resumes one caller, so that ten large requests delay a small one no more than one of them does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  waiting.shift()?.();
  // An immediate that is set by another one runs in the next iteration.
  if (waiting.length > 0) setImmediate(resumeOne);
}
