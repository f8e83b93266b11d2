import { setImmediate } from "node:timers/promises";

/** Size from which the steps of a request take turns with other requests, because one step may take 20 ms. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** Resolves when the other requests that are ready have had their turn of the event loop. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
